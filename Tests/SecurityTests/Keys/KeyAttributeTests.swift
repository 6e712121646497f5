// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyAttributeTests {
    // The columns of semantics §11.2: encr decr drve sign vrfy wrap unwp.
    static var table: [(CFString, Int, own: String, other: String)] {
        [
            (kSecAttrKeyTypeRSA, 1024, "0101001", "1100110"), (kSecAttrKeyTypeEC, 256, "0111001", "1000110"),
            (kSecAttrKeyTypeEd25519, 256, "0001000", "0000100"), (kSecAttrKeyTypeX25519, 256, "0010000", "0000000"),
        ]
    }
    static var names: [CFString] {
        [
            kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify,
            kSecAttrCanWrap, kSecAttrCanUnwrap,
        ]
    }

    @Test("the attributes say what a key is and does", arguments: table.indices)
    func attributes(index: Int) throws {
        let (type, bits, ownRoles, otherRoles) = Self.table[index]
        let key = try TestKey.made(type, bits)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let own = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        let other = try #require(SecKeyCopyAttributes(publicKey) as? [CFString: Any])
        #expect(Self.names.map { own[$0] as? Bool == true ? "1" : "0" }.joined() == ownRoles)
        #expect(Self.names.map { other[$0] as? Bool == true ? "1" : "0" }.joined() == otherRoles)
        #expect(own[kSecAttrKeyClass] as? String == "1" && other[kSecAttrKeyClass] as? String == "0")
        #expect(own[kSecAttrApplicationLabel] as? Data == other[kSecAttrApplicationLabel] as? Data)
        #expect((own[kSecAttrApplicationLabel] as? Data)?.count == 20)
        #expect(own[kSecValueData] as? Data == (try TestKey.bytes(key)))
        #expect(other[kSecValueData] as? Data == (try TestKey.bytes(publicKey)))
        for attributes in [own, other] {
            #expect(attributes[kSecClass] as? String == kSecClassKey as String)
            #expect(attributes[kSecAttrKeyType] as? String == type as String)
            #expect(attributes[kSecAttrKeySizeInBits] as? Int == bits)
            #expect(attributes[kSecAttrEffectiveKeySize] as? Int == bits)
            for name in [kSecAttrIsPermanent, kSecAttrIsPrivate, kSecAttrIsModifiable, kSecAttrIsExtractable] {
                #expect(attributes[name] as? Bool == true)
            }
            let no = [
                kSecAttrIsSensitive, kSecAttrWasAlwaysSensitive, kSecAttrWasNeverExtractable,
                kSecAttrCanSignRecover, kSecAttrCanVerifyRecover,
            ]
            for name in no { #expect(attributes[name] as? Bool == false) }
        }
    }

    @Test("a key prints nothing of itself")
    func printing() throws {
        let key = try TestKey.made(kSecAttrKeyTypeAES, 128)
        #expect("\(key)" == "SecKey(aes, symmetric, 128 bits)")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }

    @Test("a key keeps to what it was made for")
    func terms() throws {
        let more: [CFString: Any] = [
            kSecAttrCanSign: false, kSecPublicKeyAttrs: [kSecAttrCanVerify: false], kSecAttrIsExtractable: false,
        ]
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256, more)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let data = Data([1]) as CFData
        #expect(try KeyFailures.status { _ = SecKeyCreateSignature(key, algorithm, data, $0) } == errSecParam)
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
        let other = try #require(SecKeyCopyPublicKey(key))
        #expect(!SecKeyIsAlgorithmSupported(other, .verify, algorithm))
        #expect(try KeyFailures.status { _ = SecKeyVerifySignature(other, algorithm, data, data, $0) } == errSecParam)
        #expect(try KeyFailures.status { _ = SecKeyCopyExternalRepresentation(key, $0) } == errSecUnimplemented)
        #expect(SecKeyCopyExternalRepresentation(other, nil) != nil)
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        #expect(attributes[kSecValueData] == nil)
        #expect(attributes[kSecAttrCanSign] as? Bool == false)
        #expect(attributes[kSecAttrIsExtractable] as? Bool == false)
        let sensitive = try TestKey.made(kSecAttrKeyTypeAES, 128, [kSecAttrIsSensitive: true])
        #expect(try KeyFailures.status { _ = SecKeyCopyExternalRepresentation(sensitive, $0) } == errSecUnimplemented)
    }

    @Test("a key whose access control is for the enclave refuses every use; one that asks for a person is not made")
    func accessControl() throws {
        func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
            try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
        }
        let own = [kSecAttrAccessControl: try control(.privateKeyUsage)]
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: own])
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let data = Data([1]) as CFData
        #expect(try KeyFailures.status { _ = SecKeyCreateSignature(key, algorithm, data, $0) } == errSecParam)
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
            kSecAttrAccessControl: try control(.userPresence),
        ]
        let status = try KeyFailures.status { _ = SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
        #expect(status == errSecUnimplemented)
    }
}
