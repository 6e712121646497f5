// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Security
import Testing

/// How programs keep keys in a keychain: those that a SecKey can be as keys, all others as passwords.
@Suite struct KeychainIdiomTests {
    @Test("a key on NIST's curves is stored as a key, and comes back from it")
    func secKeys() throws {
        try IsolatedKeychain(.inMemory).use {
            try storeKey(P256.Signing.PrivateKey(), "p256 signing")
            try storeKey(P256.KeyAgreement.PrivateKey(), "p256 agreeing")
            try storeKey(P384.Signing.PrivateKey(), "p384")
            try storeKey(P521.KeyAgreement.PrivateKey(), "p521")
        }
    }

    private func storeKey<T: SecKeyConvertible>(_ key: T, _ label: String) throws {
        let attributes =
            [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
            as [String: Any]
        let secKey = try #require(
            SecKeyCreateWithData(key.x963Representation as CFData, attributes as CFDictionary, nil))
        let add =
            [
                kSecClass: kSecClassKey, kSecAttrApplicationLabel: label,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecUseDataProtectionKeychain: true,
                kSecValueRef: secKey,
            ] as [String: Any]
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
        let query =
            [
                kSecClass: kSecClassKey, kSecAttrApplicationLabel: label,
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecUseDataProtectionKeychain: true,
                kSecReturnRef: true,
            ] as [String: Any]
        var item: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
        let found = try #require(item as? SecKey)
        let data = try #require(SecKeyCopyExternalRepresentation(found, nil)) as Data
        #expect(try T(x963Representation: data).x963Representation == key.x963Representation)
    }

    @Test("every other key is stored as a password, and comes back from it")
    func passwords() throws {
        try IsolatedKeychain(.inMemory).use {
            try store(Curve25519.Signing.PrivateKey(), "ed25519")
            try store(Curve25519.KeyAgreement.PrivateKey(), "x25519")
            try store(SymmetricKey(size: .bits256), "symmetric")
            try store(P256.KeyAgreement.PrivateKey(), "p256")
            try store(SecureEnclave.P256.Signing.PrivateKey(), "enclave")
        }
    }

    private func store<T: GenericPasswordConvertible>(_ key: T, _ account: String) throws {
        let add =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecUseDataProtectionKeychain: true,
                kSecValueData: key.rawRepresentation,
            ] as [String: Any]
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
        let query =
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true] as [String: Any]
        var item: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
        let again = try T(rawRepresentation: try #require(item as? Data))
        #expect(Data(again.rawRepresentation) == Data(key.rawRepresentation))
    }
}

/// Programs have protocols of this kind, and extend each type by them.
private protocol SecKeyConvertible {
    init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws
    var x963Representation: Data { get }
}

extension P256.Signing.PrivateKey: SecKeyConvertible {}
extension P256.KeyAgreement.PrivateKey: SecKeyConvertible {}
extension P384.Signing.PrivateKey: SecKeyConvertible {}
extension P521.KeyAgreement.PrivateKey: SecKeyConvertible {}

private protocol GenericPasswordConvertible {
    init<D: ContiguousBytes>(rawRepresentation data: D) throws
    var rawRepresentation: Data { get }
}

extension Curve25519.Signing.PrivateKey: GenericPasswordConvertible {}
extension Curve25519.KeyAgreement.PrivateKey: GenericPasswordConvertible {}
extension P256.KeyAgreement.PrivateKey: GenericPasswordConvertible {}

extension SymmetricKey: GenericPasswordConvertible {
    init<D: ContiguousBytes>(rawRepresentation data: D) throws { self.init(data: data) }
    var rawRepresentation: Data { withUnsafeBytes { Data($0) } }
}

extension SecureEnclave.P256.Signing.PrivateKey: GenericPasswordConvertible {
    init<D: ContiguousBytes>(rawRepresentation data: D) throws {
        try self.init(dataRepresentation: data.withUnsafeBytes { Data($0) })
    }
    var rawRepresentation: Data { dataRepresentation }
}
