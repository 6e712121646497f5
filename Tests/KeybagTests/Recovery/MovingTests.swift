// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import TestSwtpm
import Testing

/// Keychains that move from one enclave into another, their items untouched.
@Suite(.enabled(if: Ground.hasTPM)) struct MovingTests {
    /// What a keychain has when it moves, and what its owner gives.
    enum Manner: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case withoutPasscode = "no passcode"
        case withPasscode = "the passcode, locked"
        case withNewPasscode = "a new passcode, unlocked"
        case withBoth = "a new passcode, and the old one, locked"

        var testDescription: String { rawValue }
        var protections: [Protection] { self == .withoutPasscode ? Protection.withoutPasscode : Protection.allCases }
    }

    private static func move(
        to enclave: Llavero.Enclave, passcode: Llavero.Passcode?, recovery: Llavero.RecoveryKeyChoice = .refused
    ) -> Llavero.Keybag.Move {
        Llavero.Keybag.Move(to: enclave, passcode: passcode, abandonsEnclaveKeys: false, recoveryKey: recovery)
    }

    @Test(
        "from software into a TPM and back every item goes along, whichever way it is opened",
        arguments: Manner.allCases)
    func thereAndBack(manner: Manner) throws {
        let scene = try Scene(softwareBeside: SwtpmProcess())
        let program = scene.program
        if manner != .withoutPasscode { try program.setPasscode(try Passcodes.first()) }
        let items = TestItem.each("item", of: manner.protections)
        for item in items { #expect(program.add(item) == errSecSuccess) }
        let blobs = try scene.intruder().blobs()
        var passcode = manner == .withoutPasscode ? nil : try Passcodes.first()
        for (enclave, next) in [(Llavero.Enclave.tpm, try Passcodes.second()), (.software, try Passcodes.first())] {
            program.reopen()
            let old = passcode
            switch manner {
            case .withoutPasscode:
                _ = try program.keybag { try $0.move(Self.move(to: enclave, passcode: nil), currentPasscode: nil) }
            case .withPasscode:
                _ = try program.keybag { try $0.move(Self.move(to: enclave, passcode: old), currentPasscode: old) }
                #expect(try program.lockState() == .beforeFirstUnlock)
            case .withNewPasscode:
                try program.unlock(try #require(old))
                // Whoever finds it unlocked cannot give it a passcode of their own.
                #expect(
                    program.status { try $0.move(Self.move(to: enclave, passcode: next), currentPasscode: nil) }
                        == errSecInteractionNotAllowed)
                _ = try program.keybag { try $0.move(Self.move(to: enclave, passcode: next), currentPasscode: old) }
                passcode = next
                #expect(try program.lockState() == .unlocked)
            case .withBoth:
                _ = try program.keybag { try $0.move(Self.move(to: enclave, passcode: next), currentPasscode: old) }
                passcode = next
            }
            try Self.expect(items, blobs, in: enclave, passcode, scene)
            if manner == .withNewPasscode || manner == .withBoth {
                program.reopen()
                let given = try #require(old)
                #expect(program.status { try $0.unlock(with: given) } == errSecAuthFailed)
                #expect(program.status { try $0.unlock(with: next) } == errSecSuccess)
            }
        }
    }

    private static func expect(
        _ items: [TestItem], _ blobs: [Int: [UInt8]], in enclave: Llavero.Enclave, _ passcode: Llavero.Passcode?,
        _ scene: Scene
    ) throws {
        let restarted = try scene.restarted()
        if let passcode { try restarted.unlock(passcode) }
        #expect(Set(restarted.find(items)) == [errSecSuccess])
        #expect(try restarted.state().enclave == enclave && restarted.state().failedAttempts == 0)
        #expect(try scene.intruder().blobs() == blobs)
        // Nothing is left of the enclave it came from.
        let files = try FileManager.default.contentsOfDirectory(atPath: scene.file())
        #expect(files.contains("device.key") == (enclave == .software))
        #expect(files.contains("device.tpm") == (enclave == .tpm))
        #expect(try restarted.check() == [])
        restarted.reopen()
    }

    @Test("a program that is unlocked stays so while another moves the keychain")
    func elsewhere() throws {
        let scene = try Scene(softwareBeside: SwtpmProcess())
        let other = try scene.anotherProgram()
        try scene.program.setPasscode(try Passcodes.first())
        for item in TestItem.each("item") { #expect(scene.program.add(item) == errSecSuccess) }
        try other.unlock(try Passcodes.first())
        let move = Self.move(to: .tpm, passcode: try Passcodes.second())
        _ = try scene.program.keybag { try $0.move(move, currentPasscode: Passcodes.first()) }
        #expect(Set(other.find(TestItem.each("item"))) == [errSecSuccess])
        #expect(other.add(TestItem("new", .akpu)) == errSecSuccess)
        #expect(try other.state().enclave == .tpm)
    }

    @Test("a recovery key is made on the way if one is wanted and there is none, and an earlier one stays good")
    func recoveryKeys() throws {
        let scene = try Scene(softwareBeside: SwtpmProcess())
        let program = scene.program
        for item in TestItem.each("item", of: Protection.withoutPasscode) {
            #expect(program.add(item) == errSecSuccess)
        }
        let made = try program.keybag {
            try $0.move(Self.move(to: .tpm, passcode: nil, recovery: .made), currentPasscode: nil)
        }
        let key = try #require(made)
        let again = try program.keybag {
            try $0.move(Self.move(to: .software, passcode: nil, recovery: .made), currentPasscode: nil)
        }
        #expect(again == nil)
        _ = try program.keybag { try $0.move(Self.move(to: .tpm, passcode: nil), currentPasscode: nil) }
        program.reopen()
        try scene.chip?.restart(clear: true)
        #expect(program.find(TestItem("item", .dk)) == errSecNotAvailable)
        try program.keybag { try $0.recover(with: key, into: .software, passcode: nil) }
        #expect(Set(program.find(TestItem.each("item", of: Protection.movable))) == [errSecSuccess])
    }

    @Test("keys that live in the enclave are named and hold the keychain back, unless they are given up")
    func enclaveKeys() throws {
        let scene = try Scene(softwareBeside: SwtpmProcess())
        let program = scene.program
        for number in 0..<2 {
            let key: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationLabel as String: Data([UInt8(number)]),
                kSecValueData as String: Data("key".utf8),
            ]
            #expect(program.keychain.use { SecItemAdd(key as CFDictionary, nil) } == errSecSuccess)
        }
        #expect(try program.keybag { try $0.enclaveKeys() } == [])
        let label: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationLabel as String: Data([1]),
        ]
        let reference = try #require(program.find(label, kSecReturnPersistentRef).result as? Data)
        // As a key will stand there that the enclave made.
        try scene.intruder().execute("update keys set tkid = 'com.apple.setoken' where rowid = 2")
        #expect(try program.keybag { try $0.enclaveKeys() } == [reference])
        let refused = program.failure { try $0.move(Self.move(to: .tpm, passcode: nil), currentPasscode: nil) }
        #expect(refused?.status == errSecNotAvailable && refused?.description.contains("1 keys") == true)
        #expect(try program.state().enclave == .software)
        let move = Llavero.Keybag.Move(
            to: .tpm, passcode: nil, abandonsEnclaveKeys: true, recoveryKey: .refused)
        _ = try program.keybag { try $0.move(move, currentPasscode: nil) }
        #expect(try program.state().enclave == .tpm)
        #expect(try scene.intruder().number("select count(*) from keys") == 2)
    }
}
