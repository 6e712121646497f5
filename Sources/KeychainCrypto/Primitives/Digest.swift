// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The digests of bytes that are all there at once.
package enum Digest {
    /// Writes the 20 bytes of SHA-1: for what Apple defines by it, never for a decision about trust.
    package static func sha1(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count == sha1Size else { throw .invalidLength }
        try unsafe digest(bytes, with: FetchedAlgorithm.sha1, into: output)
    }

    /// Writes the 32 bytes of SHA-256.
    package static func sha256(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count == sha256Size else { throw .invalidLength }
        try unsafe digest(bytes, with: FetchedAlgorithm.sha256, into: output)
    }

    /// The 20 bytes of SHA-1.
    package static func sha1(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        try unsafe digest(bytes, with: FetchedAlgorithm.sha1, count: sha1Size)
    }

    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        try unsafe digest(bytes, with: FetchedAlgorithm.sha256, count: sha256Size)
    }

    package static func sha256(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe sha256(bytes) }
    }

    private static func digest(
        _ bytes: UnsafeRawBufferPointer, with algorithm: OpaquePointer, count: Int
    ) throws(CryptoError) -> [UInt8] {
        try unsafe [UInt8](count: count) { (output) throws(CryptoError) in
            try unsafe digest(bytes, with: algorithm, into: output)
        }
    }

    private static func digest(
        _ bytes: UnsafeRawBufferPointer, with algorithm: OpaquePointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        var written: UInt32 = 0
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, &written, algorithm, nil) == 1,
            Int(written) == output.count
        else { throw .takeFromLibrary() }
    }

    package static let sha1Size = 20
    package static let sha256Size = 32
}

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
