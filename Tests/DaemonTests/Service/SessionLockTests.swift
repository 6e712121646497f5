// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// A daemon whose user locks the session, on a bus of the test's own with a logind on it.
@Suite struct SessionLockTests {
    /// An unlocked daemon on that bus, and a program.
    private func unlocked(_ scene: ServiceScene, _ logind: LogindScene, _ options: String...) throws -> Process {
        #expect(try scene.run("llavero-test-helper", "access", "put").last == "0")
        try logind.addSession("mine", of: getuid())
        try logind.addSession("other", of: getuid() + 1)
        let credential = ["--bus", logind.address, "--passcode-credential", "passcode"]
        return try scene.start(credential + options, credential: "1234")
    }

    @Test("a locked session locks the keychain, another user's does not, and an unlocked one unlocks nothing")
    func session() throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        let daemon = try unlocked(scene, logind)
        defer { daemon.terminate() }
        let program = try scene.program()
        // Once sleep waits for it, the daemon listens.
        try logind.awaitInhibitors(1)
        #expect(try program.ask("add kept") == ["0"])
        try logind.tell("other", "Lock")
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        try logind.tell("mine", "Lock")
        try awaitLock(program)
        try logind.tell("mine", "Unlock")
        #expect(try program.ask("get kept").first == "-25308")
    }

    @Test("the keychain is locked before the machine sleeps")
    func sleep() throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        let daemon = try unlocked(scene, logind)
        defer { daemon.terminate() }
        let program = try scene.program()
        try logind.awaitInhibitors(1)
        #expect(try program.ask("add kept") == ["0"])
        try logind.prepareForSleep(true)
        // Now the machine may sleep.
        try logind.awaitInhibitors(0)
        #expect(try program.ask("get kept").first == "-25308")
        try logind.prepareForSleep(false)
        try logind.awaitInhibitors(1)
    }

    @Test("the end of the user's last login session locks what is to lock with sessions, and the daemon stays")
    func end() throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        #expect(try scene.run("llavero-test-helper", "access", "put").last == "0")
        try logind.addSession("mine", of: getuid())
        try logind.addSession("other", of: getuid() + 1)
        let daemon = try scene.start("--bus", logind.address)
        defer { daemon.terminate() }
        let program = try scene.program()
        try logind.awaitInhibitors(1)
        #expect(try program.ask("keys unlock 1234").first == "unlocked")
        #expect(try program.ask("add kept") == ["0"])
        try logind.addSession("second", of: getuid())
        try logind.endSession("second")
        try logind.endSession("other")
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        try logind.endSession("mine")
        try awaitLock(program)
    }

    @Test(
        "what a credential unlocked for whoever comes stays unlocked at the end of a session, and not when one is locked"
    )
    func endWithCredential() throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        let daemon = try unlocked(scene, logind)
        defer { daemon.terminate() }
        let program = try scene.program()
        try logind.awaitInhibitors(1)
        #expect(try program.ask("add kept") == ["0"])
        try logind.endSession("mine")
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        try logind.addSession("next", of: getuid())
        try logind.tell("next", "Lock")
        try awaitLock(program)
    }

    @Test(
        "what a credential unlocked stays unlocked when logind or the bus was away or comes later, until a session is locked",
        arguments: [Absence.ofLogind, .ofBus, .atFirst])
    func absenceWithCredential(absence: Absence) throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        if absence == .atFirst { logind.stopLogind() }
        #expect(try scene.run("llavero-test-helper", "access", "put").last == "0")
        let daemon = try scene.start(
            "--bus", logind.address, "--passcode-credential", "passcode", credential: "1234")
        defer { daemon.terminate() }
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        try pass(absence, logind)
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        #expect(!scene.complaints.contains("was away"))
        try logind.addSession("mine", of: getuid())
        try logind.tell("mine", "Lock")
        try awaitLock(program)
        // Who unlocks it now is a person.
        #expect(try program.ask("keys unlock 1234").first == "unlocked")
        logind.stopLogind()
        try logind.startLogind()
        try awaitLock(program)
    }

    @Test(
        "what a person unlocked is locked when logind or the bus was away, and the journal says why and what to do",
        arguments: [Absence.ofLogind, .ofBus])
    func absence(absence: Absence) throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        #expect(try scene.run("llavero-test-helper", "access", "put").last == "0")
        let daemon = try scene.start("--bus", logind.address)
        defer { daemon.terminate() }
        let program = try scene.program()
        try logind.awaitInhibitors(1)
        #expect(try program.ask("keys unlock 1234").first == "unlocked")
        #expect(try program.ask("add kept") == ["0"])
        try pass(absence, logind)
        try awaitLock(program)
        // Locked as it is, another absence is no news.
        try pass(absence, logind)
        try scene.stop(daemon)
        let said = scene.complaints.split(separator: "\n").filter { $0.contains("was away") }
        #expect(said.count == 1)
        #expect(said.allSatisfy { $0.contains("`llavero unlock`") && $0.contains("--lock-with-session no") })
    }

    /// What is missing for a while.
    enum Absence { case ofLogind, ofBus, atFirst }

    /// Ends what is to be missing, and returns when the daemon listens to logind again.
    private func pass(_ absence: Absence, _ logind: LogindScene) throws {
        switch absence {
        case .ofLogind:
            try logind.awaitInhibitors(1)
            logind.stopLogind()
        case .ofBus:
            try logind.awaitInhibitors(1)
            try logind.stopBus()
            try logind.startBus()
        case .atFirst: break
        }
        try logind.startLogind()
        try logind.awaitInhibitors(1)
    }

    @Test("sessions have no say when that is not wanted")
    func unwanted() throws {
        let (scene, logind) = (try ServiceScene(), try LogindScene())
        let daemon = try unlocked(scene, logind, "--no-lock-events")
        defer { daemon.terminate() }
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        #expect(try logind.inhibitors().isEmpty)
        try logind.tell("mine", "Lock")
        #expect(try program.ask("get kept") == ["0", "value of kept"])
    }

    @Test("without a bus the daemon serves all the same, and says so once")
    func noBus() throws {
        let scene = try ServiceScene()
        let daemon = try scene.start("--bus", "unix:path=\(scene.folder.path)/nowhere/bus")
        #expect(try scene.program().ask("add kept") == ["0"])
        try scene.stop(daemon)
        let said = scene.complaints.split(separator: "\n").filter { $0.contains("the system bus is not available") }
        #expect(said.count <= 1)
    }

    private func awaitLock(_ program: AskingProgram) throws {
        try EventLimit.wait(for: "the keychain is locked") { try program.ask("get kept").first == "-25308" }
    }
}
