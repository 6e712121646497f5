// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A user without any rights, that user's daemon, and programs that root installed for that user.
///
/// They see a /run of their own, so that a program which believes no environment finds the daemon, and the machine's own
/// is left alone.
final class UserScene {
    static let user: UInt32 = 65_534
    /// A group of no name, so without members.
    static let mark: UInt32 = 54_321
    static let isPossible = geteuid() == 0

    let installed: InstalledFolder
    private let room: Process
    private let ready: ReadySocket
    private var daemon: Process?

    init() throws {
        installed = try InstalledFolder()
        try installed.makeFolder("home", mode: 0o700, user: UserScene.user)
        ready = try ReadySocket(installed.file("ready"))
        room = Process()
        let line = Pipe()
        room.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let run = "/run/user/\(UserScene.user)"
        let script = "mount -t tmpfs none /run && mkdir -p \(run) && chown \(UserScene.user) \(run) && echo && exec cat"
        room.arguments = ["-m", "/bin/sh", "-c", script]
        room.standardInput = Pipe()
        room.standardOutput = line
        try room.run()
        guard !line.fileHandleForReading.availableData.isEmpty else { throw ReadySocket.NotReady() }
    }

    deinit {
        stopDaemon()
        room.terminate()
        room.waitUntilExit()
    }

    /// Starts the daemon, and returns when it serves.
    func startDaemon(_ arguments: String...) throws {
        if !FileManager.default.fileExists(atPath: installed.file("llaverod")) {
            try installed.install("llaverod", as: "llaverod")
        }
        let daemon = process("llaverod", ["--entitlements", installed.entitlements] + arguments)
        try daemon.run()
        self.daemon = daemon
        try ready.awaitReady()
    }

    func stopDaemon() {
        daemon?.terminate()
        daemon?.waitUntilExit()
        daemon = nil
    }

    /// Starts a program that was installed, and that stays to be asked.
    func program(_ name: String, environment: [String: String] = [:]) throws -> AskingProgram {
        let process = process(name, ["ask"])
        process.environment?.merge(environment) { $1 }
        return try AskingProgram(process)
    }

    private func process(_ name: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/nsenter")
        process.arguments =
            [
                "--mount=/proc/\(room.processIdentifier)/ns/mnt", "/usr/bin/setpriv", "--reuid=\(UserScene.user)",
                "--regid=\(UserScene.user)", "--clear-groups", installed.file(name),
            ] + arguments
        process.environment = [
            "HOME": installed.file("home"), "XDG_RUNTIME_DIR": "/run/user/\(UserScene.user)",
            "LLAVERO_ENCLAVE": "software", "NOTIFY_SOCKET": ready.path,
        ]
        return process
    }
}
