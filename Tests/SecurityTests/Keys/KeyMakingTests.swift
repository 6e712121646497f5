// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyMakingTests {
    @Test("a key goes out and comes back the same", arguments: TestKey.sizes.indices)
    func roundTrip(index: Int) throws {
        let (type, bits) = TestKey.sizes[index]
        let key = try TestKey.made(type, bits)
        let other = try #require(SecKeyCopyPublicKey(key))
        #expect(TestKey.read(try TestKey.bytes(key), type, kSecAttrKeyClassPrivate) == key)
        #expect(TestKey.read(try TestKey.bytes(other), type, kSecAttrKeyClassPublic) == other)
        #expect(key != other)
        #expect(SecKeyCopyPublicKey(other) == other)
        #expect(SecKeyGetBlockSize(key) == (type == kSecAttrKeyTypeEd448 ? 57 : (bits + 7) / 8))
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        let held = [key: 1] as NSDictionary
        #expect(held[try #require(TestKey.read(try TestKey.bytes(key), type, kSecAttrKeyClassPrivate))] as? Int == 1)
    }

    @Test("a symmetric key is made, read and written", arguments: [128, 192, 256])
    func symmetric(bits: Int) throws {
        let key = try TestKey.made(kSecAttrKeyTypeAES, bits)
        let bytes = try TestKey.bytes(key)
        #expect(bytes.count == bits / 8)
        #expect(TestKey.read(bytes, kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric) == key)
        #expect(try TestKey.made(kSecAttrKeyTypeAES, bits) != key)
        #expect(SecKeyCopyPublicKey(key) == nil)
        #expect(SecKeyGetBlockSize(key) == 16)
    }

    @Test("a pair belongs together")
    func pair() throws {
        var own: SecKey?
        var other: SecKey?
        let parameters = [kSecAttrKeyType: 73, kSecAttrKeySizeInBits: "256"] as [CFString: Any] as CFDictionary
        #expect(SecKeyGeneratePair(parameters, &other, &own) == errSecSuccess)
        #expect(SecKeyCopyPublicKey(try #require(own)) == other)
        let symmetric = [kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: 128] as [CFString: Any]
        #expect(SecKeyGeneratePair(symmetric as CFDictionary, nil, nil) == errSecParam)
    }

    static var refused: [([CFString: Any], OSStatus)] {
        [
            ([:], errSecParam),
            ([kSecAttrKeyType: "1"], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeDSA, kSecAttrKeySizeInBits: 1024], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 512], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 16384], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: -1], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048.5], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: Data()], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 255], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecAttrKeySizeInBits: 255], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecPrivateKeyAttrs: 1], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecAttrIsPermanent: "yes"], errSecParam),
            (
                [
                    kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 384,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                ], errSecParam
            ),
            ([kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecAttrAccessControl: 1], errSecParam),
        ]
    }

    @Test("what cannot be made is refused", arguments: refused.indices)
    func refusals(index: Int) throws {
        let (parameters, expected) = Self.refused[index]
        let status = try KeyFailures.status { error in
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, error) == nil)
        }
        #expect(status == expected)
        var key: SecKey?
        #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, &key) == expected)
        #expect(key == nil)
    }

    @Test("a half's own attributes count before those of both")
    func merging() throws {
        let half = [kSecAttrIsPermanent: false]
        let key = try TestKey.made(
            kSecAttrKeyTypeEC, 256,
            [kSecAttrIsPermanent: true, kSecPrivateKeyAttrs: half, kSecPublicKeyAttrs: half])
        #expect(SecKeyGetBlockSize(key) == 32)
    }
}
