// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// What only debug builds do, and only when the environment asks for it.
#if DEBUG
    @Suite struct TraceTests {
        private let scene: AdminScene
        private let everything = ["LLAVERO_TRACE": "sql,wire"]
        /// What is in the item, and must not be in a trace.
        private let contents = ["service-of-mine", "account-of-mine", "note-of-mine", "secret-of-mine"]

        init() throws { scene = try AdminScene() }

        /// The lines of one kind.
        private func lines(_ kind: String, in text: String) -> [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("trace[") && $0.contains("] \(kind) ") }.map(String.init)
        }

        /// What the tool says itself names the item.
        private func expectNothingOfAnItem(in said: String) {
            let traced = lines("sql", in: said) + lines("wire", in: said)
            for text in contents { #expect(!traced.contains { $0.contains(text) }) }
        }

        /// Adds an item and finds it; what the tool wrote on standard error.
        private func addAndFind(_ more: [String: String]) throws -> String {
            let words = ["add", contents[0], "--user", contents[1], "--note", contents[2], "--fd", "3"]
            let added = try scene.tool(words, old: contents[3], more: more)
            #expect(added.code == 0, "\(added.complaint)")
            let found = try scene.tool(["get", contents[0]], more: more)
            #expect(found.output == contents[3] + "\n", "\(found.complaint)")
            return added.complaint + found.complaint
        }

        @Test("a trace of statements has each with its parameters, its rows and its steps, and nothing of an item")
        func statements() throws {
            let said = try addAndFind(everything)
            let statements = lines("sql", in: said)
            #expect(statements.contains { $0.lowercased().contains("steps: insert into genp") }, "\(said)")
            let shape = try Regex(#"^trace\[\d+\] sql \d+ us, 1 row, \d+ steps: select .*\?"#).ignoresCase()
            #expect(statements.contains { $0.contains(shape) }, "\(said)")
            #expect(lines("wire", in: said) == [], "there is no daemon")
            #expect(said.contains("steps: begin immediate"), "\(said)")
            expectNothingOfAnItem(in: said)
        }

        @Test("a trace of messages has each by its name, on both sides, and nothing of an item")
        func messages() throws {
            let ready = try ReadySocket(scene.folder.file("ready"))
            let log = scene.folder.file("log")
            _ = FileManager.default.createFile(atPath: log, contents: nil)
            let daemon = Process()
            daemon.executableURL = URL(fileURLWithPath: try SessionProcess.helper("llaverod"))
            daemon.arguments = ["--socket", scene.socket, "--no-lock-events"]
            daemon.environment = scene.environment.merging(everything) { $1 }.merging(["NOTIFY_SOCKET": ready.path]) {
                $1
            }
            daemon.standardError = FileHandle(forWritingAtPath: log)
            try FileManager.default.createDirectory(
                atPath: scene.folder.file("run/llavero"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try daemon.run()
            try ready.awaitReady()
            let said = try addAndFind(everything)
            daemon.end()
            let served = scene.folder.text("log")
            for (side, asked, answered) in [(said, "sent", "received"), (served, "received", "sent")] {
                let messages = lines("wire", in: side)
                let call = try Regex(#"^trace\[\d+\] wire \#(asked) call \d+ match, \d+ bytes$"#)
                let reply = try Regex(#"^trace\[\d+\] wire \#(answered) reply \d+ found, \d+ bytes$"#)
                #expect(messages.contains { $0.contains(call) }, "\(side)")
                #expect(messages.contains { $0.contains(reply) }, "\(side)")
                expectNothingOfAnItem(in: side)
            }
            #expect(lines("sql", in: said) == [] && lines("sql", in: served) != [])
            #expect(lines("wire", in: said).contains { $0.contains(" reply ") && $0.contains(" failure.") }, "\(said)")
        }

        @Test("there is no trace where none is asked for, or one of another kind")
        func silence() throws {
            #expect(try !addAndFind([:]).contains("trace"))
            let said = try scene.tool(["get", contents[0]], more: ["LLAVERO_TRACE": "sqlite,1,wire"]).complaint
            #expect(said == "")
        }
    }

    @Suite(.enabled(if: UserScene.isPossible, "only root can be two users"))
    struct DebuggerTests {
        private let scene: UserScene

        init() throws { scene = try UserScene() }

        /// Whether a program of a daemon's user may look into its memory, as a debugger does.
        private func isOpen(as user: UInt32) throws -> Bool {
            let pid = try #require(scene.daemonProcess)
            let look = try HelperProcess(
                ["if=/proc/\(pid)/maps", "of=/dev/null", "bs=1", "count=1"], environment: [:], output: "/dev/null",
                launcher: ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"],
                program: "/bin/dd")
            return look.wait() == .exited(0)
        }

        @Test(
            "a debugger may attach to a user's daemon that was allowed it, which says so and still leaves no core",
            arguments: [nil, "", "yes", "allowed"] as [String?])
        func attaches(value: String?) throws {
            let log = scene.installed.file("log")
            try scene.startDaemon(
                "--no-lock-events", environment: value.map { ["LLAVERO_DEBUGGER": $0] } ?? [:], complaints: log)
            #expect(try isOpen(as: UserScene.user) == (value == "allowed"))
            let said = try String(contentsOfFile: log, encoding: .utf8)
            #expect(said.contains("WARNING: LLAVERO_DEBUGGER=allowed") == (value == "allowed"), "\(said)")
            let pid = try #require(scene.daemonProcess)
            let limits = try String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)
            let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        }

        @Test("the system's daemon, which has every user's keys, lets none in")
        func system() throws {
            try scene.startSystemDaemon(environment: ["LLAVERO_DEBUGGER": "allowed"])
            #expect(try !isOpen(as: UserScene.daemonUser))
        }
    }
#endif
