// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A software key whose access control is one for keys of the enclave (decision D32).
@Suite struct EnclaveTermTests {
    private static var kinds: [(CFString, Int)] {
        [(kSecAttrKeyTypeRSA, 2048), (kSecAttrKeyTypeEC, 256), (kSecAttrKeyTypeEd25519, 256)]
    }

    /// What every use of the key says.
    private static func statuses(_ key: SecKey) throws -> [OSStatus] {
        let data = Data([1]) as CFData
        let other = try Keys.publicHalf(Keys.software())
        let signing: [SecKeyAlgorithm] = [
            .rsaSignatureMessagePSSSHA256, .ecdsaSignatureMessageX962SHA256, .edDSASignatureMessageCurve25519SHA512,
        ]
        let decrypting: [SecKeyAlgorithm] = [.rsaEncryptionOAEPSHA256, .eciesEncryptionStandardX963SHA256AESGCM]
        for algorithm in signing { #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm)) }
        for algorithm in decrypting { #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, algorithm)) }
        return signing.map { algorithm in Refusal.status { _ = SecKeyCreateSignature(key, algorithm, data, $0) } }
            + decrypting.map { algorithm in Refusal.status { _ = SecKeyCreateDecryptedData(key, algorithm, data, $0) } }
            + [
                Refusal.status { error in
                    _ = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, error)
                }
            ]
    }

    @Test(
        "it is stored and found, and does nothing; its public half is as any other", arguments: Ground.all, [0, 1, 2])
    func stored(ground: Ground, index: Int) throws {
        let (type, bits) = Self.kinds[index]
        let scene = try Scene(ground)
        try scene.use {
            let own: [CFString: Any] = [kSecAttrAccessControl: try Keys.control(.privateKeyUsage)]
            let made = try Keys.made([
                kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits, kSecAttrIsPermanent: true,
                kSecPrivateKeyAttrs: own, kSecPublicKeyAttrs: [kSecAttrIsPermanent: false], kSecAttrLabel: "made",
            ])
            let loose = try Keys.software(type, bits)
            let add = own.merging([kSecValueRef: loose, kSecAttrLabel: "added"]) { $1 }
            #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
            let found = try ["made", "added"].map { try Items.expectedKey([kSecAttrLabel: $0]) }
            for key in [made] + found {
                #expect(Set(try Self.statuses(key)) == [errSecParam])
                let explanation = Refusal.ofSigning(with: key)?.text ?? ""
                #expect(explanation.contains("enclave"))
                #expect(try Keys.bytes(Keys.publicHalf(key)).count > 0)
            }
            let algorithm: SecKeyAlgorithm =
                index == 0
                ? .rsaSignatureMessagePSSSHA256
                : index == 1 ? .ecdsaSignatureMessageX962SHA256 : .edDSASignatureMessageCurve25519SHA512
            let message = Data("text".utf8) as CFData
            // The one that was not stored has no terms, and its half is the same as the stored one's.
            let signature = try #require(SecKeyCreateSignature(loose, algorithm, message, nil))
            let half = try Keys.publicHalf(found[1])
            #expect(SecKeyVerifySignature(half, algorithm, message, signature, nil))
            #expect(Items.countKeys() == 2)
            #expect(Items.delete([kSecClass: kSecClassKey]) == errSecSuccess)
        }
        #expect(try scene.keychain.check() == [])
    }
}
