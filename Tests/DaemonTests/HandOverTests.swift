// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// Processes that share a keychain, and a daemon that takes it over and gives it back.
@Suite struct HandOverTests {
    @Test("programs that have the keychain open follow the daemon, which has everything they stored")
    func following() throws {
        let scene = try DaemonScene()
        let early = try scene.program()
        #expect(try early.ask("add before") == ["0"])
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        #expect(try early.ask("get before") == ["0", "value of before"])
        #expect(try early.ask("add during") == ["0"])
        let late = try scene.program()
        #expect(try late.ask("get before") == ["0", "value of before"])
        #expect(try late.ask("get during") == ["0", "value of during"])
        #expect(try late.ask("add during") == ["-25299"])
    }

    @Test("a killed daemon loses nothing, nobody opens its keychain meanwhile, and programs find the next one")
    func killed() throws {
        let scene = try DaemonScene()
        let first = try scene.startDaemon()
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        #expect(try program.ask("get kept").first == "-25291")
        let other = try scene.program()
        #expect(try other.ask("get kept").first == "-25291")
        let second = try scene.startDaemon()
        defer { second.terminate() }
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        #expect(try other.ask("get kept") == ["0", "value of kept"])
    }

    @Test("a daemon that is told to end takes its socket away and gives the keychain back; a killed one keeps it")
    func givenBack() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        daemon.terminate()
        daemon.waitUntilExit()
        #expect(daemon.terminationStatus == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.socket))
        #expect(try scene.program().ask("get kept") == ["0", "value of kept"])
        // The program that the daemon served goes on by itself, and with the next one.
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        #expect(try program.ask("add between") == ["0"])
        let second = try scene.startDaemon()
        #expect(try program.ask("get between") == ["0", "value of between"])
        #expect(try program.ask("get kept") == ["0", "value of kept"])
        kill(second.processIdentifier, SIGKILL)
        second.waitUntilExit()
        #expect(try scene.program().ask("get kept").first == "-25291")
        #expect(try scene.command("--give-back") == 0)
        #expect(try scene.program().ask("get kept") == ["0", "value of kept"])
    }

    @Test("a test run has nothing to do with a daemon, whatever the session says that starts it")
    func testRun() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        #expect(try scene.program().ask("add own") == ["0"])
        let tests = scene.file("aPackageTests")
        try ProgramFile.copy(try SessionProcess.helper("llavero-test-helper"), to: tests)
        let session = ["LLAVERO_SOCKET": scene.socket]
        let run = try scene.program(at: tests, session)
        #expect(try run.ask("get own").first == "-25300")
        #expect(try run.ask("add tested") == ["0"])
        #expect(try scene.program().ask("get tested").first == "-25300")
        let real = try scene.program(at: tests, session.merging(["LLAVERO_TEST_KEYCHAIN": "real"]) { $1 })
        #expect(try real.ask("get own") == ["0", "value of own"])
    }

    @Test("there is one daemon of a socket, and it refuses what it does not know")
    func commandLine() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        #expect(try scene.command() == 1)
        #expect(try scene.command("--what") == 64)
        #expect(try scene.command("--socket", "relative") == 64)
        #expect(try scene.command("--help") == 0)
    }

    @Test("there is one daemon of a keychain, and it is given back when that has stopped")
    func oneDaemon() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        #expect(try scene.command("--socket", scene.file("run/other")) == 1)
        #expect(try scene.command("--give-back") == 1)
        #expect(try program.ask("get kept") == ["0", "value of kept"])
    }
}
