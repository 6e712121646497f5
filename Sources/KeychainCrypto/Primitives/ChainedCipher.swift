// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// AES-128-CBC with the padding of PKCS#7: it hides, and says nothing about who wrote it.
///
/// For what others defined by it; nothing of ours is sealed so.
package enum ChainedCipher {
    /// Whole blocks, one more than `plain` fills.
    package static func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, vector: [UInt8]
    ) throws(CryptoError) -> SecretValue {
        guard plain.count <= largest else { throw .invalidLength }
        return try unsafe SecretValue(count: (plain.count / blockSize + 1) * blockSize) {
            (output) throws(CryptoError) in
            let count = try unsafe run(plain, key, vector, forEncryption: 1, into: output)
            guard count == output.count else { throw .library(0) }
        }
    }

    /// Throws `invalidLength` when there are no whole blocks, and `authenticationFailed` when the end is no padding.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, vector: [UInt8]
    ) throws(CryptoError) -> SecretValue {
        guard sealed.count > 0, sealed.count % blockSize == 0, sealed.count <= largest else { throw .invalidLength }
        var count = 0
        // How much of it is text shows at its end.
        let padded = try unsafe SecretValue(count: sealed.count) { (output) throws(CryptoError) in
            count = try unsafe run(sealed, key, vector, forEncryption: 0, into: output)
        }
        return unsafe padded.withUnsafeBytes {
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// Returns how many bytes were written.
    private static func run(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ vector: [UInt8], forEncryption: Int32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        guard key.count == keySize, vector.count == blockSize else { throw .invalidLength }
        guard let cipher = unsafe cipherOrNil, let context = unsafe EVP_CIPHER_CTX_new(),
            let start = output.baseAddress
        else { throw .takeFromLibrary() }
        let inChild = unsafe WipedInChild(cipher: context)
        defer {
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(context)
        }
        var (written, last): (Int32, Int32) = (0, 0)
        guard unsafe EVP_CipherInit_ex2(context, cipher, key.baseAddress, vector, forEncryption, nil) == 1,
            unsafe input.isEmpty
                || EVP_CipherUpdate(context, start, &written, input.baseAddress, Int32(input.count)) == 1
        else { throw .takeFromLibrary() }
        guard unsafe EVP_CipherFinal_ex(context, start + Int(written), &last) == 1 else {
            let error = CryptoError.takeFromLibrary()
            throw forEncryption == 0 && error != .outOfMemory ? .authenticationFailed : error
        }
        return Int(written) + Int(last)
    }

    // Not among the algorithms that every process needs.
    nonisolated(unsafe) private static let cipherOrNil = unsafe EVP_CIPHER_fetch(
        FetchedAlgorithm.library, "AES-128-CBC", nil)

    package static let keySize = 16
    package static let blockSize = 16
    /// More than a message of a bus holds.
    private static let largest = 256 << 20
}
