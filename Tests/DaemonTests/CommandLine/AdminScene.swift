// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import TestProcesses
import TestPrompts

/// A user with a keychain, whom nobody but the tool serves: a daemon that it starts ends with the scene.
final class AdminScene {
    let folder: TestFolder
    var socket: String { folder.file("run/llavero/socket") }

    init() throws {
        folder = try TestFolder()
        _ = try folder.makeFolder("run")
    }

    deinit { stopAgent() }

    /// What a program said, and how it ended.
    struct Answer {
        let code: Int32
        let output: String
        let complaint: String
    }

    /// No pinentry is found in the path, so people are asked at terminals.
    var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "PATH": "/nowhere",
            "LLAVERO_ENCLAVE": "software", "LANG": "C.UTF-8",
        ].merging(TestEnvironment.withoutSystemDaemon) { $1 }
    }

    /// The folder of the keychain's files.
    var keychain: String { folder.file(".local/share/llavero/login") }

    /// Runs the tool without a terminal; `old` can be read from its descriptor 3 and `new` from 4.
    ///
    /// Variables of `more` that are empty are not there at all.
    func tool(
        _ words: [String], old: String = "", new: String = "", more: [String: String] = [:], program: String? = nil
    ) throws -> Answer {
        for (name, text) in [("old", old), ("new", new)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        let (output, complaint) = (folder.file("output"), folder.file("complaint"))
        let script =
            "exec \"$@\" </dev/null 3<'\(folder.file("old"))' 4<'\(folder.file("new"))' >'\(output)' 2>'\(complaint)'"
        process.arguments =
            ["--wait", "/bin/sh", "-c", script, "sh", try program ?? SessionProcess.helper("llavero")] + words
        process.environment = environment.merging(more) { $1 }.filter { !$0.value.isEmpty }
        try process.run()
        process.waitUntilExit()
        return Answer(
            code: process.terminationStatus, output: folder.text("output"), complaint: folder.text("complaint"))
    }

    func tool(_ words: String..., old: String = "") throws -> Answer { try tool(words, old: old) }

    /// Runs the tool at a terminal.
    func tool(at terminal: PseudoTerminal, _ words: String...) throws -> SessionProcess {
        try terminal.run(
            [SessionProcess.helper("llavero")] + words, environment: environment.merging(["TERM": "xterm"]) { $1 })
    }

    /// What `status --plain` says of one thing.
    func status(_ name: String) throws -> String? {
        let answer = try tool("status", "--plain")
        let lines = answer.output.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        return lines.first { $0.first.map(String.init) == name }?.last.map(String.init)
    }

    /// Starts a daemon for this user, and returns when it serves.
    func startDaemon(at socket: String) throws -> Process {
        let ready = try ReadySocket(folder.file("ready"))
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: try SessionProcess.helper("llaverod"))
        daemon.arguments = ["--socket", socket, "--no-lock-events"]
        daemon.environment = environment.merging(["NOTIFY_SOCKET": ready.path]) { $1 }
        try daemon.run()
        try ready.awaitReady()
        return daemon
    }

    /// The daemon that listens at the user's socket, which the tool started; nil when there is none.
    var agent: pid_t? { agent(at: socket) }

    private func agent(at socket: String) -> pid_t? {
        let client = llv_peer_connect(socket)
        guard client >= 0 else { return nil }
        defer { close(client) }
        var credentials = llv_peer_credentials()
        return llv_peer_read_credentials(client, &credentials) == 0 ? credentials.pid : nil
    }

    /// Ends the daemon that the tool started, and returns when it has gone.
    func stopAgent() { stopAgent(at: socket) }

    func stopAgent(at socket: String) {
        guard let agent = agent(at: socket) else { return }
        kill(agent, SIGTERM)
        // It is another's child: it may lie there until somebody collects it.
        try? EventLimit.wait(for: "the agent has gone") {
            (try? String(contentsOfFile: "/proc/\(agent)/stat", encoding: .utf8))?.contains(") Z ") ?? true
        }
    }
}

extension Process {
    /// Ends it, and returns when it has gone.
    func end() {
        terminate()
        waitUntilExit()
    }

    /// Kills it, so that it gives nothing back.
    func kill() {
        Foundation.kill(processIdentifier, SIGKILL)
        waitUntilExit()
    }
}
