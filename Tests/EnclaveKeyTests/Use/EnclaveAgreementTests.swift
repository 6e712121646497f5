// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Secrets that a key of the enclave shares with one outside, and texts encrypted to it.
@Suite struct EnclaveAgreementTests {
    private static let derivations: [SecKeyAlgorithm] = [
        .ecdhKeyExchangeStandardX963SHA1, .ecdhKeyExchangeStandardX963SHA224, .ecdhKeyExchangeStandardX963SHA256,
        .ecdhKeyExchangeStandardX963SHA384, .ecdhKeyExchangeStandardX963SHA512, .ecdhKeyExchangeCofactorX963SHA1,
        .ecdhKeyExchangeCofactorX963SHA224, .ecdhKeyExchangeCofactorX963SHA256, .ecdhKeyExchangeCofactorX963SHA384,
        .ecdhKeyExchangeCofactorX963SHA512,
    ]

    private static let encryptions: [SecKeyAlgorithm] = [
        .eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionStandardX963SHA224AESGCM,
        .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionStandardX963SHA384AESGCM,
        .eciesEncryptionStandardX963SHA512AESGCM, .eciesEncryptionCofactorX963SHA1AESGCM,
        .eciesEncryptionCofactorX963SHA224AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM,
        .eciesEncryptionCofactorX963SHA384AESGCM, .eciesEncryptionCofactorX963SHA512AESGCM,
        .eciesEncryptionStandardVariableIVX963SHA224AESGCM, .eciesEncryptionStandardVariableIVX963SHA256AESGCM,
        .eciesEncryptionStandardVariableIVX963SHA384AESGCM, .eciesEncryptionStandardVariableIVX963SHA512AESGCM,
        .eciesEncryptionCofactorVariableIVX963SHA224AESGCM, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
        .eciesEncryptionCofactorVariableIVX963SHA384AESGCM, .eciesEncryptionCofactorVariableIVX963SHA512AESGCM,
    ]

    private static func secret(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ other: SecKey, _ parameters: [String: Any] = [:]
    ) -> Data? {
        SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters as CFDictionary, nil) as Data?
    }

    @Test("both sides come to the same secret, with every derivation", arguments: Ground.all)
    func agreement(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let other = try Keys.software()
        let (ours, theirs) = (try Keys.publicHalf(key), try Keys.publicHalf(other))
        for algorithm in [SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor] {
            let shared = try #require(Self.secret(key, algorithm, theirs))
            #expect(shared.count == 32 && shared == Self.secret(other, algorithm, ours))
            #expect(shared != Self.secret(other, algorithm, theirs))
        }
        for (index, algorithm) in Self.derivations.enumerated() {
            let parameters: [String: Any] = ["requestedSize": 17 + 16 * index, "sharedInfo": Data([UInt8(index)])]
            let derived = try #require(Self.secret(key, algorithm, theirs, parameters), "\(algorithm.rawValue)")
            #expect(derived.count == 17 + 16 * index)
            #expect(derived == Self.secret(other, algorithm, ours, parameters), "\(algorithm.rawValue)")
            #expect(Self.secret(key, algorithm, theirs) == nil, "a size is needed")
        }
    }

    @Test("two keys of the enclave agree too", arguments: Ground.all)
    func amongThemselves(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let (one, two) = (try Keys.inEnclave(), try Keys.inEnclave([kSecAttrIsPermanent: false]))
            let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandard
            let shared = try #require(Self.secret(one, algorithm, Keys.publicHalf(two)))
            #expect(try shared == Self.secret(two, algorithm, Keys.publicHalf(one)))
        }
    }

    @Test("a key of another curve, a private one, or none of a curve is refused", arguments: Ground.all)
    func wrongPartners(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let partners = [
            try Keys.publicHalf(Keys.software(kSecAttrKeyTypeEC, 384)), try Keys.software(),
            try Keys.publicHalf(Keys.software(kSecAttrKeyTypeX25519, 256)),
            try Keys.publicHalf(Keys.software(kSecAttrKeyTypeRSA, 1024)),
            try Keys.software(kSecAttrKeyTypeAES, 256),
        ]
        for partner in partners {
            let status = Refusal.status { error in
                _ = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, partner, [:] as CFDictionary, error)
            }
            #expect(status == errSecParam, "\(partner)")
        }
    }

    @Test("what anybody encrypts to it, it decrypts, with every algorithm", arguments: Ground.all)
    func decryption(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        // From the bytes alone, as somebody else has it.
        let bytes = try Keys.bytes(Keys.publicHalf(key))
        let other = try #require(Keys.read(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic))
        for (index, algorithm) in Self.encryptions.enumerated() {
            #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
            let plain = Data((0..<index * 37).map { UInt8(truncatingIfNeeded: $0) })
            let sealed = try #require(SecKeyCreateEncryptedData(other, algorithm, plain as CFData, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) as Data? == plain, "\(algorithm.rawValue)")
        }
    }

    @Test("it sees every change in what was encrypted to it, and does not say which", arguments: Ground.all)
    func changes(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        let other = try Keys.publicHalf(key)
        let sealed = try #require(SecKeyCreateEncryptedData(other, algorithm, Data("text".utf8) as CFData, nil)) as Data
        let changed = sealed.indices.map { index in
            var copy = sealed
            copy[index] ^= 0x10
            return copy
        }
        let stranger = try Keys.publicHalf(Keys.software())
        let foreign = try #require(SecKeyCreateEncryptedData(stranger, algorithm, Data("text".utf8) as CFData, nil))
        let refusals = (changed + [foreign as Data]).map { input in
            Refusal.of { _ = SecKeyCreateDecryptedData(key, algorithm, input as CFData, $0) }
        }
        #expect(refusals.allSatisfy { $0?.status == errSecParam && $0 == refusals.first })
        for count in [0, 64, 65, 80] {
            let short = sealed.prefix(count) as CFData
            #expect(Refusal.status { _ = SecKeyCreateDecryptedData(key, algorithm, short, $0) } == errSecParam)
        }
        // And encrypts nothing: that is the public half's part.
        #expect(Refusal.status { _ = SecKeyCreateEncryptedData(key, algorithm, sealed as CFData, $0) } == errSecParam)
    }
}
