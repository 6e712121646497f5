// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// What gnome-keyring seals its files with: AES-128-CBC under a stretched password, and an MD5 of the text before it.
///
/// For reading what is there already; nothing of ours is sealed so.
package enum KeyringCipher {
    /// The text in `sealed`, without its digest.
    ///
    /// Throws `authenticationFailed` when the password is another or the bytes were changed: one cannot tell which.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, password: borrowing SecretBytes, salt: UnsafeRawBufferPointer, rounds: Int
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count >= 2 * blockSize, sealed.count % blockSize == 0, sealed.count <= largest else {
            throw .invalidLength
        }
        guard (1...mostRounds).contains(rounds), salt.count == saltSize else { throw .invalidParameters }
        let keys = try unsafe stretched(password, salt, rounds)
        let whole = try unsafe SecretBytes(count: sealed.count) { (output) throws(CryptoError) in
            try unsafe keys.withUnsafeBytes { (keys) throws(CryptoError) in
                try unsafe decrypt(sealed, keys, into: output)
            }
        }
        return try unsafe whole.withUnsafeBytes { (whole) throws(CryptoError) in
            let text = unsafe UnsafeRawBufferPointer(rebasing: whole[blockSize...])
            let right = try unsafe SecretBytes(count: blockSize) { (output) throws(CryptoError) in
                try unsafe digest(text, into: output)
            }
            let isRight = unsafe right.withUnsafeBytes { right in
                unsafe isEqualInConstantTime(UnsafeRawBufferPointer(rebasing: whole[..<blockSize]), right)
            }
            guard isRight else { throw .authenticationFailed }
            return unsafe SecretBytes(copying: text)
        }
    }

    /// Key and first block: SHA-256 of password and salt, and of that, so many times in all.
    private static func stretched(
        _ password: borrowing SecretBytes, _ salt: UnsafeRawBufferPointer, _ rounds: Int
    ) throws(CryptoError) -> SecretBytes {
        let count = password.count
        let first = unsafe SecretBytes(count: count + salt.count) { output in
            unsafe password.withUnsafeBytes { bytes in unsafe output.copyMemory(from: bytes) }
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: salt)
        }
        return try unsafe SecretBytes(count: Digest.sha256Size) { (output) throws(CryptoError) in
            try unsafe first.withUnsafeBytes { (first) throws(CryptoError) in
                try unsafe Digest.sha256(first, into: output)
            }
            for _ in 1..<rounds { try unsafe Digest.sha256(UnsafeRawBufferPointer(output), into: output) }
        }
    }

    private static func decrypt(
        _ sealed: UnsafeRawBufferPointer, _ keys: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard let cipher = unsafe cipherOrNil, let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .takeFromLibrary()
        }
        let inChild = unsafe WipedInChild(cipher: context)
        defer {
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(context)
        }
        var written: Int32 = 0
        guard let start = keys.baseAddress,
            unsafe EVP_CipherInit_ex2(context, cipher, start, start + blockSize, 0, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe EVP_CipherUpdate(context, output.baseAddress, &written, sealed.baseAddress, Int32(sealed.count))
                == 1,
            Int(written) == sealed.count
        else { throw .takeFromLibrary() }
    }

    private static func digest(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        var written: UInt32 = 0
        guard let algorithm = unsafe md5OrNil,
            unsafe EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, &written, algorithm, nil) == 1,
            Int(written) == output.count
        else { throw .takeFromLibrary() }
    }

    // Not among the algorithms that every process needs: most processes never read such a file.
    nonisolated(unsafe) private static let cipherOrNil = unsafe EVP_CIPHER_fetch(
        FetchedAlgorithm.library, "AES-128-CBC", nil)
    nonisolated(unsafe) private static let md5OrNil = unsafe EVP_MD_fetch(FetchedAlgorithm.library, "MD5", nil)

    package static let saltSize = 8
    /// gnome-keyring draws about two thousand.
    package static let mostRounds = 1_000_000
    private static let blockSize = 16
    private static let largest = 64 << 20
}
