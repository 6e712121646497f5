// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys that an enclave makes, and what becomes of them.
@Suite struct EnclaveMakingTests {
    @Test("the enclave's keys are stored unless their attributes say otherwise", arguments: Ground.all)
    func permanence(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let stored = try Keys.inEnclave()
            #expect(Items.countKeys() == 1)
            #expect(Items.key([:]) == stored)
            for more in [[kSecAttrIsPermanent: false], [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false]]] {
                let loose = try Keys.inEnclave(more)
                #expect(loose != stored)
                #expect(try Keys.signs(loose))
                #expect(Items.countKeys() == 1)
            }
            // And it cannot be stored afterwards.
            let loose = try Keys.inEnclave([kSecAttrIsPermanent: false])
            let add = [kSecValueRef: loose] as CFDictionary
            #expect(SecItemAdd(add, nil) == errSecParam)
            #expect(Items.countKeys() == 1)
            #expect(try Keys.signs(stored))
        }
        #expect(try scene.keychain.check() == [])
    }

    @Test("labels and tags are the stored key's, the private half's own before those of both", arguments: Ground.all)
    func names(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let tag = Data("the tag".utf8)
            let own: [CFString: Any] = [kSecAttrLabel: "own", kSecAttrApplicationTag: tag]
            let key = try Keys.inEnclave([kSecAttrLabel: "both", kSecPrivateKeyAttrs: own])
            for query in [[kSecAttrLabel: "own"], [kSecAttrApplicationTag: tag]] as [[CFString: Any]] {
                #expect(Items.key(query) == key)
            }
            #expect(Items.key([kSecAttrLabel: "both"]) == nil)
            let other = try Keys.inEnclave([kSecAttrLabel: "both", kSecAttrApplicationLabel: Data([1, 2])])
            #expect(Items.key([kSecAttrApplicationLabel: Data([1, 2])]) == other)
        }
    }

    @Test("the access control of the private half is the stored key's", arguments: Ground.all)
    func accessControl(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let control = try Keys.control(.privateKeyUsage, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
            for (label, more) in [
                ("both", [kSecAttrAccessControl: control]),
                ("own", [kSecPrivateKeyAttrs: [kSecAttrAccessControl: control]]),
            ] as [(String, [CFString: Any])] {
                let key = try Keys.inEnclave(more.merging([kSecAttrLabel: label]) { $1 })
                #expect(try Keys.signs(key))
                let found = Items.find([kSecClass: kSecClassKey, kSecAttrLabel: label], kSecReturnAttributes)
                let attributes = try #require(found.result as? [CFString: Any])
                #expect(attributes[kSecAttrAccessControl] as? SecAccessControl == control)
                #expect(
                    attributes[kSecAttrAccessible] as? String
                        == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
            }
            // A person would have to be asked, which nobody does yet: no key is better than one that asks nobody.
            let demanding = try Keys.control([.privateKeyUsage, .userPresence])
            let refused = Keys.ofEnclave.merging([kSecAttrAccessControl: demanding]) { $1 }
            #expect(Refusal.status { _ = SecKeyCreateRandomKey(refused as CFDictionary, $0) } != errSecSuccess)
            #expect(Items.countKeys() == 2)
        }
    }

    @Test("the public half is stored beside it if that is wanted, and is an ordinary key", arguments: Ground.all)
    func publicHalf(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Keys.inEnclave([
                kSecAttrLabel: "pair", kSecPublicKeyAttrs: [kSecAttrIsPermanent: true],
            ])
            #expect(Items.countKeys() == 2)
            let query: [CFString: Any] = [kSecAttrLabel: "pair", kSecAttrKeyClass: kSecAttrKeyClassPublic]
            let other = try #require(Items.key(query))
            #expect(SecKeyCopyPublicKey(key) == other)
            #expect(try Keys.bytes(other).count == 65)
            let attributes = try #require(SecKeyCopyAttributes(other) as? [CFString: Any])
            #expect(attributes[kSecAttrTokenID] == nil)
            #expect(attributes[kSecAttrIsExtractable] as? Bool == true)
            var pair: (other: SecKey?, own: SecKey?)
            #expect(SecKeyGeneratePair(Keys.ofEnclave as CFDictionary, &pair.other, &pair.own) == errSecSuccess)
            #expect(try SecKeyCopyPublicKey(#require(pair.own)) == pair.other)
            #expect(Items.countKeys() == 3)
            // Or the public half alone.
            let loose = try Keys.inEnclave([
                kSecAttrLabel: "half", kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false],
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: true],
            ])
            #expect(Items.countKeys() == 4)
            #expect(SecKeyCopyPublicKey(loose) == Items.key([kSecAttrLabel: "half"]))
            #expect(try Keys.signs(loose))
        }
    }

    @Test("a key that cannot be stored is not made", arguments: Ground.all)
    func taken(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let label: [CFString: Any] = [kSecAttrApplicationLabel: Data([7])]
            let first = try Keys.inEnclave(label)
            let again = Keys.ofEnclave.merging(label) { $1 } as CFDictionary
            #expect(Refusal.status { _ = SecKeyCreateRandomKey(again, $0) } == errSecDuplicateItem)
            let elsewhere = Keys.ofEnclave.merging([kSecAttrAccessGroup: "not.mine"]) { $1 } as CFDictionary
            #expect(Refusal.status { _ = SecKeyCreateRandomKey(elsewhere, $0) } == errSecMissingEntitlement)
            #expect(Items.countKeys() == 1 && Items.key(label) == first)
        }
    }
}
