// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// `kSecAttrKeyTypeMLDSA` and `kSecAttrKeyTypeMLKEM`, with an OpenSSL that has them and with one that does not.
@Suite struct LatticeSecKeyTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: String
        let bits: Int
        let publicSize: Int
        let privateSize: Int

        var parameters: CFDictionary {
            [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits] as [CFString: Any] as CFDictionary
        }
    }

    static let kinds = [
        Kind(testDescription: "ML-DSA-65", type: "111", bits: 65, publicSize: 1952, privateSize: 4032),
        Kind(testDescription: "ML-DSA-87", type: "111", bits: 87, publicSize: 2592, privateSize: 4896),
        Kind(testDescription: "ML-KEM-768", type: "110", bits: 768, publicSize: 1184, privateSize: 2400),
        Kind(testDescription: "ML-KEM-1024", type: "110", bits: 1024, publicSize: 1568, privateSize: 3168),
    ]

    /// Whether OpenSSL is 3.5 or newer.
    static let areOffered = SecKeyCreateRandomKey(kinds[0].parameters, nil) != nil

    @Test("without OpenSSL 3.5 no key is made or read", .enabled(if: !areOffered), arguments: kinds)
    func refused(kind: Kind) throws {
        let made = try KeyFailures.status { #expect(SecKeyCreateRandomKey(kind.parameters, $0) == nil) }
        #expect(made == errSecUnimplemented)
        var error: Unmanaged<CFError>?
        let attributes = [kSecAttrKeyType: kind.type, kSecAttrKeyClass: kSecAttrKeyClassPublic] as [CFString: Any]
        let bytes = Data(count: kind.publicSize) as CFData
        #expect(SecKeyCreateWithData(bytes, attributes as CFDictionary, &error) == nil)
        let refusal = try #require(error?.takeRetainedValue())
        #expect(CFErrorGetCode(refusal) == Int(errSecUnimplemented))
        #expect("\(refusal)".contains("OpenSSL 3.5"))
    }

    @Test(
        "sizes that there are not are refused with every OpenSSL", arguments: [("111", 44), ("111", 256), ("110", 512)])
    func sizes(type: String, bits: Int) throws {
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits] as [CFString: Any] as CFDictionary
        let status = try KeyFailures.status { #expect(SecKeyCreateRandomKey(parameters, $0) == nil) }
        #expect(status == errSecParam)
    }

    @Test("a key goes out and comes back the same", .enabled(if: areOffered), arguments: kinds)
    func roundTrip(kind: Kind) throws {
        let key = try #require(SecKeyCreateRandomKey(kind.parameters, nil))
        let other = try #require(SecKeyCopyPublicKey(key))
        let (bytes, publicBytes) = (try TestKey.bytes(key), try TestKey.bytes(other))
        #expect(publicBytes.count == kind.publicSize && bytes.count == kind.publicSize + kind.privateSize)
        #expect(bytes.prefix(kind.publicSize) == publicBytes)
        #expect(TestKey.read(bytes, kind.type as CFString, kSecAttrKeyClassPrivate) == key)
        #expect(TestKey.read(publicBytes, kind.type as CFString, kSecAttrKeyClassPublic) == other)
        #expect(SecKeyGetBlockSize(key) == kind.privateSize && SecKeyGetBlockSize(other) == kind.publicSize)
        let attributes = try #require(SecKeyCopyAttributes(key))
        #expect(attributes[kSecAttrKeyType] as? String == kind.type)
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == kind.bits)
        #expect(attributes[kSecAttrCanSign] as? Bool == (kind.type == "111"))
        let asPrivate = [kSecAttrKeyType: kind.type, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as [CFString: Any]
        let status = try KeyFailures.status { error in
            let read = SecKeyCreateWithData(bytes.dropLast() as NSData, asPrivate as CFDictionary, error)
            #expect(read == nil)
        }
        #expect(status == errSecParam)
    }

    @Test("without a size it is the smaller one", .enabled(if: areOffered), arguments: [("111", 65), ("110", 768)])
    func usual(type: String, bits: Int) throws {
        let parameters = [kSecAttrKeyType: type] as [CFString: Any] as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(parameters, nil))
        #expect(SecKeyCopyAttributes(key)?[kSecAttrKeySizeInBits] as? Int == bits)
    }

    @Test("ML-DSA signs a message", .enabled(if: areOffered), arguments: kinds.prefix(2))
    func signs(kind: Kind) throws {
        let key = try #require(SecKeyCreateRandomKey(kind.parameters, nil))
        let other = try #require(SecKeyCopyPublicKey(key))
        let message = Data("a message".utf8) as CFData
        #expect(SecKeyIsAlgorithmSupported(key, .sign, .mldsaSignatureMessage))
        #expect(SecKeyIsAlgorithmSupported(other, .verify, .mldsaSignatureMessage))
        #expect(!SecKeyIsAlgorithmSupported(key, .verify, .mldsaSignatureMessage))
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
        let signature = try #require(SecKeyCreateSignature(key, .mldsaSignatureMessage, message, nil))
        #expect(SecKeyVerifySignature(other, .mldsaSignatureMessage, message, signature, nil))
        let status = try KeyFailures.status { error in
            #expect(!SecKeyVerifySignature(other, .mldsaSignatureMessage, Data() as CFData, signature, error))
        }
        #expect(status == errSecVerifyFailed)
    }
}
