// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What an enclave does not do (decisions D16, D43): refused, and nothing stored.
@Suite struct EnclaveLimitTests {
    /// Parameters that no key is made of, over those that would make one.
    private static func parameters(_ more: [CFString: Any?]) -> CFDictionary {
        var parameters = Keys.ofEnclave
        for (name, value) in more { parameters[name] = value }
        return parameters as CFDictionary
    }

    private static var unmakable: [(String, CFDictionary)] {
        let token = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        let names: [Any] = [
            kSecAttrTokenIDAppleKeyStore, kSecAttrTokenIDSecureElement, "", "com.apple.setoken ", 5, Data([1]),
        ]
        return [
            ("RSA", parameters([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048])),
            ("384 bits", parameters([kSecAttrKeySizeInBits: 384])),
            ("521 bits", parameters([kSecAttrKeySizeInBits: 521])),
            ("no size", parameters([kSecAttrKeySizeInBits: nil])),
            ("no type", parameters([kSecAttrKeyType: nil])),
            ("Ed25519", parameters([kSecAttrKeyType: kSecAttrKeyTypeEd25519])),
            ("X25519", parameters([kSecAttrKeyType: kSecAttrKeyTypeX25519])),
            ("AES", parameters([kSecAttrKeyType: kSecAttrKeyTypeAES])),
            ("the private half's", parameters([kSecAttrTokenID: nil, kSecPrivateKeyAttrs: token])),
            ("the public half's", parameters([kSecAttrTokenID: nil, kSecPublicKeyAttrs: token])),
            ("both and one", parameters([kSecPrivateKeyAttrs: token])),
            ("not stored", parameters([kSecAttrKeySizeInBits: 384, kSecAttrIsPermanent: false])),
        ] + names.enumerated().map { ("token \($0)", parameters([kSecAttrTokenID: $1, kSecAttrIsPermanent: true])) }
    }

    @Test("keys of another kind, of another token, or of a token of one half are not made", arguments: Ground.all)
    func making(ground: Ground) throws {
        let scene = try Scene(ground)
        scene.use {
            for (what, parameters) in Self.unmakable {
                let status = Refusal.status { error in
                    #expect(SecKeyCreateRandomKey(parameters, error) == nil, "\(what)")
                }
                #expect(status == errSecParam, "\(what)")
                #expect(SecKeyGeneratePair(parameters, nil, nil) == errSecParam, "\(what)")
            }
            #expect(Items.countKeys() == 0)
        }
    }

    @Test("an enclave takes no key that was made elsewhere", arguments: Ground.all)
    func importing(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Keys.software()
            let bytes = try Keys.bytes(key)
            let kind: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            for token in [kSecAttrTokenIDSecureEnclave, kSecAttrTokenIDSecureElement] {
                let marked = kind.merging([kSecAttrTokenID: token]) { $1 }
                for isPermanent in [false, true] {
                    let attributes = marked.merging([kSecAttrIsPermanent: isPermanent]) { $1 } as CFDictionary
                    let status = Refusal.status { _ = SecKeyCreateWithData(bytes as CFData, attributes, $0) }
                    #expect(status == errSecParam)
                }
                let adds: [[CFString: Any]] = [
                    marked.merging([kSecClass: kSecClassKey, kSecValueData: bytes]) { $1 },
                    marked.merging([kSecClass: kSecClassKey]) { $1 },
                    [kSecValueRef: key, kSecAttrTokenID: token],
                    [kSecValueRef: try Keys.publicHalf(key), kSecAttrTokenID: token],
                ]
                for add in adds { #expect(SecItemAdd(add as CFDictionary, nil) == errSecParam) }
            }
            #expect(Items.countKeys() == 0)
        }
    }

    @Test("its keys are never synchronizable, and never extractable, whatever is asked", arguments: Ground.all)
    func staying(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let travelling = Keys.ofEnclave.merging([kSecAttrSynchronizable: true]) { $1 } as CFDictionary
            #expect(Refusal.status { _ = SecKeyCreateRandomKey(travelling, $0) } == errSecParam)
            #expect(Items.countKeys() == 0)
            let open: [CFString: Any] = [kSecAttrIsExtractable: true, kSecAttrWasNeverExtractable: false]
            for more in [open, [kSecPrivateKeyAttrs: open]] {
                let key = try Keys.inEnclave(more)
                for found in [key, try Items.expectedKey([kSecValueRef: key])] {
                    let attributes = try #require(SecKeyCopyAttributes(found) as? [CFString: Any])
                    #expect(attributes[kSecAttrIsExtractable] as? Bool == false)
                    #expect(attributes[kSecAttrWasNeverExtractable] as? Bool == true)
                    #expect(SecKeyCopyExternalRepresentation(found, nil) == nil)
                }
                let item: [CFString: Any] = [kSecClass: kSecClassKey, kSecValueRef: key]
                #expect(Items.update(item, [kSecAttrSynchronizable: true]) == errSecParam)
                #expect(Items.update(item, [kSecAttrIsExtractable: true]) == errSecParam)
                #expect(try Keys.signs(key))
            }
        }
    }

    @Test("no item moves into the enclave or out of it", arguments: Ground.all)
    func moving(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let inside = try Keys.inEnclave([kSecAttrLabel: "inside"])
            let outside = try Keys.made([
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true], kSecAttrLabel: "outside",
            ])
            for label in ["inside", "outside"] {
                for token in [kSecAttrTokenIDSecureEnclave, ""] {
                    let status = Items.update(
                        [kSecClass: kSecClassKey, kSecAttrLabel: label], [kSecAttrTokenID: token])
                    #expect(status == errSecParam, "\(label) \(token)")
                }
            }
            // Nor does another key's data take the place of what the enclave made.
            let status = Items.update(
                [kSecClass: kSecClassKey, kSecAttrLabel: "inside"], [kSecValueData: try Keys.bytes(outside)])
            #expect(status == errSecParam)
            #expect(Items.key([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) == inside)
            #expect(try Keys.signs(inside) && Keys.signs(try Items.expectedKey([kSecAttrLabel: "outside"])))
        }
        #expect(try scene.keychain.check() == [])
    }
}
