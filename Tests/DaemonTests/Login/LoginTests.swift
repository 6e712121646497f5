// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Unlocking at login, with the real pam_exec.
@Suite struct LoginTests {
    @Test("the password that was typed reaches the tool on its standard input, and nothing else of it is to be seen")
    func unlocks() throws {
        let scene = try LoginScene()
        try scene.listen()
        #expect(try scene.login("päss $(word) 'x'", options: ""))
        #expect(scene.seen("input") == "päss $(word) 'x'")
        #expect(scene.seen("arguments") == "unlock\n--no-agent\n--fd\n0\n")
        #expect(scene.seen("environment").contains("LLAVERO_SOCKET=\(scene.socket)\n"))
        #expect(!scene.seen("environment").contains("PAM_"))
        for name in ["environment", "arguments"] { #expect(!scene.seen(name).contains("word")) }
        #expect(scene.seen("user") == "\(getuid())\n")
    }

    @Test("a tool that fails, or is not there, keeps nobody from logging in", arguments: [1, 127])
    func failing(status: Int32) throws {
        let scene = try LoginScene()
        try scene.listen()
        try scene.setStatus(status)
        if status == 127 { try FileManager.default.removeItem(atPath: scene.folder.file("prefix/bin/llavero")) }
        #expect(try scene.login("password", options: ""))
    }

    @Test("without a daemon nobody is asked, and the login goes on; so it does with options that nobody knows")
    func noDaemon() throws {
        let scene = try LoginScene()
        for options in ["", "--wait", "--wait x", "--wait 08", "--wait 99999", "--what"] {
            #expect(try scene.login("password", options: options))
        }
        try scene.listen()
        #expect(try scene.login("password", options: "--what"))
        #expect(try scene.login("password", options: "", user: "nobody-of-this-name"))
        #expect(scene.seen("done") == "" && !FileManager.default.fileExists(atPath: scene.folder.file("seen/done")))
    }

    @Test("a daemon that comes with the session is waited for, and the login is not")
    func waiting() throws {
        let scene = try LoginScene()
        #expect(try scene.login("password", options: "--wait 60"))
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("seen/done")))
        try scene.listen()
        try scene.awaitTool()
        #expect(scene.seen("input") == "password")
    }

    @Test("the login password unlocks the keychain of who logs in; a wrong one does not, and lets them in as well")
    func realTool() throws {
        let (scene, user) = (try LoginScene(), try AdminScene())
        try scene.installTool()
        #expect(try user.tool(["passcode", "set", "--new-fd", "3"], old: "pässword").code == 0)
        let daemon = try user.startDaemon(at: scene.socket)
        defer { daemon.end() }
        let socket = ["LLAVERO_SOCKET": scene.socket]
        for (password, state, attempts) in [
            ("wrong", "before-first-unlock", 1), ("pässword", "unlocked", 0),
        ] {
            #expect(try scene.login(password, options: ""))
            let status = try user.tool(["status", "--plain"], more: socket).output
            #expect(status.contains("\nstate\t\(state)\n"), "\(status)")
            #expect(status.contains("\nwrong-attempts\t\(attempts)\n"))
        }
    }

    @Test("a socket at which nobody listens any more makes no daemon out of a login")
    func staleSocket() throws {
        let scene = try LoginScene()
        try scene.installTool()
        try scene.listen()
        scene.stopListening()
        #expect(try scene.login("password", options: ""))
        #expect(!scene.isServed)
    }

    @Test(
        "root's login program unlocks as who logs in",
        .enabled(if: geteuid() == 0, "only root can become somebody else"))
    func otherUser() throws {
        let scene = try LoginScene()
        chmod(scene.folder.file("seen"), 0o777)
        try scene.listen()
        #expect(try scene.login("password", options: "", user: "nobody"))
        #expect(scene.seen("input") == "password")
        #expect(scene.seen("user") == "65534\n")
        #expect(scene.seen("environment").contains("XDG_RUNTIME_DIR=/run/user/65534\n"))
    }
}
