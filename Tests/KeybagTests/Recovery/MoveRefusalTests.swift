// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm
import Testing

/// Moves and creations that are refused, and change nothing.
@Suite struct MoveRefusalTests {
    private static func move(to enclave: Llavero.Enclave, _ passcode: Llavero.Passcode?) -> Llavero.Keybag.Move {
        Llavero.Keybag.Move(to: enclave, passcode: passcode, abandonsEnclaveKeys: false, recoveryKey: .refused)
    }

    private enum Given: Sendable, CaseIterable {
        case nothing
        case right
        case wrong

        func passcode() throws -> Llavero.Passcode? {
            switch self {
            case .nothing: nil
            case .right: try Passcodes.first()
            case .wrong: try Passcodes.wrong()
            }
        }
    }

    /// The passcode for the new enclave, the current one, whether the keychain is locked, and what comes of it.
    private static let combinations: [(new: Given, current: Given, isLocked: Bool, status: OSStatus)] = [
        (.nothing, .nothing, false, errSecAuthFailed), (.nothing, .right, false, errSecAuthFailed),
        (.nothing, .right, true, errSecAuthFailed), (.right, .nothing, true, errSecInteractionNotAllowed),
        (.right, .wrong, true, errSecAuthFailed), (.right, .wrong, false, errSecAuthFailed),
    ]

    @Test("a move without the passcodes it needs is refused", .enabled(if: Ground.hasTPM))
    func combinations() throws {
        let scene = try Scene(softwareBeside: SwtpmProcess())
        let program = scene.program
        try program.setPasscode(try Passcodes.first())
        for item in TestItem.each("item") { #expect(program.add(item) == errSecSuccess) }
        let before = try StoredKeybag.bytes(in: scene.intruder())
        for (new, current, isLocked, status) in Self.combinations {
            try program.unlock(try Passcodes.first())
            if isLocked { try program.lock() }
            let move = Self.move(to: .tpm, try new.passcode())
            #expect(program.status { try $0.move(move, currentPasscode: current.passcode()) } == status)
        }
        program.reopen()
        try program.unlock(try Passcodes.first())
        #expect(Set(program.find(TestItem.each("item"))) == [errSecSuccess])
        #expect(try StoredKeybag.bytes(in: scene.intruder()) == before)
        #expect(try !FileManager.default.fileExists(atPath: scene.file("device.tpm")))
        #expect(try program.check() == [])
    }

    @Test("a passcode given for a keychain that has none is refused", arguments: Ground.onDisk)
    func passcodeForNone(ground: Ground) throws {
        let program = try Scene(ground).program
        #expect(program.add(TestItem("item", .ak)) == errSecSuccess)
        let target: Llavero.Enclave = ground == .tpm ? .software : .tpm
        #expect(
            program.status { try $0.move(Self.move(to: target, nil), currentPasscode: Passcodes.first()) }
                == errSecNotAvailable)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
    }

    @Test("into the enclave where it is a keychain does not move", arguments: Ground.all)
    func same(ground: Ground) throws {
        let program = try Scene(ground).program
        #expect(program.add(TestItem("item", .ak)) == errSecSuccess)
        let here: Llavero.Enclave = ground == .tpm ? .tpm : .software
        #expect(
            program.status { try $0.move(Self.move(to: here, nil), currentPasscode: nil) } == errSecDuplicateItem)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
    }

    @Test(
        "into a TPM that is not there nothing moves, and nothing is left behind", arguments: [Ground.memory, .folder])
    func nowhere(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        #expect(program.add(TestItem("item", .ak)) == errSecSuccess)
        let failure = program.failure { try $0.move(Self.move(to: .tpm, nil), currentPasscode: nil) }
        #expect(failure?.status == errSecNotAvailable && failure?.description.contains("TPM") == true)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
        if ground == .folder { #expect(try !FileManager.default.fileExists(atPath: scene.file("device.tpm"))) }
        #expect(try program.check() == [])
    }

    @Test("a keychain that is there is not made again, and none is made in memory or in a TPM that is not there")
    func births() throws {
        let scene = try Scene(unborn: .folder)
        let memory = try Scene(.memory)
        func make(_ enclave: Llavero.Enclave, _ program: Program) -> OSStatus {
            program.status { _ in try Llavero.createKeychain(in: enclave, recoveryKey: .made) }
        }
        #expect(make(.tpm, scene.program) == errSecNotAvailable)
        #expect(try !FileManager.default.fileExists(atPath: scene.file()))
        #expect(make(.software, scene.program) == errSecSuccess)
        #expect(make(.software, scene.program) == errSecDuplicateKeychain)
        #expect(make(.software, memory.program) == errSecNotAvailable)
    }

    @Test("the environment makes a keychain in a TPM only together with the word that no recovery key is wanted")
    func environment() throws {
        let folder = try TestFolder()
        let chip = Ground.hasTPM ? try SwtpmProcess() : nil
        var environment = ["LLAVERO_HOME": folder.file("root"), "LLAVERO_ENCLAVE": "tpm"]
        environment["LLAVERO_TPM"] = chip?.connection ?? Scene.noTPM
        func probe(_ verbs: String...) throws -> [String] {
            try HelperProcess.run(["probe"] + verbs, environment: environment, in: folder).lines
        }
        for recovery in [nil, "", "yes"] {
            environment["LLAVERO_RECOVERY"] = recovery
            let lines = try probe("add", "why")
            #expect(lines.first == "add -25291" && lines.last?.contains("LLAVERO_RECOVERY=none") == true)
            #expect(TestFolder.names(in: folder.file("root/login")) == nil)
        }
        environment["LLAVERO_RECOVERY"] = "none"
        if chip != nil {
            #expect(try probe("add", "find", "check") == ["add 0", "find 0 value of account", "check clean"])
            #expect(TestFolder.names(in: folder.file("root/login"))?.contains("device.tpm") == true)
            // What it was made with is recorded: the environment of later days does not matter.
            environment["LLAVERO_ENCLAVE"] = nil
            environment["LLAVERO_RECOVERY"] = nil
            #expect(try probe("find") == ["find 0 value of account"])
        } else {
            #expect(try probe("add").first == "add -25291")
        }
        environment["LLAVERO_ENCLAVE"] = "somewhere"
        environment["LLAVERO_HOME"] = folder.file("other")
        #expect(try probe("add", "why").last?.contains("LLAVERO_ENCLAVE") == true)
        for name in ["libtss2-tcti-evil.so", "cmd:sh", "/tmp/evil.so"] {
            environment["LLAVERO_TPM"] = name
            #expect(try probe("add", "why").last?.contains("LLAVERO_TPM") == true)
        }
    }
}
