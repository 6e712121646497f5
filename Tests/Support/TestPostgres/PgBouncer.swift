// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import TestProcesses

/// A pgbouncer that lends two connections to a server for single transactions, over a Unix socket by SCRAM, and over TLS by client
/// certificates.
package final class PgBouncer: Sendable {
    package let folder: TestFolder
    package var port: UInt16 { heldPort.number }
    private let heldPort: HeldPort
    private let guardian: Guardian

    package static let program = [
        "/usr/sbin/pgbouncer", UnpackedPrograms.root + "/usr/sbin/pgbouncer",
    ]
    .first(where: FileManager.default.isExecutableFile)

    /// `roles` log in with this password; those of `overTLS` do that over TLS, where pgbouncer has no channel binding.
    package init(before server: PostgresServer, roles: [String], password: String, overTLS: [String] = []) throws {
        guard let program = PgBouncer.program else {
            throw Trouble("no pgbouncer; Scripts/install-packages.sh test unpacked")
        }
        let (folder, heldPort) = (try TestFolder(), try HeldPort())
        (self.folder, self.heldPort) = (folder, heldPort)
        let port = heldPort.number
        chmod(folder.path, 0o755)
        func write(_ text: String, to name: String) throws {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
            if Root.isMine { chown(folder.file(name), Root.nobody, Root.nobody) }
        }
        if Root.isMine { chown(folder.path, Root.nobody, Root.nobody) }
        try write((roles + overTLS).map { "\"\($0)\" \"\(password)\"\n" }.joined(), to: "users")
        try write(
            overTLS.map { "hostssl all \"\($0)\" 127.0.0.1/32 scram-sha-256\n" }.joined()
                + "hostssl all all 127.0.0.1/32 cert\nlocal all all scram-sha-256\n", to: "hba")
        try FileManager.default.copyItem(atPath: server.folder.file("server.key"), toPath: folder.file("server.key"))
        if Root.isMine { chown(folder.file("server.key"), Root.nobody, Root.nobody) }
        try write(
            """
            [databases]
            circles = host=\(server.socket) port=\(server.port) dbname=circles
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir = \(folder.path)
            unix_socket_mode = 0777
            pool_mode = transaction
            default_pool_size = 2
            max_client_conn = 500
            auth_type = hba
            auth_file = \(folder.file("users"))
            auth_hba_file = \(folder.file("hba"))
            client_tls_sslmode = allow
            client_tls_ca_file = \(server.authority)
            client_tls_cert_file = \(server.folder.file("server.pem"))
            client_tls_key_file = \(folder.file("server.key"))

            """, to: "pgbouncer.ini")
        let words = (Root.isMine ? Root.asNobody : []) + [program, folder.file("pgbouncer.ini")]
        guardian = try Guardian(words, environment: ["PATH": "/usr/bin:/bin"], output: folder.file("log"))
        let socket = folder.file(".s.PGSQL.\(port)")
        let log = folder.file("log")
        try EventLimit.wait(for: "pgbouncer takes connections") {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if text.contains("FATAL") { throw Trouble(text) }
            return CuttingProxy.isThere(socket)
        }
    }
}
