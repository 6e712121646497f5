// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Stored keys of ML-DSA and ML-KEM.
@Suite struct KeptLatticeKeyTests {
    private static var message: CFData { Data("a message".utf8) as CFData }
    /// Whether OpenSSL is 3.5 or newer.
    private static let areOffered =
        SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeMLDSA] as [CFString: Any] as CFDictionary, nil) != nil

    private static func make(_ type: CFString, extractable: Bool) -> SecKey? {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: type, kSecAttrIsPermanent: true, kSecAttrIsExtractable: extractable,
            kSecAttrLabel: "lattice",
        ]
        return SecKeyCreateRandomKey(attributes as CFDictionary, nil)
    }

    @Test("a key is stored, found and used, in the keychain where it may not leave", arguments: [true, false])
    func stored(extractable: Bool) throws {
        for ground in [Ground.memory, .folder] {
            let scene = try Scene(ground)
            let made = scene.use { Self.make(kSecAttrKeyTypeMLDSA, extractable: extractable) }
            guard Self.areOffered else {
                #expect(made == nil)
                #expect(scene.use { Items.countKeys() } == 0)
                continue
            }
            let key = try #require(made)
            let other = try #require(SecKeyCopyPublicKey(key))
            let again = try scene.restarted()
            let found = try again.use { try Items.expectedKey([kSecAttrLabel: "lattice"]) }
            #expect(found == key)
            let signature = try #require(SecKeyCreateSignature(found, .mldsaSignatureMessage, Self.message, nil))
            #expect(SecKeyVerifySignature(other, .mldsaSignatureMessage, Self.message, signature, nil))
            #expect((SecKeyCopyExternalRepresentation(found, nil) == nil) == !extractable)
            #expect(try again.keychain.check() == [])
        }
    }

    @Test("a key of ML-KEM is stored and found", .enabled(if: areOffered))
    func sharing() throws {
        let scene = try Scene(.folder)
        let key = try #require(scene.use { Self.make(kSecAttrKeyTypeMLKEM, extractable: true) })
        let found = try scene.restarted().use { try Items.expectedKey([kSecAttrLabel: "lattice"]) }
        #expect(found == key)
        #expect(SecKeyCopyExternalRepresentation(found, nil) == SecKeyCopyExternalRepresentation(key, nil))
    }
}
