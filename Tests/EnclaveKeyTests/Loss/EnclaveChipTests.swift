// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSwtpm
import Testing

/// What happens to a TPM, and to its keys with it.
@Suite struct EnclaveChipTests {
    @Test("a key of one keychain is of no use in another, though both have the same TPM", .enabled(if: Ground.hasTPM))
    func sameTPM() throws {
        let scene = try Scene(.tpm)
        let chip = try #require(scene.chip)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = try IsolatedKeychain(.folder(folder), hardware: .tpm(connection: chip.connection))
        defer { other.reopen() }
        let key = try scene.use { try Keys.inEnclave([kSecAttrLabel: "first"]) }
        let strange = try other.use { try Keys.inEnclave([kSecAttrLabel: "second"]) }
        #expect(other.use { Items.key([kSecAttrLabel: "first"]) } == nil)
        #expect(other.use { Items.key([kSecValueRef: key]) } == nil)
        #expect(try Keys.signs(key) && Keys.signs(strange))
        // Clearing it takes both.
        try scene.loseEnclave()
        other.reopen()
        for gone in [key, strange] {
            #expect(EnclaveLossTests.isLoss(Refusal.ofSigning(with: gone), "TPM was cleared"))
        }
    }

    @Test("a TPM that does not answer is no loss: when it does again, so do its keys", .enabled(if: Ground.hasTPM))
    func silent() throws {
        let scene = try Scene(.tpm)
        let key = try scene.use { try Keys.inEnclave() }
        try scene.chip?.stop()
        let refusal = Refusal.ofSigning(with: key)
        #expect(refusal?.status == errSecNotAvailable && refusal?.text.contains("does not answer") == true)
        try scene.chip?.start()
        #expect(try Keys.signs(key))
        // Nor is a power cut.
        scene.chip?.kill()
        try scene.chip?.start()
        #expect(try Keys.signs(key))
    }

    @Test("a keychain that moves out of it leaves its keys behind, if that is wanted", .enabled(if: Ground.hasTPM))
    func moved() throws {
        let scene = try Scene(.tpm)
        let key = try scene.use { try Keys.inEnclave([kSecAttrLabel: "left behind"]) }
        try scene.use {
            let named = try Llavero.keybag.enclaveKeys()
            let reference = try #require(named.first)
            #expect(named.count == 1 && Items.key([kSecValuePersistentRef: reference]) == key)
            func move(_ abandons: Bool) throws {
                _ = try Llavero.keybag.move(
                    Llavero.Keybag.Move(
                        to: .software, passcode: nil, abandonsEnclaveKeys: abandons, recoveryKey: .refused),
                    currentPasscode: nil)
            }
            #expect(throws: LlaveroError.self) { try move(false) }
            #expect(try Keys.signs(key))
            try move(true)
            #expect(EnclaveLossTests.isLoss(Refusal.ofSigning(with: key), "another enclave"))
            #expect(try Keys.signs(Keys.inEnclave()))
        }
    }
}
