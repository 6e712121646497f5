// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The SHA-256 of bytes that come one after the other.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
package struct RunningDigest: ~Copyable {
    private let context: OpaquePointer

    package init() throws(CryptoError) {
        guard let made = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
        do throws(CryptoError) {
            guard try unsafe EVP_DigestInit_ex(made, FetchedAlgorithm.sha256, nil) == 1 else {
                throw .takeFromLibrary()
            }
        } catch {
            unsafe EVP_MD_CTX_free(made)
            throw error
        }
        unsafe context = made
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw .takeFromLibrary() }
    }

    /// The 32 bytes.
    package consuming func sha256() throws(CryptoError) -> [UInt8] {
        try unsafe [UInt8](count: Digest.sha256Size) { (output) throws(CryptoError) in
            var written: UInt32 = 0
            guard unsafe EVP_DigestFinal_ex(context, output.baseAddress, &written) == 1, written == output.count else {
                throw .takeFromLibrary()
            }
        }
    }
}
