// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

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
    /// millisecond and lets whoever can write that file put other algorithms under a keychain.
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
