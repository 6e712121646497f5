// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyUseTests {
    private let data = Data("a message".utf8) as CFData

    @Test("every algorithm that a key supports works, and every other is refused")
    func everyAlgorithm() throws {
        var worked = Set<SecKeyAlgorithm>()
        for (type, bits) in [(kSecAttrKeyTypeRSA, 2048)] + TestKey.sizes.dropFirst() {
            let key = try TestKey.made(type, bits)
            let other = try #require(SecKeyCopyPublicKey(key))
            for (algorithm, name) in AlgorithmNames.all {
                let isOfKey = try use(key, other, algorithm, name)
                if isOfKey { worked.insert(algorithm) }
            }
        }
        #expect(worked.count == 98 - 5, "all but what is unavailable, and AES")
    }

    private func use(_ key: SecKey, _ other: SecKey, _ algorithm: SecKeyAlgorithm, _ name: String) throws -> Bool {
        if SecKeyIsAlgorithmSupported(key, .sign, algorithm) {
            let input = name.contains("digest") ? digest(name) : data
            let signature = try #require(SecKeyCreateSignature(key, algorithm, input, nil), "\(name)")
            #expect(SecKeyVerifySignature(other, algorithm, input, signature, nil), "\(name)")
            let wrong = NSMutableData(data: signature as Data)
            wrong.mutableBytes.storeBytes(of: wrong.bytes.load(as: UInt8.self) ^ 0x11, as: UInt8.self)
            let status = try KeyFailures.status { error in
                #expect(!SecKeyVerifySignature(other, algorithm, input, wrong, error))
            }
            #expect(status == errSecVerifyFailed, "\(name)")
            return true
        }
        #expect(try KeyFailures.status { _ = SecKeyCreateSignature(key, algorithm, data, $0) } == errSecParam)
        if SecKeyIsAlgorithmSupported(other, .encrypt, algorithm) {
            let raw = name.hasSuffix("raw") || name.hasSuffix("raw-cc")
            let sealed = try #require(SecKeyCreateEncryptedData(other, algorithm, data, nil), "\(name)")
            let plain = try #require(SecKeyCreateDecryptedData(key, algorithm, sealed, nil), "\(name)") as Data
            #expect(raw ? plain.count >= data.length : plain == data as Data, "\(name)")
            let short = try KeyFailures.status { _ = SecKeyCreateDecryptedData(key, algorithm, data, $0) }
            #expect(short == (raw ? 0 : errSecParam), "\(name)")
            return true
        }
        #expect(try KeyFailures.status { _ = SecKeyCreateEncryptedData(other, algorithm, data, $0) } == errSecParam)
        #expect(try KeyFailures.status { _ = SecKeyCreateDecryptedData(key, algorithm, data, $0) } == errSecParam)
        let sizes = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 40] as CFDictionary
        let secret = SecKeyCopyKeyExchangeResult(key, algorithm, other, sizes, nil)
        #expect((secret != nil) == SecKeyIsAlgorithmSupported(key, .keyExchange, algorithm), "\(name)")
        return secret != nil
    }

    /// As many zeros as the algorithm's digest has bytes.
    private func digest(_ name: String) -> CFData {
        let sizes = ["MD5": 16, "SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
        let part = name.split(separator: ":").dropFirst(4).first.map(String.init) ?? "SHA256"
        return Data(count: sizes[part] ?? 32) as CFData
    }

    @Test("a digest of another size is refused")
    func wrongDigest() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256
        #expect(try KeyFailures.status { _ = SecKeyCreateSignature(key, algorithm, data, $0) } == errSecParam)
        let unknown = SecKeyAlgorithm(rawValue: "algid:sign:none")
        #expect(try KeyFailures.status { _ = SecKeyCreateSignature(key, unknown, data, $0) } == errSecParam)
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, unknown))
    }

    @Test("a private RSA key is said to verify, and a public one decrypts only without padding")
    func oddities() throws {
        let key = try TestKey.made(kSecAttrKeyTypeRSA, 1024)
        let other = try #require(SecKeyCopyPublicKey(key))
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        #expect(SecKeyIsAlgorithmSupported(key, .verify, algorithm))
        let signature = try #require(SecKeyCreateSignature(key, algorithm, data, nil))
        let status = try KeyFailures.status { _ = SecKeyVerifySignature(key, algorithm, data, signature, $0) }
        #expect(status == errSecParam)
        #expect(SecKeyIsAlgorithmSupported(other, .decrypt, .rsaEncryptionRaw))
        #expect(SecKeyCreateDecryptedData(other, .rsaEncryptionRaw, signature, nil)?.length == 128)
        #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, .rsaEncryptionPKCS1))
    }

    @Test("a symmetric key seals and opens, and sees every change")
    func symmetric() throws {
        let key = try TestKey.made(kSecAttrKeyTypeAES, 256)
        for plain in [data, NSData()] {
            let sealed = try #require(SecKeyCreateEncryptedData(key, .aesEncryptionGCM, plain, nil))
            #expect(sealed.length == plain.length + 28)
            #expect(SecKeyCreateDecryptedData(key, .aesEncryptionGCM, sealed, nil) as Data? == plain as Data)
            var changed = sealed as Data
            changed[12] ^= 1
            let status = try KeyFailures.status { error in
                _ = SecKeyCreateDecryptedData(key, .aesEncryptionGCM, changed as CFData, error)
            }
            #expect(status == errSecParam)
        }
    }

    @Test("both sides derive the same; what the derivation needs must be given, and right")
    func exchange() throws {
        let mine = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let yours = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let myPublic = try #require(SecKeyCopyPublicKey(mine))
        let yourPublic = try #require(SecKeyCopyPublicKey(yours))
        let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
        let named =
            [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: 48,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data([7]),
            ] as [CFString: Any] as CFDictionary
        let typed =
            [SecKeyKeyExchangeParameter.requestedSize: 48, .sharedInfo: Data([7])]
            as [SecKeyKeyExchangeParameter: Any] as CFDictionary
        let one = SecKeyCopyKeyExchangeResult(mine, algorithm, yourPublic, named, nil)
        #expect(one?.length == 48)
        #expect(one as Data? == SecKeyCopyKeyExchangeResult(yours, algorithm, myPublic, typed, nil) as Data?)
        let bad: [[String: Any]] = [
            [:], ["requestedSize": "x"], ["requestedSize": 0], ["requestedSize": -1], ["requestedSize": true],
            ["requestedSize": 32, "sharedInfo": "text"],
        ]
        for parameters in bad {
            let status = try KeyFailures.status { error in
                _ = SecKeyCopyKeyExchangeResult(mine, algorithm, yourPublic, parameters as CFDictionary, error)
            }
            #expect(status == errSecParam)
        }
        let large = try #require(SecKeyCopyPublicKey(try TestKey.made(kSecAttrKeyTypeEC, 384)))
        for other in [large, yours] {
            let status = try KeyFailures.status { error in
                _ = SecKeyCopyKeyExchangeResult(mine, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, error)
            }
            #expect(status == errSecParam)
        }
    }
}
