// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// A user with a home, whose daemon may run, and programs that have questions to the keychain.
final class DaemonScene {
    let folder: TestFolder
    let socket: String
    private let more: [String: String]
    private let ready: ReadySocket
    /// The folder of keychains.
    var root: String { folder.file(".local/share/llavero") }

    init(_ more: [String: String] = [:]) throws {
        self.more = more
        folder = try TestFolder()
        _ = try folder.makeFolder("run")
        socket = folder.file("run/llavero/socket")
        ready = try ReadySocket(folder.file("ready"))
    }

    var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "PATH": "/usr/bin:/bin",
            "LLAVERO_ENCLAVE": "software",
        ].merging(TestEnvironment.withoutSystemDaemon) { $1 }.merging(more) { $1 }
    }

    /// The path of a file of the user's.
    func file(_ name: String) -> String { folder.file(name) }

    private func process(_ program: String, _ arguments: [String]) throws -> Process {
        try process(at: SessionProcess.helper(program), arguments)
    }

    private func process(at path: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        return process
    }

    /// Starts the daemon, and returns when it answers.
    func startDaemon(_ arguments: String...) throws -> Process {
        let daemon = try process("llaverod", arguments)
        daemon.environment?["NOTIFY_SOCKET"] = ready.path
        try daemon.run()
        try ready.awaitReady()
        return daemon
    }

    /// Runs the daemon's program with a command; returns its exit code.
    func command(_ arguments: String...) throws -> Int32 { try run("llaverod", arguments) }

    /// Runs a program to its end; returns its exit code.
    func run(_ program: String, _ arguments: String...) throws -> Int32 { try run(program, arguments) }

    private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = try process(program, arguments)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A program that stays, and asks when it is told to.
    func program() throws -> AskingProgram { try AskingProgram(process("llavero-test-helper", ["ask"])) }

    /// The same program in another file.
    func program(at path: String, _ more: [String: String] = [:]) throws -> AskingProgram {
        let process = try process(at: path, ["ask"])
        process.environment?.merge(more) { $1 }
        return try AskingProgram(process)
    }
}
