// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel

/// The keys that signatures and ciphertexts of the corpora were made with; they protect nothing.
internal enum FixedKeys {
    static let message = Array("what was signed, or is to be read".utf8)

    /// The key in a fixture; nil when there is none.
    static func read(_ type: KeyType, _ part: KeyPart, _ name: String) -> CryptoKey? {
        try? CryptoKey(type, part, representation: Fixtures.bytes(name))
    }

    static let p256 = read(.ec, .private, "p256.key")
    static let p384 = read(.ec, .private, "p384.key")
    static let p521 = read(.ec, .private, "p521.key")
    static let rsa = read(.rsa, .private, "rsa2048.key")
    static let ed25519 = read(.ed25519, .private, "ed25519.key")
    static let ed448 = read(.ed448, .private, "ed448.key")
    static let aes = read(.aes, .symmetric, "aes256.key")
}

/// A key and a way to use it; the first byte of an input chooses one.
internal struct FixedUse: Sendable {
    let key: CryptoKey
    let algorithm: KeyAlgorithm

    private init?(_ key: CryptoKey?, _ name: String) {
        guard let key, let algorithm = KeyAlgorithm(name) else { return nil }
        self.key = key
        self.algorithm = algorithm
    }

    static let signatures: [FixedUse] = [
        FixedUse(FixedKeys.p256, "algid:sign:ECDSA:message-X962:SHA256"),
        FixedUse(FixedKeys.p384, "algid:sign:ECDSA:message-X962:SHA384"),
        FixedUse(FixedKeys.p521, "algid:sign:ECDSA:message-X962:SHA512"),
        FixedUse(FixedKeys.p256, "algid:sign:ECDSA:message-RFC4754:SHA256"),
        FixedUse(FixedKeys.p384, "algid:sign:ECDSA:message-RFC4754:SHA384"),
        FixedUse(FixedKeys.p521, "algid:sign:ECDSA:message-RFC4754:SHA512"),
        FixedUse(FixedKeys.ed25519, "algid:sign:EdDSA:message-Curve25519:SHA512"),
        FixedUse(FixedKeys.ed448, "algid:sign:EdDSA:message-Curve448:SHAKE256"),
        FixedUse(FixedKeys.rsa, "algid:sign:RSA:message-PKCS1v15:SHA256"),
        FixedUse(FixedKeys.rsa, "algid:sign:RSA:message-PSS:SHA256:SHA256:32"),
        FixedUse(FixedKeys.rsa, "algid:sign:RSA:raw"),
        FixedUse(FixedKeys.rsa, "algid:sign:RSA:raw-cc"),
    ].compactMap(\.self)

    static let decryptions: [FixedUse] = [
        FixedUse(FixedKeys.aes, KeyAlgorithm.aesGCMName),
        FixedUse(FixedKeys.p256, "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"),
        FixedUse(FixedKeys.p256, "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"),
        FixedUse(FixedKeys.p384, "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"),
        FixedUse(FixedKeys.p521, "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"),
        FixedUse(FixedKeys.rsa, "algid:encrypt:RSA:OAEP:SHA256:AESGCM"),
        FixedUse(FixedKeys.rsa, "algid:encrypt:RSA:OAEP:SHA256"),
        FixedUse(FixedKeys.rsa, "algid:encrypt:RSA:PKCS1"),
        FixedUse(FixedKeys.rsa, "algid:encrypt:RSA:raw"),
        FixedUse(FixedKeys.rsa, "algid:encrypt:RSA:raw-cc"),
    ].compactMap(\.self)
}
