// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The key that opens what may leave this device when the device's own key is lost.
///
/// A person keeps it on paper. Keys are wrapped for its public half, so the keybag can be made anew (another passcode,
/// another enclave, another generation) without asking for the paper.
package final class RecoveryKey: Sendable {
    /// What is written on the paper: sixteen random bytes.
    package let seed: SecretBytes
    let privateKey: SecretBytes
    package let publicKey: RecoveryPublicKey

    package convenience init() throws(CryptoError) {
        try self.init(
            seed: unsafe SecretBytes(count: Self.seedSize) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            })
    }

    package init(seed: consuming SecretBytes) throws(CryptoError) {
        guard seed.count == Self.seedSize else { throw .invalidLength }
        let privateKey = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe seed.withUnsafeBytes { (seed) throws(CryptoError) in
                try unsafe KeyDerivation.hkdf(
                    secret: seed, salt: [], info: Array("llavero recovery key".utf8), into: buffer)
            }
        }
        guard let publicKey = RecoveryPublicKey(try KeyAgreement.publicKey(of: privateKey)) else {
            throw .invalidLength
        }
        self.seed = seed
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// The private half, for who agrees on a key with it.
    package func agreementKey() -> SecretBytes { privateKey.clone() }

    package static let seedSize = 16
}

extension RecoveryKey {
    /// The key as words to write down: UTF-8, one space between them.
    package func words() throws(RecoveryWordsError) -> SecretBytes {
        try unsafe RecoveryWords.text(of: seed) { key in unsafe RecoveryKey.checksum(key) }
    }

    /// The key whose words a person typed, as UTF-8.
    package convenience init(words: UnsafeRawBufferPointer) throws(RecoveryWordsError) {
        let seed = try unsafe RecoveryWords.key(from: words) { key in unsafe RecoveryKey.checksum(key) }
        do throws(CryptoError) { try self.init(seed: seed) } catch { throw .noChecksum }
    }

    private static func checksum(_ key: UnsafeRawBufferPointer) -> (UInt8, UInt8)? {
        guard let digest = unsafe try? Digest.sha256(key) else { return nil }
        return (digest[0], digest[1])
    }
}

/// The half of a recovery key that the keybag keeps.
package struct RecoveryPublicKey: Sendable, Equatable {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
