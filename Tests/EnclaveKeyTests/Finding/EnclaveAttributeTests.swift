// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What is said of a key of the enclave, and that its bytes are never among it.
@Suite struct EnclaveAttributeTests {
    private static var truths: [(CFString, Bool)] {
        [
            (kSecAttrIsPermanent, true), (kSecAttrIsPrivate, true), (kSecAttrIsExtractable, false),
            (kSecAttrWasNeverExtractable, true),
            (kSecAttrCanSign, true), (kSecAttrCanDerive, true), (kSecAttrCanDecrypt, true), (kSecAttrCanUnwrap, true),
            (kSecAttrCanVerify, false), (kSecAttrCanEncrypt, false), (kSecAttrCanWrap, false),
        ]
    }

    private static func check(_ attributes: [CFString: Any], _ who: Comment) {
        for (name, value) in truths { #expect(attributes[name] as? Bool == value, "\(name) of \(who)") }
        #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String, who)
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == 256, who)
        #expect(attributes[kSecAttrEffectiveKeySize] as? Int == 256, who)
        #expect(attributes[kSecValueData] == nil, who)
    }

    @Test("it says that it is the enclave's, and never was extractable", arguments: Ground.all)
    func attributes(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let stored = try Keys.inEnclave()
            let loose = try Keys.inEnclave([kSecAttrIsPermanent: false])
            let found = try Items.expectedKey([:])
            for (key, who) in [(stored, "the made"), (found, "the found"), (loose, "the loose")] as [(SecKey, Comment)]
            {
                let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any], who)
                Self.check(attributes, who)
                let label = SecKeyCopyAttributes(try Keys.publicHalf(key)) as? [CFString: Any]
                #expect(attributes[kSecAttrApplicationLabel] as? Data == label?[kSecAttrApplicationLabel] as? Data)
                #expect((attributes[kSecAttrApplicationLabel] as? Data)?.count == 20)
                #expect("\(key)" == "SecKey(ec, private, 256 bits)" && Mirror(reflecting: key).children.isEmpty)
            }
            let item = Items.find([kSecClass: kSecClassKey], kSecReturnAttributes)
            Self.check(try #require(item.result as? [CFString: Any]), "the item")
        }
    }

    @Test("whatever is asked for, its bytes do not come", arguments: Ground.all)
    func noData(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Keys.inEnclave()
            for reference in [key, try Keys.inEnclave([kSecAttrIsPermanent: false])] {
                let refusal = Refusal.of { error in
                    #expect(SecKeyCopyExternalRepresentation(reference, error) == nil)
                }
                #expect(refusal?.status == errSecUnimplemented)
            }
            let alone = Items.find([kSecClass: kSecClassKey], kSecReturnData)
            #expect(alone.status == errSecSuccess && alone.result == nil)
            let wishes: [[CFString]] = [
                [kSecReturnData, kSecReturnAttributes], [kSecReturnData, kSecReturnRef],
                [kSecReturnData, kSecReturnPersistentRef],
                [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef],
            ]
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
                for wish in wishes {
                    var query: [CFString: Any] = [kSecClass: kSecClassKey, kSecMatchLimit: limit]
                    for name in wish { query[name] = true }
                    var result: CFTypeRef?
                    #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                    let dictionary = try #require((result as? [[CFString: Any]])?.first ?? result as? [CFString: Any])
                    #expect(dictionary[kSecValueData] == nil)
                    // A digest of the bytes would say something about them.
                    #expect(dictionary["sha1" as NSString] == nil)
                }
            }
            #expect(try Keys.signs(key))
        }
    }

    @Test("what it was made without the right to do, it does not do", arguments: Ground.all)
    func terms(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let made = try Keys.inEnclave([kSecPrivateKeyAttrs: [kSecAttrCanSign: false]])
            for key in [made, try Items.expectedKey([:])] {
                #expect(Refusal.ofSigning(with: key)?.status == errSecParam)
                #expect(!SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
                let other = try Keys.publicHalf(Keys.software())
                let shared = SecKeyCopyKeyExchangeResult(
                    key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, nil)
                #expect(shared?.length == 32)
            }
        }
    }
}
