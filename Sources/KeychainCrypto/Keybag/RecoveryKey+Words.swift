// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension RecoveryKey {
    /// The key as words to write down: UTF-8, one space between them.
    package func words() throws(RecoveryWordsError<CryptoError>) -> SecretBytes {
        try unsafe RecoveryWords.text(of: seed) { (key) throws(CryptoError) in try unsafe RecoveryKey.checksum(key) }
    }

    /// The key whose words somebody typed, as UTF-8.
    package convenience init(words: UnsafeRawBufferPointer) throws(RecoveryWordsError<CryptoError>) {
        let seed = try unsafe RecoveryWords.key(from: words) { (key) throws(CryptoError) in
            try unsafe RecoveryKey.checksum(key)
        }
        do throws(CryptoError) { try self.init(seed: seed) } catch { throw .noChecksum(error) }
    }

    private static func checksum(_ key: UnsafeRawBufferPointer) throws(CryptoError) -> (UInt8, UInt8) {
        let digest = try unsafe Digest.sha256(key)
        return (digest[0], digest[1])
    }
}
