// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

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

    /// The 32 bytes that this key and another's public one agree on.
    ///
    /// Throws `authenticationFailed` when OpenSSL refuses the other's.
    internal borrowing func sharedSecret(with other: borrowing LibraryKey) throws(CryptoError) -> SecretBytes {
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(FetchedAlgorithm.library, pointer, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe context != nil && EVP_PKEY_derive_init(context) == 1 else { throw .takeFromLibrary() }
        let peer = unsafe other.pointer
        return try unsafe SecretBytes(count: 32) { (output) throws(CryptoError) in
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
