// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A keychain's keys in the daemon: locked and unlocked for all programs at once, and changed through the socket.
@Suite struct SharedKeysTests {
    @Test("the lock state is one for all programs, and ends with the daemon")
    func lockState() throws {
        let scene = try DaemonScene()
        let early = try scene.program()
        #expect(try early.ask("keys set 1234") == ["unlocked"])
        #expect(try early.ask("add kept") == ["0"])
        let first = try scene.startDaemon()
        let late = try scene.program()
        #expect(try late.ask("keys status") == ["beforeFirstUnlock"])
        #expect(try late.ask("get kept").first == "-25308")
        #expect(try early.ask("get kept").first == "-25308")
        #expect(try late.ask("keys unlock 4321") == ["-25293"])
        #expect(try late.ask("keys unlock 1234") == ["unlocked"])
        #expect(try early.ask("get kept") == ["0", "value of kept"])
        #expect(try early.ask("keys lock") == ["locked"])
        #expect(try late.ask("get kept").first == "-25308")
        #expect(try late.ask("keys unlock 1234") == ["unlocked"])
        first.terminate()
        first.waitUntilExit()
        let second = try scene.startDaemon()
        defer { second.terminate() }
        #expect(try late.ask("keys status") == ["beforeFirstUnlock"])
    }

    @Test("passcode, recovery key, class keys and the check go through the socket")
    func changes() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let program = try scene.program()
        #expect(try program.ask("add kept") == ["0"])
        #expect(try program.ask("keys set 1234") == ["unlocked"])
        #expect(try program.ask("keys words 1234") == ["14"])
        #expect(try program.ask("keys words 4321") == ["-25293"])
        #expect(try program.ask("keys rotate 1234") == ["unlocked"])
        #expect(try program.ask("keys check") == ["0"])
        #expect(try program.ask("keys lock") == ["locked"])
        #expect(try program.ask("keys unlock 1234") == ["unlocked"])
        #expect(try program.ask("get kept") == ["0", "value of kept"])
    }
}
