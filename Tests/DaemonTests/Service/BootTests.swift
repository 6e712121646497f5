// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// A keychain that is unlocked at boot, with what the service manager has for it.
@Suite struct BootTests {
    /// A keychain with the passcode 1234.
    private func scene() throws -> ServiceScene {
        let scene = try ServiceScene()
        #expect(try scene.run("llavero-test-helper", "access", "put").last == "0")
        return scene
    }

    @Test("the passcode in a credential unlocks the keychain, and nobody types one", arguments: ["1234", "1234\n"])
    func unlocked(credential: String) throws {
        let scene = try scene()
        let daemon = try scene.start("--passcode-credential", "passcode", credential: credential)
        defer { daemon.terminate() }
        #expect(try scene.program().ask("add new") == ["0"])
        #expect(try scene.program().ask("get new") == ["0", "value of new"])
        #expect(scene.complaints.isEmpty || !scene.complaints.contains("stays locked"))
    }

    @Test("without the option nobody is unlocked for")
    func notAsked() throws {
        let scene = try scene()
        let daemon = try scene.start(credential: "1234")
        defer { daemon.terminate() }
        #expect(try scene.program().ask("add new") == ["-25308"])
    }

    @Test("a wrong one is said, counts once, and leaves a keychain that is served locked")
    func wrong() throws {
        let scene = try scene()
        let daemon = try scene.start("--passcode-credential", "passcode", credential: "4321")
        #expect(scene.complaints.contains("stays locked: "))
        #expect(try scene.program().ask("add new") == ["-25308"])
        try scene.stop(daemon)
        #expect(try scene.run("llaverod", "--give-back").last == "0")
        let home = scene.folder.file(".local/share/llavero")
        let look = try scene.run("llavero-test-helper", "keybag-look", home, "software", "-")
        #expect(look.contains("failures 1"))
    }

    @Test("a wrong one is tried once at a start, also where that begins a delay; what meets a delay is no attempt")
    func delayed() throws {
        let scene = try scene()
        for _ in 0..<5 {
            let daemon = try scene.start("--passcode-credential", "passcode", credential: "4321")
            #expect(!scene.complaints.contains("is tried by the first call"))
            try scene.stop(daemon)
        }
        let daemon = try scene.start("--passcode-credential", "passcode", credential: "1234")
        #expect(scene.complaints.contains("passcode is tried by the first call after that"))
        #expect(try scene.program().ask("add new") == ["-25308"])
        try scene.stop(daemon)
        #expect(try scene.run("llaverod", "--give-back").last == "0")
        let home = scene.folder.file(".local/share/llavero")
        #expect(try scene.run("llavero-test-helper", "keybag-look", home, "software", "-").contains("failures 5"))
    }

    @Test("a credential that is not there, or holds no passcode, is said too", arguments: ["missing", "../passcode"])
    func missing(name: String) throws {
        let scene = try scene()
        let daemon = try scene.start("--passcode-credential", name, credential: "1234")
        defer { daemon.terminate() }
        #expect(scene.complaints.contains("stays locked: "))
        #expect(try scene.program().ask("add new") == ["-25308"])
    }
}
