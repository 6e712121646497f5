// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// Keys derived from passwords: PBKDF2 with HMAC (RFC 8018), as `SecKeyDeriveFromPassword` does.
package struct PasswordKey: Sendable {
    package let hash: HashFunction
    package let salt: [UInt8]
    package let rounds: UInt32

    /// nil for MD5, a salt of fewer than 8 bytes or more than the limit, no rounds or more than a minute's.
    package init?(hash: HashFunction = .sha256, salt: [UInt8], rounds: Int = defaultRounds) {
        guard hash != .md5, (Self.smallestSalt...Self.largestSalt).contains(salt.count),
            (1...Self.mostRounds).contains(rounds)
        else { return nil }
        self.hash = hash
        self.salt = salt
        self.rounds = UInt32(rounds)
    }

    /// The function of a `kSecAttrPRFHmacAlg…` constant's value.
    package static func hash(named name: String) -> HashFunction? {
        switch name {
        case "hsha1": .sha1
        case "hsha224": .sha224
        case "hsha256": .sha256
        case "hsha384": .sha384
        case "hsha512": .sha512
        default: nil
        }
    }

    /// Derives `count` bytes; throws `invalidLength` when there is no password, or none or too many are wanted.
    package func derive(from password: UnsafeRawBufferPointer, count: Int) throws(KeyError) -> SecretBytes {
        guard (1...Self.longestPassword).contains(password.count), (1...Self.largestOutput).contains(count) else {
            throw .invalidLength
        }
        let kdf = try unsafe KeyLibrary.found(KeyLibrary.pbkdf2)
        return try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
            let result = unsafe llv_keys_pbkdf2(
                kdf, hash.rawValue, password.baseAddress, password.count, salt, salt.count, rounds,
                output.baseAddress, output.count)
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    /// An AES key of 128, 192 or 256 bits; throws `unsupportedKey` for any other number.
    package func key(from password: UnsafeRawBufferPointer, bits: Int) throws(KeyError) -> CryptoKey {
        guard KeyType.aes.allows(bits: bits) else { throw .unsupportedKey }
        let bytes = try unsafe derive(from: password, count: bits / 8)
        return try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
            try unsafe CryptoKey(.aes, .symmetric, representation: bytes)
        }
    }

    /// What is taken when the caller gives no number: about a fifth of a second today.
    package static let defaultRounds = 600_000
    package static let smallestSalt = 8
    private static let largestSalt = 1 << 16
    private static let mostRounds = 100_000_000
    private static let longestPassword = 1 << 20
    private static let largestOutput = 1 << 16
}
