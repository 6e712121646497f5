// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// The key without which nobody writes a log's history anew, nor checks it.
///
/// Each file is chained under a key of its own, and the head under another, so that nothing of one file stands for
/// anything in a second one.
package final class AuditKey: Sendable {
    private let root: SecretBytes

    /// Takes 32 bytes that are not all zero; throws `unusableKey` else.
    package init(_ root: consuming SecretBytes) throws(AuditError) {
        guard root.count == KeyedHash.size, !root.isAllZero else { throw .unusableKey }
        self.root = root
    }

    func hash(ofFile number: UInt32) throws(AuditError) -> ChainHash {
        try hash("llavero audit file", (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) })
    }

    func hashOfHead() throws(AuditError) -> ChainHash { try hash("llavero audit head", []) }

    private func hash(_ label: String, _ more: [UInt8]) throws(AuditError) -> ChainHash {
        guard !root.isAbandoned else { throw .abandoned }
        do throws(CryptoError) {
            let key = try unsafe root.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe SecretBytes(count: KeyedHash.size) { (output) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: [], info: Array(label.utf8) + more, into: output)
                }
            }
            return ChainHash(
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyedHash(key: key) })
        } catch { throw AuditError(error) }
    }
}
