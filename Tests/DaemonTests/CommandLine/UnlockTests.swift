// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// `llavero unlock`, `lock` and `status`, with the real daemon.
@Suite struct UnlockTests {
    private let scene: AdminScene

    init() throws {
        scene = try AdminScene()
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
    }

    @Test("without a keychain its state is told, nothing else is done, and none is made")
    func nothing() throws {
        let scene = try AdminScene()
        let answer = try scene.tool("status")
        #expect(answer.code == 0)
        #expect(answer.output.contains("does not exist yet"))
        for verb in ["lock", "unlock", "audit"] {
            let answer = try scene.tool(verb)
            #expect(answer.code == 1)
            #expect(answer.complaint.contains("no keychain exists yet"))
        }
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file(".local")))
        #expect(scene.agent == nil)
    }

    @Test("beside a daemon, too, whoever only looks makes no keychain, which would hide one of the system's daemon")
    func nothingBesideDaemon() throws {
        let scene = try AdminScene()
        try FileManager.default.createDirectory(
            atPath: scene.folder.file("run/llavero"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let daemon = try scene.startDaemon(at: scene.socket)
        defer { daemon.terminate() }
        #expect(try scene.tool("status").output.contains("does not exist yet"))
        for verb in ["doctor", "list", "check", "audit", "get"] {
            _ = try scene.tool(verb == "get" ? ["get", "mail"] : [verb])
            #expect(!FileManager.default.fileExists(atPath: scene.keychain), "after \(verb)")
        }
        #expect(try scene.tool("add", "mail", "--fd", "3", old: "secret").code == 0)
        #expect(try scene.tool("get", "mail").output == "secret\n")
    }

    @Test("an unlocked keychain stays so between commands, for the daemon that the tool starts has it")
    func kept() throws {
        #expect(try scene.status("keys") == "process")
        #expect(try scene.status("folder") == scene.keychain)
        #expect(try scene.status("state") == "before-first-unlock")
        let first = try scene.tool("unlock", "--fd", "3", old: "right\n")
        #expect(first.code == 0)
        #expect(first.output.isEmpty)
        #expect(first.complaint.contains("started llaverod"))
        let agent = try #require(scene.agent)
        // A session of its own, and nothing of who started it.
        #expect(getsid(agent) == agent)
        for number in 0...2 {
            let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent)/fd/\(number)")
            #expect(file == "/dev/null")
        }
        #expect(try scene.status("keys") == "daemon")
        #expect(try scene.status("socket") == scene.socket)
        #expect(try scene.status("state") == "unlocked")
        #expect(try scene.tool("lock").code == 0)
        #expect(try scene.status("state") == "locked")
        let second = try scene.tool("unlock", "--fd", "3", old: "right")
        #expect(second.code == 0)
        #expect(second.complaint == "llavero: unlocked the keychain login\n")
        #expect(scene.agent == agent)
        #expect(try scene.status("state") == "unlocked")
    }

    @Test("a wrong passcode ends with 1, is counted, and unlocks nothing")
    func wrong() throws {
        for count in 1...2 {
            let answer = try scene.tool("unlock", "--fd", "3", old: "wrong")
            #expect(answer.code == 1)
            #expect(answer.complaint.contains("the passcode is wrong"))
            #expect(try scene.status("wrong-attempts") == "\(count)")
        }
        #expect(try scene.status("state") == "before-first-unlock")
        for text in ["", "\n", String(repeating: "x", count: 1001)] {
            #expect(try scene.tool("unlock", "--fd", "3", old: text).complaint.contains("between 1 and 1000"))
        }
        #expect(try scene.tool("unlock", "--fd", "9", old: "right").code == 1)
        #expect(try scene.status("wrong-attempts") == "2")
    }

    @Test("at a terminal the passcode is asked for, and not shown")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let process = try scene.tool(at: terminal, "unlock")
        try terminal.wait(for: "Passcode:")
        try terminal.wait(forEcho: false)
        try terminal.type("right\n")
        #expect(try process.wait() == 0)
        #expect(!terminal.shown.contains("right"))
        #expect(terminal.isOrdinary)
        #expect(try scene.status("state") == "unlocked")
        let again = try scene.tool(at: terminal, "unlock")
        try terminal.wait(for: "already unlocked")
        #expect(try again.wait() == 0)
    }

    @Test(
        "a program that may not use Unix sockets is told so, and not that the daemon is away",
        arguments: [EAFNOSUPPORT, EPERM, EACCES])
    func noSockets(code: Int32) throws {
        func barred(_ words: String..., more: [String: String] = [:]) throws -> AdminScene.Answer {
            try scene.tool(
                ["-c", UnlockTests.barring, "\(code)", SessionProcess.helper("llavero")] + words, old: "right",
                more: more,
                program: "/usr/bin/python3")
        }
        // Without a daemon it needs no socket.
        #expect(try barred("status").code == 0)
        #expect(try scene.tool("unlock", "--fd", "3", old: "right").code == 0)
        for words in ["get", "doctor"] {
            let answer = words == "get" ? try barred("get", "site") : try barred("doctor")
            let text = answer.output + answer.complaint
            #expect(answer.code == 1 && text.contains("RestrictAddressFamilies= needs AF_UNIX"), "\(text)")
            #expect(!text.contains("LLAVERO_SOCKET") && !text.contains("end the llaverod"), "\(text)")
        }
        // With the system's daemon.
        let system = try barred(
            "get", "site", more: ["LLAVERO_SOCKET": scene.socket, "LLAVERO_SYSTEM_SOCKET": scene.socket])
        #expect(system.code == 1 && system.complaint.contains("needs AF_UNIX"), "\(system.complaint)")
        #expect(!system.complaint.contains("systemctl start"), "\(system.complaint)")
    }

    /// Runs a program that gets no Unix sockets, as systemd's RestrictAddressFamilies= and others' filters have it.
    private static let barring = """
        import ctypes, os, platform, struct, sys
        call = 41 if platform.machine() == 'x86_64' else 198
        filter = [(0x20, 0, 0, 0), (0x15, 0, 3, call), (0x20, 0, 0, 16), (0x15, 0, 1, 1),
                  (0x06, 0, 0, 0x50000 | int(sys.argv[1])), (0x06, 0, 0, 0x7fff0000)]
        code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *line) for line in filter))
        program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', len(filter), ctypes.addressof(code)))
        libc = ctypes.CDLL(None, use_errno=True)
        number = ctypes.c_ulong
        assert libc.prctl(38, number(1), number(0), number(0), number(0)) == 0
        assert libc.prctl(22, number(2), program, number(0), number(0)) == 0
        os.execv(sys.argv[2], sys.argv[2:])
        """

    @Test("where nobody can be asked it ends with 36 at once, and starts no daemon")
    func nobody() throws {
        let answer = try scene.tool("unlock")
        #expect(answer.code == 36)
        #expect(answer.complaint.contains("no prompt can be shown"))
        #expect(answer.complaint.contains("--fd"))
        #expect(scene.agent == nil)
    }

    @Test("where a daemon could not be started or found, the unlock that would end with the command is refused")
    func noAgent() throws {
        for (words, more, complaint) in [
            (["--no-agent"], [:], "--no-agent"), ([], ["LLAVERO_SOCKET": "socket"], "absolute path"),
        ] as [([String], [String: String], String)] {
            let answer = try scene.tool(["unlock", "--fd", "3"] + words, old: "right", more: more)
            #expect(answer.code == 1)
            #expect(answer.complaint.contains(complaint), "\(answer.complaint)")
        }
        #expect(scene.agent == nil)
    }

    @Test("where there is no session its socket lies beside the keychains", arguments: [false, true])
    func noSession(namesHome: Bool) throws {
        let root = scene.folder.file(".local/share/llavero")
        let more = namesHome ? ["LLAVERO_HOME": root] : ["XDG_RUNTIME_DIR": ""]
        // Where this user has a session all the same, that one's folder is taken.
        try #require(namesHome || !FileManager.default.fileExists(atPath: "/run/user/\(getuid())"))
        let answer = try scene.tool(["unlock", "--fd", "3"], old: "right", more: more)
        #expect(answer.code == 0, "\(answer.complaint)")
        defer { scene.stopAgent(at: root + "/.agent") }
        #expect(scene.agent == nil)
        let status = try scene.tool(["status", "--plain"], more: more).output
        #expect(status.contains("state\tunlocked"))
        #expect(status.contains("socket\t\(root)/.agent"))
    }

    @Test("one that was started without a session serves those who have one, and one that is gone is in nobody's way")
    func olderAgent() throws {
        let root = scene.folder.file(".local/share/llavero")
        try #require(!FileManager.default.fileExists(atPath: "/run/user/\(getuid())"))
        #expect(try scene.tool(["unlock", "--fd", "3"], old: "right", more: ["XDG_RUNTIME_DIR": ""]).code == 0)
        #expect(try scene.status("socket") == root + "/.agent")
        #expect(try scene.status("state") == "unlocked")
        scene.stopAgent(at: root + "/.agent")
        // As a crash leaves it.
        _ = FileManager.default.createFile(atPath: root + "/.agent", contents: nil)
        #expect(try scene.tool(["unlock", "--fd", "3"], old: "right").code == 0)
        #expect(try scene.status("socket") == scene.socket)
    }

    @Test("the daemon is the one beside the tool, and one that ends at once is told of")
    func otherPlaces() throws {
        // Others write the copies, so that they can be run at once.
        func install(_ source: String, _ place: String) throws {
            let words = ["-D", "-m", "755", source, scene.folder.file(place)]
            let copier = try HelperProcess(words, environment: [:], output: "/dev/null", program: "/usr/bin/install")
            #expect(copier.wait() == .exited(0))
        }
        try install(SessionProcess.helper("llavero"), "prefix/bin/llavero")
        let tool = scene.folder.file("prefix/bin/llavero")
        let words = ["unlock", "--fd", "3"]
        let without = try scene.tool(words, old: "right", program: tool)
        #expect(without.code == 1)
        #expect(without.complaint.contains("llaverod was not found beside"))
        try install("/bin/false", "prefix/libexec/llavero/llaverod")
        let failing = try scene.tool(words, old: "right", program: tool)
        #expect(failing.code == 1)
        #expect(failing.complaint.contains("ended at once"))
        try install(SessionProcess.helper("llaverod"), "prefix/libexec/llavero/llaverod")
        #expect(try scene.tool(words, old: "right", program: tool).code == 0)
        #expect(try scene.status("state") == "unlocked")
    }

    @Test("without a daemon there is nobody to lock, and that is said; a keychain without a passcode has no lock")
    func lock() throws {
        let answer = try scene.tool("lock")
        #expect(answer.code == 0)
        #expect(answer.complaint.contains("no daemon"))
        #expect(try scene.tool("passcode", "remove", "--fd", "3", old: "right").code == 0)
        #expect(try scene.tool("lock").code == 1)
        let unlock = try scene.tool("unlock", "--fd", "3", old: "right")
        #expect(unlock.code == 1)
        #expect(unlock.complaint.contains("no passcode"))
        #expect(scene.agent == nil)
    }

    @Test("the state comes as JSON too")
    func json() throws {
        let answer = try scene.tool("status", "--json")
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
        #expect(members["state"] as? String == "before-first-unlock")
        #expect(members["folder"] as? String == scene.keychain)
        #expect(members["socket"] is NSNull)
        #expect(members["wrong-attempts"] as? Int == 0)
        #expect(members["recovery-key"] as? Bool == false)
        #expect((members["enclave-summary"] as? String)?.isEmpty == false)
        #expect(members["warnings"] is [Any])
    }
}
