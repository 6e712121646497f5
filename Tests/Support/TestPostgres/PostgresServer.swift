// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
package import TestProcesses

/// A PostgreSQL server of the tests' own, on a Unix socket and on the loopback address with TLS by its own authority.
///
/// It runs as nobody when the tests run as root, for a server refuses to be root's.
package final class PostgresServer: Sendable {
    package let folder: TestFolder
    package var port: UInt16 { heldPort.number }
    private let heldPort: HeldPort
    /// The folder of its Unix socket.
    package var socket: String { folder.path }
    /// The authority's certificate, and another authority's.
    package var authority: String { folder.file("authority.pem") }
    package var otherAuthority: String { folder.file("other.pem") }

    private let running = Mutex<Guardian?>(nil)

    /// One for all tests of a process; it ends with the process.
    package static let shared: Result<PostgresServer, any Error> = Result { () throws -> PostgresServer in
        let server = try PostgresServer()
        atexit {
            guard let server = try? PostgresServer.shared.get() else { return }
            server.stop()
            try? FileManager.default.removeItem(atPath: server.folder.path)
        }
        return server
    }

    /// Where the server's programs are, installed or unpacked; nil where there are none.
    package static let programs: String? = {
        for root in ["", UnpackedPrograms.root] {
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root + "/usr/lib/postgresql")) ?? []
            for version in versions.sorted(by: { Int($0) ?? 0 > Int($1) ?? 0 }) {
                let folder = "\(root)/usr/lib/postgresql/\(version)/bin"
                if FileManager.default.isExecutableFile(atPath: folder + "/postgres") { return folder }
            }
        }
        return nil
    }()

    /// A new one, started, with a database `circles`; `lines` go into its configuration.
    package init(configuration lines: [String] = []) throws {
        guard let programs = PostgresServer.programs else {
            throw Trouble("no PostgreSQL server; Scripts/install-packages.sh test unpacked")
        }
        folder = try TestFolder()
        heldPort = try HeldPort()
        chmod(folder.path, 0o755)
        let user = Root.isMine ? Root.asNobody : []
        let data = folder.file("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        if Root.isMine { chown(folder.path, Root.nobody, Root.nobody) }
        if Root.isMine { chown(data, Root.nobody, Root.nobody) }
        try PostgresServer.run(
            user + [
                programs + "/initdb", "--pgdata=\(data)", "--username=postgres", "--auth=trust", "--encoding=UTF8",
                "--locale=C.UTF-8", "--no-sync",
            ], in: folder.path)
        try makeCertificates()
        try write(
            """
            listen_addresses = '127.0.0.1'
            port = \(port)
            unix_socket_directories = '\(folder.path)'
            unix_socket_permissions = 0777
            fsync = off
            max_connections = 120
            ssl = on
            ssl_ca_file = '\(authority)'
            ssl_cert_file = '\(folder.file("server.pem"))'
            ssl_key_file = '\(folder.file("server.key"))'
            log_min_messages = fatal
            \(lines.joined(separator: "\n"))

            """, to: "data/postgresql.conf")
        try write(
            """
            local   all +by_peer                  peer
            local   all +by_scram                 scram-sha-256
            local   all all                       trust
            hostssl all +by_certificate 127.0.0.1/32 cert
            hostssl all +by_md5         127.0.0.1/32 md5
            hostssl all +in_clear       127.0.0.1/32 password
            hostssl all +trusted        127.0.0.1/32 trust
            hostssl all all             127.0.0.1/32 scram-sha-256

            """, to: "data/pg_hba.conf")
        try start()
        try sql("create database circles", database: "postgres")
        for group in ["by_certificate", "by_md5", "in_clear", "trusted", "by_peer", "by_scram"] {
            try sql("create role \(group)")
        }
    }

    deinit { stop() }

    package func start() throws {
        guard let programs = PostgresServer.programs else { throw Trouble("no PostgreSQL server") }
        let words = (Root.isMine ? Root.asNobody : []) + [programs + "/postgres", "-D", folder.file("data")]
        // Behind an end, what ended with it is told, and clients come before it is ready: only a first start is judged by that.
        let isFirst = folder.text("log").isEmpty
        let guardian = try Guardian(
            words, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], output: folder.file("log"))
        running.withLock { $0 = guardian }
        try EventLimit.wait(for: "PostgreSQL takes connections") {
            let log = folder.text("log")
            if isFirst, log.contains("FATAL"), !log.contains("starting up") { throw Trouble(log) }
            return CuttingProxy.isThere(folder.file(".s.PGSQL.\(port)"))
        }
        try EventLimit.wait(for: "PostgreSQL has started") {
            do { try sql("select 1", database: "postgres") } catch {
                // The second one while it reads its log again.
                guard ["starting up", "not yet accepting"].contains(where: "\(error)".contains) else { throw error }
                return false
            }
            return true
        }
    }

    /// Ends it at once, as `pg_ctl stop -m immediate`; a killed one would leave its shared memory behind.
    package func stop() {
        running.withLock { running in
            guard let guardian = running else { return }
            guardian.send("QUIT")
            try? EventLimit.wait(for: "PostgreSQL has ended") {
                !FileManager.default.fileExists(atPath: folder.file("data/postmaster.pid"))
            }
            running = nil
        }
    }

    /// Runs SQL as the server's superuser, and returns what it printed: rows in lines, columns between `|`.
    @discardableResult
    package func sql(_ text: String, database: String = "circles", as role: String = "postgres") throws -> String {
        let file = folder.file("sql-\(UUID().uuidString)")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try PostgresServer.run(
            [
                "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", socket, "-p", "\(port)", "-U", role,
                "-d",
                database, "-f", file,
            ], in: folder.path)
    }

    /// A certificate of the tests' authority for a role: its file and that of its key.
    package func certificate(
        of role: String, authority: String = "authority", name: String = UUID().uuidString
    ) throws -> (file: String, key: String) {
        try makeCertificate(name, "/CN=\(role)", alternative: nil, authority: authority)
        return (folder.file(name + ".pem"), folder.file(name + ".key"))
    }

    private func makeCertificates() throws {
        for name in ["authority", "other"] {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj",
                "/CN=\(name) of tests", "-keyout", name + ".key", "-out", name + ".pem")
        }
        try makeCertificate("server", "/CN=server of tests", alternative: "DNS:localhost")
        if Root.isMine { chown(folder.file("server.key"), Root.nobody, Root.nobody) }
    }

    private func makeCertificate(
        _ name: String, _ subject: String, alternative: String?, authority: String = "authority"
    ) throws {
        let extensions = alternative.map { "subjectAltName=\($0)\n" } ?? "basicConstraints=CA:FALSE\n"
        try write(extensions, to: name + ".ext")
        try openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject,
            "-keyout",
            name + ".key", "-out", name + ".csr")
        try openssl(
            "x509", "-req", "-in", name + ".csr", "-CA", authority + ".pem", "-CAkey", authority + ".key", "-days",
            "30",
            "-set_serial",
            "\(UInt32.random(in: 1...UInt32.max))", "-extfile", name + ".ext", "-out", name + ".pem")
        chmod(folder.file(name + ".key"), 0o600)
    }

    private func openssl(_ words: String...) throws { try PostgresServer.run(["openssl"] + words, in: folder.path) }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        if Root.isMine { chown(folder.file(name), Root.nobody, Root.nobody) }
    }

    @discardableResult
    package static func run(_ words: [String], environment: [String: String] = [:], in folder: String) throws -> String
    {
        // Into a file: a pipe ends with the last process that has it open, and that may be another test's.
        let said = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-said-\(UUID().uuidString)")
            .path
        let file = open(said, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Trouble("no file for what it says: \(errno)") }
        unlink(said)
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.seek(toOffset: 0)
        let output = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        guard process.terminationStatus == 0 else { throw Trouble("\(words.joined(separator: " ")): \(output)") }
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The programs that Scripts/install-packages.sh unpacks.
enum UnpackedPrograms {
    /// The folder that they are in: that of the scripts, or a copy where nobody, as whom they run, cannot reach it.
    static let root: String = {
        let here = FileManager.default.currentDirectoryPath + "/.build/unpacked"
        let parts = ["usr/lib/postgresql", "usr/share/postgresql", "usr/sbin"].filter {
            FileManager.default.fileExists(atPath: "\(here)/\($0)")
        }
        guard Root.isMine, !parts.isEmpty,
            (try? PostgresServer.run(Root.asNobody + ["test", "-x", here], in: "/")) == nil,
            let copy = try? TestFolder()
        else { return here }
        // As long as this process.
        let folder = Unmanaged.passRetained(copy).takeUnretainedValue().path
        chmod(folder, 0o755)
        for part in parts {
            _ = try? PostgresServer.run(["cp", "--archive", "--parents", part, folder], in: here)
        }
        copied = folder
        atexit { if let folder = UnpackedPrograms.copied { try? FileManager.default.removeItem(atPath: folder) } }
        return folder
    }()

    nonisolated(unsafe) private static var copied: String?
}

/// A port of the loopback address that is nobody else's for as long as this lives, and at which nobody answers unless a server takes
/// it that reuses addresses: a socket is bound to it, and does not listen.
package final class HeldPort: Sendable {
    package let number: UInt16
    private let socket: Int32

    package init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        // Only now: with it, the system could have given a port that another one holds.
        var isReused: Int32 = 1
        guard isBound,
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size)) == 0
        else {
            close(socket)
            throw Trouble("no port: \(errno)")
        }
        self.socket = socket
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }
}
