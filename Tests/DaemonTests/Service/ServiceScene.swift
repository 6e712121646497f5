// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import TestProcesses
import TestPrompts

/// A user whose daemon is started by a service manager.
final class ServiceScene {
    let folder: TestFolder
    let socket: String
    private let notices: Int32

    init() throws {
        folder = try TestFolder()
        _ = try folder.makeFolder("run/llavero")
        socket = folder.file("run/llavero/socket")
        notices = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(folder.file("notices").utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(notices, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw Trouble("no socket for notices: \(errno)") }
    }

    deinit { close(notices) }

    var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "PATH": "/usr/bin:/bin",
            "LLAVERO_ENCLAVE": "software",
        ].merging(TestEnvironment.withoutSystemDaemon) { $1 }
    }

    /// What the daemon said on standard error.
    var complaints: String { folder.text("complaints") }

    /// Listens where the daemon would, as the service manager does; a descriptor to close.
    func listen() throws -> Int32 {
        let listener = llv_peer_listen(socket, 0o600, 128)
        guard listener >= 0 else { throw Trouble("no listener: \(-listener)") }
        return listener
    }

    /// Starts the daemon, and returns when it says that it is ready.
    ///
    /// With a `listener` it gets that one, and with a `credential` a folder where `passcode` has this content.
    func start(_ arguments: [String], listener: Int32? = nil, credential: String? = nil) throws -> Process {
        let daemon = try launch(arguments, listener: listener, credential: credential)
        guard try notice() == "READY=1" else { throw Trouble("the daemon says something else first") }
        return daemon
    }

    func start(_ arguments: String..., listener: Int32? = nil, credential: String? = nil) throws -> Process {
        try start(arguments, listener: listener, credential: credential)
    }

    /// The exit code of a daemon that does not get so far.
    func failure(listener: Int32) throws -> Int32 {
        let daemon = try launch([], listener: listener, credential: nil)
        daemon.waitUntilExit()
        return daemon.terminationStatus
    }

    private func launch(_ arguments: [String], listener: Int32?, credential: String?) throws -> Process {
        var variables = environment
        variables["NOTIFY_SOCKET"] = folder.file("notices")
        if let credential {
            variables["CREDENTIALS_DIRECTORY"] = try folder.makeFolder("credentials")
            try credential.write(toFile: folder.file("credentials/passcode"), atomically: true, encoding: .utf8)
        }
        let daemon = Process()
        daemon.environment = variables
        daemon.executableURL = URL(fileURLWithPath: "/bin/sh")
        // As it is on most systems, whatever it is where tests run.
        let limit = "ulimit -S -n 256; "
        let script =
            limit + (listener == nil ? "exec \"$@\"" : "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\"")
        daemon.arguments = ["-c", script, "sh", try SessionProcess.helper("llaverod")] + arguments
        daemon.standardInput = listener.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) }
        _ = FileManager.default.createFile(atPath: folder.file("complaints"), contents: nil)
        daemon.standardError = FileHandle(forWritingAtPath: folder.file("complaints"))
        try daemon.run()
        return daemon
    }

    /// What the daemon tells the service manager next.
    func notice() throws -> String {
        var awaited = pollfd(fd: notices, events: Int16(POLLIN), revents: 0)
        guard poll(&awaited, 1, 60_000) == 1 else { throw Trouble("no notice: \(complaints)") }
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = recv(notices, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func stop(_ daemon: Process) throws {
        daemon.terminate()
        guard try notice() == "STOPPING=1" else { throw Trouble("the daemon says something else") }
        daemon.waitUntilExit()
    }

    func process(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try SessionProcess.helper(program))
        process.arguments = arguments
        process.environment = environment
        return process
    }

    /// Runs a program to its end; returns what it prints, and its exit code at the end.
    func run(_ program: String, _ arguments: String...) throws -> [String] {
        let process = try process(program, arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init) + ["\(process.terminationStatus)"]
    }

    /// A program that stays, and asks when it is told to.
    func program() throws -> AskingProgram { try AskingProgram(process("llavero-test-helper", ["ask"])) }
}
