// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Software keys that may not leave do everything where they are.
@Suite struct KeptKeyUseTests {
    private static let message = Data("a message of more than one block".utf8)

    @Test("every operation works through the reference", arguments: KeptKey.allCases, KeptKey.Way.allCases)
    func use(kind: KeptKey, way: KeptKey.Way) throws {
        for ground in [Ground.memory, .folder] {
            let scene = try Scene(ground)
            let kept = try scene.use { try kind.keep(way) }
            try Self.check(kind, kept.reference, kept.outside)
            let again = try scene.restarted()
            let found = try again.use { try Items.expectedKey([kSecAttrLabel: way.rawValue]) }
            #expect(kind.isSymmetric || found == kept.reference)
            try Self.check(kind, found, kept.outside)
            // The reference from before the restart names the same item.
            again.use {
                #expect(Items.key([kSecValueRef: kept.reference]) == found)
                #expect(Items.delete([kSecClass: kSecClassKey, kSecValueRef: kept.reference]) == errSecSuccess)
                #expect(Items.countKeys() == 0)
            }
            #expect(try again.keychain.check() == [])
        }
    }

    private static func check(_ kind: KeptKey, _ key: SecKey, _ outside: SecKey?) throws {
        switch kind {
        case .rsa2048:
            try signs(key, outside, .rsaSignatureMessagePSSSHA256, .rsaSignatureMessagePKCS1v15SHA512)
            try decrypts(key, outside, .rsaEncryptionOAEPSHA256, .rsaEncryptionPKCS1, .rsaEncryptionOAEPSHA1AESGCM)
        case .p256, .p384, .p521:
            try signs(key, outside, .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageRFC4754SHA512)
            try decrypts(
                key, outside, .eciesEncryptionStandardX963SHA256AESGCM,
                .eciesEncryptionCofactorVariableIVX963SHA512AESGCM)
            try agrees(kind, key, outside, .ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactorX963SHA384)
        case .ed25519: try signs(key, outside, .edDSASignatureMessageCurve25519SHA512)
        case .x25519: try agrees(kind, key, outside, .ecdhKeyExchangeStandard, .ecdhKeyExchangeStandardX963SHA256)
        case .aes128, .aes256:
            let sealed = try #require(SecKeyCreateEncryptedData(key, .aesEncryptionGCM, message as CFData, nil))
            for opener in [key, outside ?? key] {
                #expect(SecKeyCreateDecryptedData(opener, .aesEncryptionGCM, sealed, nil) as Data? == message)
            }
        }
    }

    private static func signs(_ key: SecKey, _ outside: SecKey?, _ algorithms: SecKeyAlgorithm...) throws {
        let other = try #require(outside)
        for algorithm in algorithms {
            let signature = try #require(SecKeyCreateSignature(key, algorithm, message as CFData, nil))
            #expect(SecKeyVerifySignature(other, algorithm, message as CFData, signature, nil))
        }
    }

    private static func decrypts(_ key: SecKey, _ outside: SecKey?, _ algorithms: SecKeyAlgorithm...) throws {
        let other = try #require(outside)
        for algorithm in algorithms {
            let sealed = try #require(SecKeyCreateEncryptedData(other, algorithm, message as CFData, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) as Data? == message)
        }
    }

    private static func agrees(
        _ kind: KeptKey, _ key: SecKey, _ outside: SecKey?, _ algorithms: SecKeyAlgorithm...
    ) throws {
        let partner = try Keys.software(kind.type, kind.bits)
        let other = try #require(outside)
        let parameters = ["requestedSize": 50] as CFDictionary
        for algorithm in algorithms {
            let half = try Keys.publicHalf(partner)
            let mine = try #require(SecKeyCopyKeyExchangeResult(key, algorithm, half, parameters, nil))
            #expect(mine == SecKeyCopyKeyExchangeResult(partner, algorithm, other, parameters, nil))
        }
    }
}
