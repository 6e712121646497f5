// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyReadingTests {
    private static let point = Data(
        hex: "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    private static let scalar = Data(hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")

    private func status(_ data: Data, _ attributes: [CFString: Any]) throws -> OSStatus {
        try KeyFailures.status { error in
            #expect(SecKeyCreateWithData(data as CFData, attributes as CFDictionary, error) == nil)
        }
    }

    @Test("types and classes are taken as numbers and as strings")
    func spellings() throws {
        let whole = Self.point + Self.scalar
        for (type, part) in [("73", "1"), (73, 1), (NSNumber(value: 73), "1")] as [(Any, Any)] {
            let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: part, kSecAttrKeySizeInBits: 7]
            let key = SecKeyCreateWithData(whole as CFData, attributes as CFDictionary, nil)
            #expect(try TestKey.bytes(#require(key)) == whole)
        }
    }

    @Test("bytes that are no key are refused")
    func malformed() throws {
        var flipped = Self.point
        flipped[40] ^= 1
        var wrongScalar = Self.point + Self.scalar
        wrongScalar[96] ^= 1
        let bad = [
            Data(), Data([4]), Self.point + [0], Self.point.dropLast(), flipped, Data(count: 65),
            Data(count: 1 << 20),
        ]
        for data in bad {
            #expect(try status(data, [kSecAttrKeyType: "73", kSecAttrKeyClass: "0"]) == errSecParam)
            #expect(try status(data, [kSecAttrKeyType: "42", kSecAttrKeyClass: "1"]) == errSecParam)
        }
        for data in bad + [Self.point, wrongScalar, Self.point + Self.scalar + [0]] {
            #expect(try status(data, [kSecAttrKeyType: "73", kSecAttrKeyClass: "1"]) == errSecParam)
        }
        #expect(try status(Data(count: 15), [kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeyClass: 2]) == errSecParam)
    }

    @Test("attributes that say too little, or what cannot be, are refused")
    func attributes() throws {
        let whole = Self.point + Self.scalar
        #expect(try status(whole, [kSecAttrKeyType: "73"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyClass: "1"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyType: "74", kSecAttrKeyClass: "1"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyType: "73", kSecAttrKeyClass: "3"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyType: "73", kSecAttrKeyClass: "2"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyType: "073", kSecAttrKeyClass: "1"]) == errSecParam)
        #expect(try status(whole, [kSecAttrKeyType: true, kSecAttrKeyClass: "1"]) == errSecParam)
        let token: [CFString: Any] = [
            kSecAttrKeyType: 73, kSecAttrKeyClass: 1, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        ]
        #expect(try status(whole, token) == errSecParam)
    }
}
