// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts

/// A user without any rights, that user's daemon, and programs that root installed for that user.
///
/// They see a /run of their own, so that a program which believes no environment finds the daemon, and the machine's own
/// is left alone; and a user database in which that user's home is the scene's, for the session's daemon serves no other.
final class UserScene {
    static let user: UInt32 = 65_534
    /// A group of no name, so without members.
    static let mark: UInt32 = 54_321
    /// Another one, and the one that the system's daemon runs as.
    static let otherUser: UInt32 = 65_532
    static let daemonUser: UInt32 = 65_533
    static let isPossible = geteuid() == 0

    let installed: InstalledFolder
    private let room: Process
    private let ready: ReadySocket
    private var daemons: [Process] = []

    init() throws {
        installed = try InstalledFolder()
        try installed.makeFolder("home", mode: 0o700, user: UserScene.user)
        try installed.makeFolder("home-\(UserScene.otherUser)", mode: 0o700, user: UserScene.otherUser)
        try installed.makeFolder("state", mode: 0o700, user: UserScene.daemonUser)
        ready = try ReadySocket(installed.file("ready"))
        room = Process()
        let line = Pipe()
        room.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let run = "/run/user/\(UserScene.user)"
        let script =
            "mount -t tmpfs -o mode=755 none /run && mkdir -p \(run) && chown \(UserScene.user) \(run) && mkdir /run/llavero"
            + " && chown \(UserScene.daemonUser) /run/llavero && (grep -v '^[^:]*:[^:]*:\(UserScene.user):' /etc/passwd"
            + "; echo 'nobody:x:\(UserScene.user):\(UserScene.user)::\(installed.file("home")):/bin/sh') > /run/passwd"
            + " && mount --bind /run/passwd /etc/passwd && echo && exec cat"
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
    ///
    /// What it says comes to `complaints`, where that is given.
    func startDaemon(
        _ arguments: String..., environment: [String: String] = [:], complaints: String? = nil
    ) throws {
        if !FileManager.default.fileExists(atPath: installed.file("llaverod")) {
            try installed.install("llaverod", as: "llaverod")
        }
        let daemon = process("llaverod", ["--entitlements", installed.entitlements] + arguments)
        daemon.environment?.merge(environment) { $1 }
        take(complaints, of: daemon)
        try daemon.run()
        daemons.append(daemon)
        try ready.awaitReady()
    }

    /// Starts the system's daemon as a user of its own, with the one capability that its unit gives it.
    ///
    /// What it says comes to `complaints`, where that is given.
    func startSystemDaemon(
        _ arguments: String..., environment: [String: String] = [:], complaints: String? = nil
    ) throws {
        try installed.install("llaverod", as: "llaverod")
        let daemon = process(
            "llaverod",
            ["--system", "--home", installed.file("state"), "--entitlements", installed.entitlements] + arguments,
            as: UserScene.daemonUser, with: ["--inh-caps=+sys_ptrace", "--ambient-caps=+sys_ptrace"])
        daemon.environment?.merge(environment) { $1 }
        take(complaints, of: daemon)
        try daemon.run()
        daemons.append(daemon)
        try ready.awaitReady()
    }

    private func take(_ complaints: String?, of daemon: Process) {
        guard let complaints else { return }
        _ = FileManager.default.createFile(atPath: complaints, contents: nil)
        daemon.standardError = FileHandle(forWritingAtPath: complaints)
    }

    /// The process of the daemon that was started last and runs.
    var daemonProcess: pid_t? { daemons.last?.processIdentifier }

    /// Kills the daemon that was started last, which leaves its socket where it was.
    func killDaemon() {
        guard let daemon = daemons.popLast() else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// Ends every daemon that was started.
    func stopDaemon() {
        for daemon in daemons {
            daemon.terminate()
            daemon.waitUntilExit()
        }
        daemons = []
    }

    /// Starts a program that was installed, and that stays to be asked.
    func program(
        _ name: String, environment: [String: String] = [:], as user: UInt32 = user, launcher: [String] = []
    ) throws -> AskingProgram {
        let process = process(name, ["ask"], as: user, launcher: launcher)
        process.environment?.merge(environment) { $1 }
        return try AskingProgram(process)
    }

    /// What a program said, and how it ended.
    struct Answer {
        let code: Int32
        let output: String
        let complaint: String
    }

    /// Runs an installed program to its end; `launcher` is a program with words to put before it.
    func run(
        _ name: String, _ words: [String], input: String = "", as user: UInt32 = user, launcher: [String] = []
    ) throws -> Answer {
        let process = process(name, words, as: user, launcher: launcher)
        let (typed, output, complaint) = (Pipe(), Pipe(), Pipe())
        process.standardInput = typed
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        // One that refuses before it reads has closed it.
        try? typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try typed.fileHandleForWriting.close()
        let texts = [output, complaint].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Answer(code: process.terminationStatus, output: texts[0], complaint: texts[1])
    }

    /// Runs a line of the shell as root, where the programs see what it does.
    func asRoot(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/nsenter")
        process.arguments = ["--mount=/proc/\(room.processIdentifier)/ns/mnt", "/bin/sh", "-c", line]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EPERM) }
    }

    /// Starts a program in a session of its own, at a terminal or with a file for what it says.
    func start(
        _ program: String, _ words: [String] = [], at terminal: PseudoTerminal? = nil, output: String = "/dev/null",
        environment more: [String: String] = [:], as user: UInt32 = user
    ) throws -> SessionProcess {
        // A terminal is its user's, for pinentry to open.
        if let terminal, chown(terminal.path, user, user) != 0 { throw POSIXError(.EPERM) }
        let path = program.hasPrefix("/") ? program : installed.file(program)
        var command = self.command(path, words, as: user, with: [])
        if terminal == nil { command = ["/bin/sh", "-c", "exec \"$@\" >'\(output)' 2>&1", "sh"] + command }
        // Here it is the scene's own.
        let variables = environment(of: user).merging(["LLAVERO_SYSTEM_SOCKET": "/run/llavero/socket"]) { $1 }
        return try SessionProcess(command, environment: variables.merging(more) { $1 }, terminal: terminal?.path)
    }

    /// An installed program that is not running yet.
    func process(
        _ name: String, _ arguments: [String], as user: UInt32 = user, with rights: [String] = [],
        launcher: [String] = []
    ) -> Process {
        let process = Process()
        let words = command(installed.file(name), arguments, as: user, with: rights + launcher)
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment(of: user)
        return process
    }

    private func command(_ path: String, _ words: [String], as user: UInt32, with rights: [String]) -> [String] {
        [
            "/usr/bin/nsenter", "--mount=/proc/\(room.processIdentifier)/ns/mnt", "/usr/bin/setpriv", "--reuid=\(user)",
            "--regid=\(user)", "--clear-groups",
        ] + rights + [path] + words
    }

    private func environment(of user: UInt32) -> [String: String] {
        [
            "HOME": installed.file(user == UserScene.user ? "home" : "home-\(user)"),
            "XDG_RUNTIME_DIR": "/run/user/\(user)",
            "LLAVERO_ENCLAVE": "software", "NOTIFY_SOCKET": ready.path,
        ]
    }
}
