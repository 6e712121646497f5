// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import KeychainModel

/// The algorithms, fetched from OpenSSL once per process: a fetch costs more than most uses.
// Unsafe for the compiler only: OpenSSL counts these objects' references atomically and never changes them. They are
// never freed, and a forked child may go on using them.
internal enum FetchedAlgorithm {
    internal static var aes256Block: OpaquePointer {
        get throws(CryptoError) { try unsafe found(aes256BlockOrNil) }
    }

    internal static var aes256GCM: OpaquePointer {
        get throws(CryptoError) { try unsafe found(aes256GCMOrNil) }
    }

    internal static var hmac: OpaquePointer {
        get throws(CryptoError) { try unsafe found(hmacOrNil) }
    }

    internal static var hkdf: OpaquePointer {
        get throws(CryptoError) { try unsafe found(hkdfOrNil) }
    }

    internal static var sha1: OpaquePointer {
        get throws(CryptoError) { try unsafe found(sha1OrNil) }
    }

    internal static var sha256: OpaquePointer {
        get throws(CryptoError) { try unsafe found(sha256OrNil) }
    }

    private static func found(_ algorithm: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
        guard let algorithm = unsafe algorithm else { throw .takeFromLibrary() }
        return unsafe algorithm
    }

    /// A library context of our own: the one of the process reads its configuration file first, which costs half a
    /// millisecond and lets anyone with write access to that file put other algorithms under a keychain.
    ///
    /// Never freed.
    nonisolated(unsafe) internal static let library = unsafe OSSL_LIB_CTX_new()

    nonisolated(unsafe) private static let aes256BlockOrNil = unsafe EVP_CIPHER_fetch(library, "AES-256-ECB", nil)
    nonisolated(unsafe) private static let aes256GCMOrNil = unsafe EVP_CIPHER_fetch(library, "AES-256-GCM", nil)
    nonisolated(unsafe) private static let hmacOrNil = unsafe EVP_MAC_fetch(library, "HMAC", nil)
    nonisolated(unsafe) private static let hkdfOrNil = unsafe EVP_KDF_fetch(library, "HKDF", nil)
    nonisolated(unsafe) private static let sha1OrNil = unsafe EVP_MD_fetch(library, "SHA1", nil)
    nonisolated(unsafe) private static let sha256OrNil = unsafe EVP_MD_fetch(library, "SHA256", nil)
}

/// OpenSSL's library context for files that were written long ago.
// Unsafe for the compiler only: OpenSSL guards a context by locks of its own. It is never freed.
package enum LegacyLibrary {
    /// One with RC2, RC4, single DES and Blowfish too, which the legacy provider brings when it is installed.
    ///
    /// Only for reading given files; nothing is written or checked with these algorithms.
    nonisolated(unsafe) package static let context = unsafe make()

    private static func make() -> OpaquePointer? {
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        // The folder the library was built with, so that OPENSSL_MODULES in the environment chooses no other code.
        let folder = unsafe OPENSSL_info(OPENSSL_INFO_MODULES_DIR)
        if unsafe folder != nil && OSSL_PROVIDER_set_default_search_path(context, folder) == 1 {
            unsafe OSSL_PROVIDER_load(context, "legacy")
        }
        let hasDefault = unsafe OSSL_PROVIDER_load(context, "default") != nil
        ERR_clear_error()
        return unsafe hasDefault ? context : nil
    }
}

/// The library that this process runs with.
package enum OpenSSLLibrary {
    /// Its version, such as 3.0.17.
    package static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}

/// A key as OpenSSL holds it: for one operation, never longer.
// What OpenSSL 3.0 leaves of a private one, found by searching every block it frees: nothing, but for the exchange on
// P-256, whose arithmetic copies the scalar to 33 bytes of heap and frees them as they are. They lie there until
// something else overwrites them, and no call of ours reaches them. Its own structures it wipes when this is freed.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
internal struct LibraryKey: ~Copyable {
    private let pointer: OpaquePointer

    /// A key that a shim made, or OpenSSL's reason for making none.
    internal init(_ made: OpaquePointer?) throws(CryptoError) {
        guard let made = unsafe made else { throw .takeFromLibrary() }
        unsafe pointer = made
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Lends what OpenSSL's functions take.
    internal borrowing func withUnsafePointer<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        try unsafe body(pointer)
    }

    /// The bytes that this key and another's public one agree on: those of a curve have 32.
    ///
    /// What is `padded` has all the bytes of its group, with zeros in front where the number is short. Throws
    /// `authenticationFailed` when OpenSSL refuses the other's.
    internal borrowing func sharedSecret(
        with other: borrowing LibraryKey, count: Int = 32, padded: Bool = false
    ) throws(CryptoError) -> SecretBytes {
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(FetchedAlgorithm.library, pointer, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe context != nil && EVP_PKEY_derive_init(context) == 1,
            unsafe !padded || EVP_PKEY_CTX_set_dh_pad(context, 1) == 1
        else { throw .takeFromLibrary() }
        let peer = unsafe other.pointer
        return try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
            var count = output.count
            guard
                unsafe EVP_PKEY_derive_set_peer(context, peer) == 1
                    && EVP_PKEY_derive(context, output.baseAddress, &count) == 1,
                count == output.count
            else {
                let error = CryptoError.takeFromLibrary()
                throw error == .outOfMemory ? error : .authenticationFailed
            }
        }
    }
}

extension SecretBytes {
    /// Lends a private key of 32 bytes; throws what is wrong with any other.
    internal borrowing func withPrivateKey<Result: ~Copyable>(
        _ body: (UnsafeRawBufferPointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        guard !isAbandoned else { throw .abandoned }
        guard count == 32 else { throw .invalidLength }
        guard !isAllZero else { throw .zeroKey }
        return try unsafe withUnsafeBytes(body)
    }
}

/// A promise that a context of OpenSSL's, with the key in it, is wiped in every forked child.
///
/// The context lies in OpenSSL's heap, of which a child gets a copy. End the promise before the context is freed.
// Safe: the entry is private, made here, and taken back in end().
@safe
internal struct WipedInChild {
    private let entry: OpaquePointer

    internal init(cipher context: OpaquePointer) {
        unsafe entry = llv_child_wipe_add(UnsafeMutableRawPointer(context)) { context in
            unsafe EVP_CIPHER_CTX_reset(OpaquePointer(context))
        }
    }

    internal init(mac context: OpaquePointer) {
        unsafe entry = llv_child_wipe_add(UnsafeMutableRawPointer(context)) { context in
            // There is no reset; another key takes the place of the one that is there.
            unsafe llv_openssl_hmac_forget_key(OpaquePointer(context))
        }
    }

    internal func end() { unsafe llv_child_wipe_remove(entry) }
}

/// How OpenSSL begins in a process.
package enum LibraryStart {
    /// Keeps OpenSSL from reading its configuration file, and from tidying up when the program ends; before its first use.
    ///
    /// For programs of our own alone: in others what that file says is the program's to follow.
    package static func withoutConfiguration() {
        // Our algorithms do not come from that file, but every digest looks for engines in it, a fetched one too: half a
        // millisecond, and a writer of the file would have a say. The end of the process frees what there is.
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        // If it fails, OpenSSL begins as it does in every program.
        _ = OPENSSL_init_crypto(options, nil)
    }
}
