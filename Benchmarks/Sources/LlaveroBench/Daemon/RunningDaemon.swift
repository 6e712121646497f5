// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// `llaverod` with a keychain of its own, and programs that ask it.
final class RunningDaemon {
    private let folder = try? TemporaryFolder()
    private let client: String
    private let daemon: Process
    let socket: String

    /// Starts it and stores items; nil when the programs were not built.
    init?(items: Int) throws {
        guard let folder, let program = RunningDaemon.program("llaverod", "LLAVERO_DAEMON"),
            let client = RunningDaemon.program("llavero-client", "LLAVERO_CLIENT")
        else { return nil }
        self.client = client
        socket = folder.path + "/socket"
        daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: program)
        daemon.arguments = ["--home", folder.path + "/keychains", "--socket", socket]
        daemon.environment = ["LLAVERO_ENCLAVE": "software"]
        daemon.standardInput = FileHandle.nullDevice
        try daemon.run()
        while RawClient(socket) == nil {
            try WrongResult.unless(daemon.isRunning, "llaverod ended")
            usleep(1000)
        }
        let fill = Child(program: client, arguments: ["fill", "\(items)"], environment: environment)
        _ = try fill.microseconds()
    }

    deinit {
        daemon.terminate()
        daemon.waitUntilExit()
    }

    var environment: [String] { ["LLAVERO_SOCKET=\(socket)"] }

    func start(_ mode: String, items: Int, socket: String? = nil) throws -> DaemonClient {
        try DaemonClient(client, [mode, "\(items)"], socket: socket ?? self.socket)
    }

    /// What a line of the daemon's /proc/PID/status says.
    func kilobytes(_ name: String) throws -> Double {
        guard let line = try RunningDaemon.lines("/proc/\(daemon.processIdentifier)/status", name).first else {
            throw WrongResult("nothing says \(name)")
        }
        return line
    }

    /// How often its threads have gone to sleep, all together, and how many they are.
    func sleeps() throws -> (sum: Double, threads: Int) {
        let tasks = "/proc/\(daemon.processIdentifier)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
        let counts = try threads.flatMap {
            try RunningDaemon.lines("\(tasks)/\($0)/status", "voluntary_ctxt_switches:")
        }
        return (counts.reduce(0, +), threads.count)
    }

    private static func lines(_ path: String, _ name: String) throws -> [Double] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(name) }.compactMap { Double($0.filter(\.isNumber)) }
    }

    /// A program beside this one, or where a variable says: Scripts/bench.sh builds it statically linked, elsewhere.
    private static func program(_ name: String, _ variable: String) -> String? {
        if let path = ProcessInfo.processInfo.environment[variable] { return path }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = own.map { ($0 as NSString).deletingLastPathComponent + "/" + name }
        return path.flatMap { access($0, X_OK) == 0 ? $0 : nil }
    }
}
