// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel

/// The kinds of keys that SSH and the keychain both know, by SSH's names.
enum SSHKeyKind: String, CaseIterable {
    case rsa = "ssh-rsa"
    case p256 = "ecdsa-sha2-nistp256"
    case p384 = "ecdsa-sha2-nistp384"
    case p521 = "ecdsa-sha2-nistp521"
    case ed25519 = "ssh-ed25519"

    init?(_ key: CryptoKey) {
        switch (key.type, key.bits) {
        case (.rsa, _): self = .rsa
        case (.ec, 256): self = .p256
        case (.ec, 384): self = .p384
        case (.ec, 521): self = .p521
        case (.ed25519, _): self = .ed25519
        default: return nil
        }
    }

    /// What SSH calls the curve; nil where there is none to be named.
    var curve: String? {
        switch self {
        case .p256: "nistp256"
        case .p384: "nistp384"
        case .p521: "nistp521"
        case .rsa, .ed25519: nil
        }
    }

    /// What `ssh-keygen -l` calls it.
    var shortName: String {
        switch self {
        case .rsa: "RSA"
        case .p256, .p384, .p521: "ECDSA"
        case .ed25519: "ED25519"
        }
    }

    private var scalarSize: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        case .rsa, .ed25519: 0
        }
    }

    /// The private key that stands in an OpenSSH file behind its kind.
    func key(_ reader: inout SSHReader) throws(SSHReader.Malformed) -> CryptoKey {
        switch self {
        case .ed25519:
            let point = try reader.string()
            var pair = SSHReader(try reader.string())
            let (seed, again) = (try pair.take(32), try pair.take(32))
            guard pair.isAtEnd, point.isEqualInConstantTime(to: again) else { throw SSHReader.Malformed() }
            return try SSHKeyKind.imported(.ed25519, seed)
        case .p256, .p384, .p521:
            guard try reader.text() == curve else { throw SSHReader.Malformed() }
            let (point, scalar) = (try reader.string(), try reader.integer(count: scalarSize))
            return try SSHKeyKind.imported(.ec, SecretValue.joined([point, scalar]))
        case .rsa:
            let (modulus, exponent) = (try reader.integer(), try reader.integer())
            let (secret, inverse) = (try reader.integer(), try reader.integer())
            let (first, second) = (try reader.integer(), try reader.integer())
            guard [modulus, secret, inverse, first, second].allSatisfy({ $0.count <= KeyType.largestModulus / 8 }),
                let ofFirst = RSAExponent.reduced(secret, for: first),
                let ofSecond = RSAExponent.reduced(secret, for: second)
            else { throw SSHReader.Malformed() }
            let numbers = [modulus, exponent, secret, first, second, ofFirst, ofSecond, inverse]
            let encoded = unsafe SecretValue.joined(numbers).withUnsafeBytes { bytes in
                unsafe RSANumbers.encodedPrivateKey(bytes, numbers.map(\.count))
            }
            return try SSHKeyKind.imported(.rsa, SecretValue(copying: encoded))
        }
    }

    private static func imported(_ type: KeyType, _ bytes: SecretValue) throws(SSHReader.Malformed) -> CryptoKey {
        do throws(KeyError) {
            return try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(type, .private, representation: bytes)
            }
        } catch { throw SSHReader.Malformed() }
    }
}
