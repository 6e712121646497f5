// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct EnclaveThreadTests {
    @Test("four threads use one key at once, each for something else", arguments: Ground.all)
    func threads(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let other = try Keys.publicHalf(key)
        let partner = try Keys.software()
        let partnersHalf = try Keys.publicHalf(partner)
        let encryption = SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM
        let shared = SecKeyCopyKeyExchangeResult(partner, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, nil)
        let expected = try #require(shared as Data?)
        let keychain = scene.keychain
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<8 {
                let data = Data([UInt8(thread), UInt8(round)])
                switch (thread + round) % 4 {
                case 0: #expect((try? Keys.signs(key)) == true)
                case 1:
                    let secret = SecKeyCopyKeyExchangeResult(
                        key, .ecdhKeyExchangeStandard, partnersHalf, [:] as CFDictionary, nil)
                    #expect(secret as Data? == expected)
                case 2:
                    let sealed = SecKeyCreateEncryptedData(other, encryption, data as CFData, nil)
                    let opened = sealed.flatMap { SecKeyCreateDecryptedData(key, encryption, $0, nil) }
                    #expect(opened as Data? == data)
                default:
                    let found = keychain.use { Items.key([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) }
                    #expect(found == key)
                }
            }
        }
    }

    @Test("while one thread locks and unlocks, the others sign or are told that it is locked", arguments: Ground.all)
    func locking(ground: Ground) throws {
        let scene = try Scene(ground)
        let keychain = scene.keychain
        keychain.lockState = .locked
        keychain.lockState = .unlocked
        let keys = try scene.use {
            [
                try Keys.inEnclave(), try Keys.inEnclave([kSecAttrIsPermanent: false]),
                try Keys.inEnclave([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]),
            ]
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<10 {
                if thread == 3 {
                    keychain.lockState = .locked
                    keychain.lockState = .unlocked
                } else {
                    let status = Refusal.ofSigning(with: keys[thread])?.status
                    // Only the first is of a class that is ever locked here.
                    #expect(status == nil || thread == 0 && status == errSecInteractionNotAllowed)
                }
            }
        }
        for key in keys { #expect(try Keys.signs(key)) }
    }
}
