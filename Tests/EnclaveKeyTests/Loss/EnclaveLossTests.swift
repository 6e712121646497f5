// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys whose enclave is gone: the TPM was cleared, the device key is lost, or the folder is on another machine.
@Suite struct EnclaveLossTests {
    /// What says of a loss that it is one, and which: neither a wrong call nor a missing item says so.
    static func isLoss(_ refusal: Refusal?, _ words: String) -> Bool {
        refusal?.status == errSecNotAvailable && refusal?.text.contains(words) == true
    }

    private static func word(_ ground: Ground) -> String {
        ground == .tpm ? "TPM was cleared" : "device key is missing"
    }

    @Test("stored keys and loose ones say that their enclave is lost", arguments: Ground.onDisk)
    func lost(ground: Ground) throws {
        let scene = try Scene(ground)
        let (key, loose) = try scene.use { (try Keys.inEnclave(), try Keys.inEnclave([kSecAttrIsPermanent: false])) }
        try scene.loseEnclave()
        for gone in [key, loose] {
            let refusal = Refusal.ofSigning(with: gone)
            #expect(Self.isLoss(refusal, Self.word(ground)), "\(refusal?.description ?? "it signs")")
        }
        scene.use {
            let found = Items.find([kSecClass: kSecClassKey], kSecReturnRef)
            #expect(found.status == errSecNotAvailable && found.result == nil)
            let parameters = Keys.ofEnclave as CFDictionary
            #expect(Self.isLoss(Refusal.of { _ = SecKeyCreateRandomKey(parameters, $0) }, Self.word(ground)))
        }
    }

    @Test(
        "after a recovery the keys of the old enclave are still there and say that they are another's",
        arguments: Ground.onDisk, [false, true])
    func recovered(ground: Ground, hasPasscode: Bool) throws {
        let scene = try Scene(ground)
        let words = try scene.use { () throws -> String in
            _ = try Llavero.createKeychain(in: scene.enclave, recoveryKey: .refused)
            let passcode = hasPasscode ? try Llavero.Passcode("first") : nil
            if let passcode { try Llavero.keybag.setPasscode(passcode, erasingAfter: nil) }
            return try Llavero.keybag.makeRecoveryKey(passcode: passcode).words
        }
        let (key, loose, software) = try scene.use {
            (
                try Keys.inEnclave([kSecAttrLabel: "old"]), try Keys.inEnclave([kSecAttrIsPermanent: false]),
                try Keys.made([
                    kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrLabel: "software",
                    kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true], kSecAttrIsExtractable: false,
                ])
            )
        }
        try scene.loseEnclave()
        try scene.use {
            try Llavero.keybag.recover(
                with: Llavero.RecoveryKey(words: words), into: scene.enclave,
                passcode: hasPasscode ? Llavero.Passcode("second") : nil)
            for gone in [key, loose, try Items.expectedKey([kSecAttrLabel: "old"])] {
                let refusal = Refusal.ofSigning(with: gone)
                #expect(Self.isLoss(refusal, "another enclave"), "\(refusal?.description ?? "it signs")")
                let other = try Keys.publicHalf(Keys.software())
                let agreement = Refusal.of { error in
                    _ = SecKeyCopyKeyExchangeResult(gone, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, error)
                }
                #expect(Self.isLoss(agreement, "another enclave"), "\(agreement?.description ?? "it agrees")")
                let encryption = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
                let half = try Keys.publicHalf(gone)
                let sealed = try #require(SecKeyCreateEncryptedData(half, encryption, Data([1]) as CFData, nil))
                let decryption = Refusal.of { _ = SecKeyCreateDecryptedData(gone, encryption, sealed, $0) }
                #expect(Self.isLoss(decryption, "another enclave"), "\(decryption?.description ?? "it decrypts")")
            }
            // What is not the enclave's came along.
            #expect(try Keys.signs(software))
            #expect(try Keys.signs(try Items.expectedKey([kSecAttrLabel: "software"])))
            let fresh = try Keys.inEnclave([kSecAttrLabel: "new"])
            #expect(try Keys.signs(fresh))
            #expect(try Llavero.keybag.enclaveKeys().count == 2)
            #expect(Items.delete([kSecClass: kSecClassKey, kSecAttrLabel: "old"]) == errSecSuccess)
        }
        #expect(Refusal.ofSigning(with: key)?.status == errSecItemNotFound)
        #expect(try scene.keychain.check() == [])
    }

    @Test("a copy of the folder on another machine uses none of them, and the original all", arguments: Ground.onDisk)
    func copied(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let copy = try scene.copied()
        let word = ground == .tpm ? "another TPM" : "device key is missing"
        copy.use {
            #expect(Items.key([:]) == nil)
            let parameters = Keys.ofEnclave as CFDictionary
            let refusal = Refusal.of { _ = SecKeyCreateRandomKey(parameters, $0) }
            #expect(Self.isLoss(refusal, word), "\(refusal?.description ?? "a key")")
        }
        #expect(try Keys.signs(key))
    }
}
