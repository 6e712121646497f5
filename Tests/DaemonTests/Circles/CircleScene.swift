// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPostgres
import TestProcesses
import TestPrompts

/// Machines of one circle, each a home with a daemon of its own, and the database that they share.
final class CircleScene {
    let server: PostgresServer
    private(set) var circle = ""

    /// A machine: what is run on it goes through its daemon while that runs.
    final class Machine {
        let name: String
        let folder: TestFolder
        private let address: String
        private let ready: ReadySocket
        private(set) var daemon: Process?

        init(_ name: String, _ server: PostgresServer) throws {
            self.name = name
            folder = try TestFolder()
            ready = try ReadySocket(folder.file("ready"))
            address = "host=\(server.socket) port=\(server.port) dbname=circles user=\(name)"
        }

        deinit { daemon?.terminate() }

        private func environment() throws -> [String: String] {
            [
                "HOME": folder.path, "LLAVERO_HOME": folder.file("keychains"), "LLAVERO_SOCKET": folder.file("socket"),
                "PATH": "/usr/bin:/bin", "LLAVERO_ENCLAVE": "software", "LC_ALL": "C.UTF-8", "SERVER": address,
                "LLAVERO": try SessionProcess.helper("llavero"),
            ].merging(TestEnvironment.withoutSystemDaemon) { $1 }
        }

        /// Runs a line of shell in which `$LLAVERO` is the tool and `$SERVER` the address; what it printed, trimmed.
        @discardableResult
        func shell(_ line: String, expecting code: Int32 = 0) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "exec >\(folder.file("said")) 2>&1 </dev/null; " + line]
            process.environment = try environment()
            process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            try process.run()
            process.waitUntilExit()
            let said = folder.text("said").trimmingCharacters(in: .whitespacesAndNewlines)
            guard process.terminationStatus == code else { throw Trouble("\(name)$ \(line)\n\(said)") }
            return said
        }

        func startDaemon(_ more: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try SessionProcess.helper("llaverod"))
            process.arguments = ["--socket", folder.file("socket"), "--no-lock-events"] + more
            process.environment = try environment().merging(["NOTIFY_SOCKET": folder.file("ready")]) { $1 }
            let log = folder.file("log")
            if !FileManager.default.fileExists(atPath: log) {
                _ = FileManager.default.createFile(atPath: log, contents: nil)
            }
            let file = FileHandle(forWritingAtPath: log)
            file?.seekToEndOfFile()
            process.standardError = file
            try process.run()
            daemon = process
            try ready.awaitReady()
        }

        /// Ends it as the service manager does; the code that it ends with by itself, nil where it does not.
        @discardableResult
        func stopDaemon() -> Int32? {
            guard let daemon else { return nil }
            daemon.terminate()
            daemon.waitUntilExit()
            self.daemon = nil
            return daemon.terminationReason == .exit ? daemon.terminationStatus : nil
        }

        func value(of item: String) -> String? { try? shell("$LLAVERO get \(item)") }

        func await(_ value: String, of item: String) throws {
            try EventLimit.wait(for: "\(item) is \(value) on \(name): \(folder.text("log"))") {
                self.value(of: item) == value
            }
        }
    }

    /// One machine founds a circle, and its daemon runs.
    init(configuration: [String] = []) throws {
        server = try PostgresServer(configuration: configuration)
    }

    func found(_ name: String) throws -> Machine {
        let machine = try Machine(name, server)
        try machine.startDaemon("--sync-every", "1")
        try server.sql(try machine.shell("$LLAVERO circle sql"))
        _ = try? machine.shell(#"$LLAVERO circle create --server "$SERVER" --quiet"#)
        try server.sql(try machine.shell("$LLAVERO circle sql --member \(name) --certificate"))
        try machine.shell(#"$LLAVERO circle create --server "$SERVER" --quiet"#)
        let status = try machine.shell("$LLAVERO circle status --plain")
        for line in status.split(separator: "\n") where line.hasPrefix("circle\t") {
            circle = String(line.dropFirst(7))
        }
        return machine
    }

    /// Another machine joins by a token: the first one's daemon admits it.
    func join(_ name: String, by sponsor: Machine) throws -> Machine {
        let machine = try Machine(name, server)
        try machine.startDaemon("--sync-every", "1")
        try server.sql(try sponsor.shell("$LLAVERO circle sql --member \(name) --certificate --circle \(circle)"))
        try sponsor.shell("$LLAVERO circle invite --name \(name) >\(machine.folder.file("token"))")
        try machine.shell(#"$LLAVERO circle join --server "$SERVER" --token-fd 8 8<token"#)
        return machine
    }
}
