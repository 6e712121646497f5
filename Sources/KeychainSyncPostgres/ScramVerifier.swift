// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
package import KeychainModel
internal import KeychainSystem

/// What a server compares with when a role logs in by SCRAM-SHA-256 (RFC 5802, RFC 7677), as PostgreSQL keeps it.
///
/// The SQL that makes a role has this instead of the password: who reads it can try out passwords, and no more as long as they are
/// drawn at random, as `circle sql` does.
package struct ScramVerifier: Sendable, Equatable {
    package let text: String

    /// Of a password of ASCII characters, which no two programs can spell differently.
    package init?(password: SecretValue, salt: [UInt8], rounds: Int = defaultRounds) {
        let isPlain = unsafe password.withUnsafeBytes { bytes in
            unsafe !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
        }
        guard isPlain, let derivation = PasswordKey(salt: salt, rounds: rounds) else { return nil }
        do {
            let salted = try unsafe password.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe derivation.derive(from: bytes, count: KeyedHash.size)
            }
            let clientKey = try ScramVerifier.hash("Client Key", under: salted)
            let serverKey = try ScramVerifier.hash("Server Key", under: salted)
            let stored = try Digest.sha256(of: clientKey)
            text =
                "SCRAM-SHA-256$\(rounds):\(Base64.text(of: salt))$\(Base64.text(of: stored)):\(Base64.text(of: serverKey))"
        } catch { return nil }
    }

    private static func hash(_ name: String, under key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        let hash = try unsafe key.withUnsafeBytes { (bytes) throws(CryptoError) in try unsafe KeyedHash(key: bytes) }
        try hash.begin()
        try unsafe Array(name.utf8).lendingBytes { (bytes) throws(CryptoError) in try unsafe hash.update(bytes) }
        return try unsafe [UInt8](count: KeyedHash.size) { (output) throws(CryptoError) in
            try unsafe hash.finish(into: output)
        }
    }

    /// PostgreSQL's own; each log-in costs that many hashes.
    package static let defaultRounds = 4096
    package static let saltSize = 16
}
