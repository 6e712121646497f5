// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrompts
import Testing

/// `llavero passcode` and `llavero recovery`.
@Suite struct PasscodeVerbTests {
    private let scene: AdminScene

    init() throws { scene = try AdminScene() }

    @Test(
        "a passcode is set, changed and removed from descriptors, with a daemon and without", arguments: [false, true])
    func descriptors(isServed: Bool) throws {
        let daemon = isServed ? try scene.startDaemon(at: scene.socket) : nil
        defer { daemon?.end() }
        let set = ["passcode", "set", "--new-fd", "4", "--erase-after", "7"]
        #expect(try scene.tool(set, new: "first").code == 0)
        #expect(try scene.status("erases-after") == "7")
        #expect(try scene.tool(set, new: "first").complaint.contains("passcode change"))
        let change = ["passcode", "change", "--fd", "3", "--new-fd", "4"]
        #expect(try scene.tool(change, old: "wrong", new: "second").complaint.contains("wrong"))
        #expect(try scene.tool(change, old: "first", new: "second").code == 0)
        let remove = ["passcode", "remove", "--fd", "3"]
        #expect(try scene.tool(remove, old: "first").code == 1)
        let removed = try scene.tool(remove, old: "second")
        #expect(removed.code == 0)
        #expect(removed.output == "items removed: 0\n")
        #expect(try scene.status("state") == "no-passcode")
        for words in [change, remove] {
            #expect(try scene.tool(words, old: "second", new: "x").complaint.contains("has no passcode"))
        }
    }

    @Test("new keys leave a keychain locked that was locked, and open one that was open")
    func rotation() throws {
        let daemon = try scene.startDaemon(at: scene.socket)
        defer { daemon.end() }
        #expect(try scene.tool(["passcode", "set", "--new-fd", "4"], new: "first").code == 0)
        #expect(try scene.tool("unlock", "--fd", "3", old: "first").code == 0)
        #expect(try scene.tool("rotate-keys", "--fd", "3", old: "first").code == 0)
        #expect(try scene.status("state") == "unlocked")
        #expect(try scene.tool("lock").code == 0)
        #expect(try scene.tool("rotate-keys", "--fd", "3", old: "wrong").code != 0)
        #expect(try scene.tool("rotate-keys", "--fd", "3", old: "first").code == 0)
        #expect(try scene.status("state") == "locked")
    }

    @Test("at a terminal a new passcode is typed twice, and again when the two differ")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let process = try scene.tool(at: terminal, "passcode", "set", "--no-agent")
        for (prompt, text) in [
            ("Passcode:", "first"), ("Repeat:", "other"), ("Passcode:", "right"), ("Repeat:", "right"),
        ] {
            try terminal.wait(for: prompt)
            try terminal.wait(forEcho: false)
            try terminal.type(text + "\n")
        }
        #expect(try process.wait() == 0)
        #expect(try scene.tool("passcode", "remove", "--fd", "3", old: "right").code == 0)
    }

    @Test("without a terminal or a descriptor nothing is set, and whoever refuses sets nothing")
    func refused() throws {
        let answer = try scene.tool("passcode", "set")
        #expect(answer.code == 36)
        #expect(answer.complaint.contains("no prompt can be shown"))
        let terminal = try PseudoTerminal()
        let process = try scene.tool(at: terminal, "passcode", "set")
        try terminal.wait(for: "Passcode:")
        try terminal.wait(forEcho: false)
        try terminal.type([3])
        #expect(try process.wait() == 1)
        #expect(try scene.status("exists") == "false")
    }

    @Test("a recovery key is fourteen words, made with the passcode where there is one", arguments: [false, true])
    func recovery(isServed: Bool) throws {
        let daemon = isServed ? try scene.startDaemon(at: scene.socket) : nil
        defer { daemon?.end() }
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
        let make = ["recovery", "make", "--fd", "3"]
        #expect(try scene.tool(make, old: "wrong").output.isEmpty)
        #expect(try scene.tool("recovery", "make").complaint.contains("no prompt can be shown"))
        let made = try scene.tool(make, old: "right")
        #expect(made.code == 0)
        #expect(made.output.hasSuffix("\n"))
        #expect(made.output.split(whereSeparator: \.isWhitespace).count == 14)
        #expect(try scene.status("recovery-key") == "true")
        let remove = ["recovery", "remove", "--fd", "3"]
        #expect(try scene.tool(remove, old: "wrong").code == 1)
        #expect(try scene.tool(remove, old: "right").code == 0)
        #expect(try scene.status("recovery-key") == "false")
        #expect(try scene.tool(remove, old: "right").complaint.contains("no recovery key"))
    }
}
