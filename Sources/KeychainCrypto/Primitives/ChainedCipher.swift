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

    private static func run(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ vector: [UInt8], forEncryption: Int32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        guard key.count == keySize, vector.count == blockSize else { throw .invalidLength }
        return try unsafe vector.lendingBytes { (vector) throws(CryptoError) in
            try unsafe OneRun.run(
                cipherOrNil, over: input, key, vector, forEncryption: forEncryption, into: output)
        }
    }

    // Not among the algorithms that every process needs.
    nonisolated(unsafe) private static let cipherOrNil = unsafe EVP_CIPHER_fetch(
        FetchedAlgorithm.library, "AES-128-CBC", nil)

    package static let keySize = 16
    package static let blockSize = 16
    /// More than a message of a bus holds.
    private static let largest = 256 << 20
}

/// One run of a cipher of OpenSSL that authenticates nothing, over all of its input.
internal enum OneRun {
    /// Returns how many bytes were written; throws `authenticationFailed` where the end of what is decrypted is no padding.
    ///
    /// The lengths of key and vector have to be those of the cipher; nil is one that OpenSSL does not have.
    internal static func run(
        _ cipher: OpaquePointer?, over input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer,
        _ vector: UnsafeRawBufferPointer, forEncryption: Int32, isPadded: Bool = true,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        guard let cipher = unsafe cipher, let context = unsafe EVP_CIPHER_CTX_new(),
            let start = output.baseAddress
        else { throw .takeFromLibrary() }
        let inChild = unsafe WipedInChild(cipher: context)
        defer {
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(context)
        }
        var (written, last): (Int32, Int32) = (0, 0)
        guard
            unsafe EVP_CipherInit_ex2(context, cipher, key.baseAddress, vector.baseAddress, forEncryption, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0) == 1,
            unsafe input.isEmpty
                || EVP_CipherUpdate(context, start, &written, input.baseAddress, Int32(input.count)) == 1
        else { throw .takeFromLibrary() }
        guard unsafe EVP_CipherFinal_ex(context, start + Int(written), &last) == 1 else {
            let error = CryptoError.takeFromLibrary()
            throw forEncryption == 0 && error != .outOfMemory ? .authenticationFailed : error
        }
        return Int(written) + Int(last)
    }
}
