// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainDaemon
import KeychainModel
import KeychainRequest
import TestDaemon
internal import TestProcesses
import Testing

/// A file of settings that nobody can read, which may have said anything.
@Suite struct DamagedSettingsTests {
    @Test(
        "the keychain locks a minute after it was last used, and with its user's session",
        arguments: ["", "lock-with-session maybe\n", "lock-with-session no\ntimeout 0\n", "\u{0}\n", "timeout 99\n"])
    func strictest(content: String) throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let path = scene.folder.file("build/settings")
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        let client = try scene.served.client("build")
        #expect(throws: KeychainError.self) { try client.settings() }
        let passcode = try #require(KeychainScene.passcode)
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        scene.served.pass(seconds: 59)
        #expect(try client.state() == .unlocked)
        scene.served.pass(seconds: 1)
        #expect(try client.state() == .locked)
        try client.ask(.unlock(passcode))
        scene.served.keychains.lockWithSessions(of: nil) { error in Issue.record("\(error)") }
        #expect(try client.state() == .locked)
        // Written again it counts.
        try client.ask(.change(KeychainSettings(locksWithSession: false, timeout: nil)))
        try client.ask(.unlock(passcode))
        scene.served.keychains.lockWithSessions(of: nil) { error in Issue.record("\(error)") }
        scene.served.pass(seconds: 60)
        #expect(try client.state() == .unlocked)
    }
}
