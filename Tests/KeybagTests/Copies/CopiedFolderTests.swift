// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm
import Testing

/// A keychain folder that somebody copied, without the device key or onto another machine.
@Suite struct CopiedFolderTests {
    /// What happens to the copy's device key.
    enum Device: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case missing = "the device key stayed behind"
        case foreign = "another keychain's device key"

        var testDescription: String { rawValue }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let ground: Ground
        let device: Device
        let hasPasscode: Bool
        var testDescription: String { "\(ground.rawValue), \(device.rawValue), passcode \(hasPasscode)" }
    }

    private static let cases = Ground.onDisk.flatMap { ground in
        Device.allCases.flatMap { device in
            [false, true].map { Case(ground: ground, device: device, hasPasscode: $0) }
        }
    }

    private static func items(_ hasPasscode: Bool) -> [TestItem] {
        TestItem.each("item", of: hasPasscode ? Protection.allCases : Protection.withoutPasscode)
    }

    private static func original(_ ground: Ground, _ hasPasscode: Bool) throws -> Scene {
        let scene = try Scene(ground)
        if hasPasscode { try scene.program.setPasscode(try Passcodes.first()) }
        for item in items(hasPasscode) { #expect(scene.program.add(item) == errSecSuccess) }
        scene.program.reopen()
        return scene
    }

    /// A copy of a closed keychain on a machine with its own TPM, if with any.
    private static func copy(_ scene: Scene, chip: SwtpmProcess?) throws -> Scene {
        let folder = try TestFolder()
        try Child.shell("cp -a \"$1\" \"$2\"", scene.file(), folder.file("login"))
        return try Scene(in: folder, chip: chip)
    }

    @Test("a copy opens nothing and says why, whether the passcode is known or not", arguments: cases)
    func copied(entry: Case) throws {
        let original = try Self.original(entry.ground, entry.hasPasscode)
        let isTPM = entry.ground == .tpm
        let copy = try Self.copy(original, chip: isTPM ? try SwtpmProcess() : nil)
        let deviceFile = isTPM ? "device.tpm" : "device.key"
        switch entry.device {
        case .missing: if !isTPM { try FileManager.default.removeItem(atPath: copy.file(deviceFile)) }
        case .foreign:
            let other = try Self.original(entry.ground, false)
            try Child.shell("cp \"$1\" \"$2\"", other.file(deviceFile), copy.file(deviceFile))
        }
        let word = isTPM ? "TPM" : "device.key"
        let program = copy.program
        for item in Self.items(entry.hasPasscode) {
            #expect(program.find(item) == errSecNotAvailable)
            #expect(program.whyNot(item).contains(word))
            #expect(program.add(item) == errSecNotAvailable)
            #expect(program.update(item, label: "changed") == errSecNotAvailable)
            #expect(program.delete(item) == errSecNotAvailable)
            #expect(program.find(item.key, kSecReturnAttributes).status == errSecNotAvailable)
        }
        let asks: [(Llavero.Keybag) throws -> Void] = [
            { try $0.unlock(with: Passcodes.first()) }, { try $0.unlock(with: Passcodes.wrong()) },
            { try $0.verify(Passcodes.first()) }, { _ = try $0.status() },
            { try $0.rotateKeys(passcode: entry.hasPasscode ? Passcodes.first() : nil) },
            { try $0.setPasscode(Passcodes.second(), erasingAfter: nil) },
            { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) },
        ]
        for (number, ask) in asks.enumerated() {
            let failure = program.failure(ask)
            // A keychain without a passcode says that it has none, and one with it that there is one already.
            let isAboutPasscode =
                failure?.status == errSecDuplicateItem
                || failure?.description.contains("has no passcode") == true
            #expect(failure != nil && (isAboutPasscode || failure?.description.contains(word) == true), "\(number)")
        }
        #expect(((try? program.check()) ?? ["refused"]) != [])
        // The original never noticed.
        if entry.hasPasscode { try original.program.unlock(try Passcodes.first()) }
        #expect(Set(original.program.find(Self.items(entry.hasPasscode))) == [errSecSuccess])
        #expect(try original.program.state().failedAttempts == 0 && original.program.check() == [])
    }

    @Test("a whole copy opens where its device is, with the passcode and not without", arguments: Ground.onDisk)
    func whole(ground: Ground) throws {
        let original = try Self.original(ground, true)
        let copy = try Self.copy(original, chip: original.chip)
        let program = copy.program
        #expect(program.find(TestItem("item", .ak)) == errSecInteractionNotAllowed)
        #expect(program.status { try $0.unlock(with: Passcodes.wrong()) } == errSecAuthFailed)
        try program.unlock(try Passcodes.first())
        #expect(Set(program.find(Self.items(true))) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("without its own file a TPM keeps nothing, and the file is named", .enabled(if: Ground.hasTPM))
    func withoutFile() throws {
        let scene = try Self.original(.tpm, true)
        try FileManager.default.removeItem(atPath: scene.file("device.tpm"))
        #expect(scene.program.find(TestItem("item", .dk)) == errSecNotAvailable)
        #expect(scene.program.whyNot(TestItem("item", .dk)).contains("device.tpm"))
    }

    @Test("the recovery key opens a copy on another machine", arguments: Ground.onDisk)
    func recovered(ground: Ground) throws {
        let original = try Self.original(ground, true)
        let key = try original.program.keybag { try $0.makeRecoveryKey(passcode: Passcodes.first()) }
        original.program.reopen()
        let copy = try Self.copy(original, chip: ground == .tpm ? try SwtpmProcess() : nil)
        if ground == .folder { try FileManager.default.removeItem(atPath: copy.file("device.key")) }
        let enclave: Llavero.Enclave = ground == .tpm ? .tpm : .software
        try copy.program.keybag { try $0.recover(with: key, into: enclave, passcode: Passcodes.second()) }
        copy.program.reopen()
        try copy.program.unlock(try Passcodes.second())
        #expect(Set(copy.program.find(TestItem.each("item", of: Protection.movable))) == [errSecSuccess])
        #expect(Set(copy.program.find(TestItem.each("item", of: Protection.thisDeviceOnly))) == [errSecItemNotFound])
        // The original is another keychain from now on, and none the worse.
        try original.program.unlock(try Passcodes.first())
        #expect(Set(original.program.find(Self.items(true))) == [errSecSuccess])
    }
}
