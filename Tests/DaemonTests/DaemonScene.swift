// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// A user with a home, whose daemon may run, and programs that have questions to the keychain.
final class DaemonScene {
    private let folder: TestFolder
    let socket: String

    init() throws {
        folder = try TestFolder()
        _ = try folder.makeFolder("run")
        socket = folder.file("run/llavero/socket")
    }

    private var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "PATH": "/usr/bin:/bin",
            "LLAVERO_ENCLAVE": "software",
        ]
    }

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
        try daemon.run()
        for _ in 0..<2000 {
            // Once it listens it has the keychain, or is about to take it before it serves anybody.
            if FileManager.default.fileExists(atPath: socket), try program().ask("get nothing").first != "-25291" {
                return daemon
            }
            usleep(5000)
        }
        throw NoDaemon()
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
    func program(at path: String) throws -> AskingProgram { try AskingProgram(process(at: path, ["ask"])) }

    struct NoDaemon: Error {}
}
