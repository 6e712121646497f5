// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys of the enclave that are found again, in the same program and after a restart.
@Suite struct EnclaveFindingTests {
    private static let tag = Data("org.llavero.tag".utf8)

    private static func make() throws -> SecKey {
        try Keys.inEnclave([kSecAttrLabel: "label", kSecAttrApplicationTag: tag])
    }

    private static let ways = 9

    /// Every way to ask for the key, and what each is.
    private static func queries(_ key: SecKey, _ reference: Data) throws -> [(Comment, [CFString: Any])] {
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        let label = try #require(attributes[kSecAttrApplicationLabel] as? Data)
        return [
            ("label", [kSecAttrLabel: "label"]), ("tag", [kSecAttrApplicationTag: tag]),
            ("application label", [kSecAttrApplicationLabel: label]),
            ("token", [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]), ("reference", [kSecValueRef: key]),
            ("persistent reference", [kSecValuePersistentRef: reference]),
            ("list of references", [kSecMatchItemList: [key]]),
            ("list of persistent references", [kSecMatchItemList: [reference]]),
            ("class and size", [kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeySizeInBits: 256]),
        ]
    }

    private static func persistentReference() throws -> Data {
        let found = Items.find([kSecClass: kSecClassKey, kSecAttrLabel: "label"], kSecReturnPersistentRef)
        return try #require(found.result as? Data)
    }

    @Test("by every name it has", arguments: Ground.all)
    func found(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Self.make()
            // Two others, a pair, that none of the names fit.
            _ = try Keys.made([
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 384, kSecAttrIsPermanent: true,
            ])
            for (what, query) in try Self.queries(key, Self.persistentReference()) {
                let found = try #require(Items.key(query), what)
                #expect(found == key && found.hash == key.hash, what)
                #expect(try Keys.signs(found), what)
            }
            let software = try Keys.software()
            #expect(Items.find([kSecClass: kSecClassKey, kSecValueRef: software]).status == errSecItemNotFound)
        }
        #expect(try scene.keychain.check() == [])
    }

    @Test("after a restart, and with what was made before", arguments: Ground.all)
    func restarted(ground: Ground) throws {
        let scene = try Scene(ground)
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let (key, reference) = try scene.use { (try Self.make(), try Self.persistentReference()) }
        let other = try Keys.publicHalf(key)
        let sealed = try #require(SecKeyCreateEncryptedData(other, algorithm, Data("text".utf8) as CFData, nil))
        let again = try scene.restarted()
        try again.use {
            for (what, query) in try Self.queries(key, reference) {
                let found = try #require(Items.key(query), what)
                #expect(found == key, what)
                #expect(try Keys.signs(found), what)
                #expect(SecKeyCreateDecryptedData(found, algorithm, sealed, nil) as Data? == Data("text".utf8), what)
            }
        }
        // A reference that a program still holds goes on too, outside any `use`.
        #expect(try Keys.signs(key))
        #expect(try again.keychain.check() == [])
    }

    @Test("under its new label after a change, and by the reference from before", arguments: Ground.all)
    func changed(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Self.make()
            let reference = try Self.persistentReference()
            let changes: [CFString: Any] = [kSecAttrLabel: "new", kSecAttrApplicationTag: Data("new".utf8)]
            #expect(Items.update([kSecClass: kSecClassKey, kSecValueRef: key], changes) == errSecSuccess)
            #expect(Items.key([kSecAttrLabel: "label"]) == nil)
            let queries =
                [
                    [kSecAttrLabel: "new"], [kSecAttrApplicationTag: Data("new".utf8)], [kSecValueRef: key],
                    [kSecValuePersistentRef: reference],
                ] as [[CFString: Any]]
            for query in queries {
                #expect(try Keys.signs(Items.expectedKey(query)))
            }
            #expect(try Keys.signs(key))
        }
    }

    @Test("not by a program of another group, and its reference is of no use there", arguments: Ground.all)
    func otherGroup(ground: Ground) throws {
        let scene = try Scene(ground)
        let (key, reference) = try scene.use { (try Self.make(), try Self.persistentReference()) }
        scene.keychain.entitlements = Entitlements(keychainAccessGroups: ["somebody.else"])
        try scene.use {
            for (what, query) in try Self.queries(key, reference) { #expect(Items.key(query) == nil, what) }
        }
        #expect(Refusal.ofSigning(with: key)?.status == errSecItemNotFound)
        scene.keychain.entitlements = Entitlements(keychainAccessGroups: ["llavero.open"])
        #expect(try Keys.signs(key))
    }

    @Test("not after it was deleted, in whichever way", arguments: Ground.all)
    func deleted(ground: Ground) throws {
        let scene = try Scene(ground)
        for index in 0..<Self.ways {
            let key = try scene.use { () throws -> SecKey in
                let key = try Self.make()
                let queries = try Self.queries(key, Self.persistentReference())
                try #require(queries.count == Self.ways)
                let (what, query) = queries[index]
                #expect(try Keys.signs(key), what)
                // A list names the items by itself, and a persistent reference says the class.
                #expect(Items.delete(query.merging([kSecClass: kSecClassKey]) { $1 }) == errSecSuccess, what)
                #expect(Items.countKeys() == 0, what)
                return key
            }
            #expect(Refusal.ofSigning(with: key)?.status == errSecItemNotFound)
            let other = try Keys.publicHalf(Keys.software())
            let status = Refusal.status { error in
                _ = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, error)
            }
            #expect(status == errSecItemNotFound)
        }
        #expect(try scene.keychain.check() == [])
    }
}
