// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSyncPostgres
import TestPostgres
import TestProcesses
import Testing

@Suite struct DocumentTests {
    @Test("the ten commands of Docs/SyncOperations.md as they stand there; libpq's variables have no say in llavero")
    func commands() throws {
        let page = try String(contentsOfFile: "Docs/SyncOperations.md", encoding: .utf8)
        let marked = try #require(page.split(separator: "<!-- commands -->").dropFirst().first)
        let block = try #require(marked.split(separator: "<!-- /commands -->").first)
        let commands = block.split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(commands.count == 10)

        let server = try PostgresServer()
        // The document makes the database.
        try server.sql("drop database circles", database: "postgres")
        let home = try TestFolder()
        let llavero = URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path
        let shim = try home.makeFolder("bin")
        // What llavero is told by the environment has no say; psql and the others are told where the server is.
        try
            "#!/bin/sh\nPGHOST=/nonexistent PGUSER=nobody PGPASSWORD=wrong PGOPTIONS='-c nonsense=1' exec \(llavero)/llavero \"$@\"\n"
            .write(toFile: shim + "/llavero", atomically: true, encoding: .utf8)
        chmod(shim + "/llavero", 0o755)
        let script = "set -e\n" + commands.map { "\($0)\n" }.joined()
        let output = try PostgresServer.run(
            ["bash", "-o", "pipefail", "-c", script],
            environment: TestEnvironment.withoutSystemDaemon.merging([
                "PATH": "\(shim):/usr/bin:/bin", "HOME": home.path, "LLAVERO_HOME": home.path + "/keychains",
                "PGHOST": server.socket, "PGPORT": "\(server.port)", "PGUSER": "postgres",
                "SERVER": "host=\(server.socket) port=\(server.port) dbname=circles user=ana",
            ]) { $1 }, in: home.path)
        #expect(output.contains("founded the circle"), "\(output)")
        #expect(output.contains("records"), "\(output)")
        #expect(try server.sql("select count(*) from llavero.lv_head") != "0")
        #expect(try server.sql("select count(*) from pg_roles where rolname = 'keeper'") == "0")
        #expect(FileManager.default.fileExists(atPath: home.file("circles.dump")))
    }

    @Test("neither a file of passwords nor a service file lets llavero in")
    func files() throws {
        let server = try PostgresServer.shared.get()
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        try server.sql("grant by_scram to \"\(role)\"")
        let home = try TestFolder()
        try "*:*:*:*:correct-horse\n".write(toFile: home.file(".pgpass"), atomically: true, encoding: .utf8)
        chmod(home.file(".pgpass"), 0o600)
        let program = URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path + "/llavero"
        func create(_ environment: [String: String]) -> String {
            do {
                return try PostgresServer.run(
                    [program, "circle", "create", "--server", ground.socketAddress(role).description],
                    environment: TestEnvironment.withoutSystemDaemon.merging(
                        ["HOME": home.path, "LLAVERO_HOME": home.path + "/keychains"]
                    ) { $1 }.merging(environment) { $1 }, in: home.path)
            } catch { return "\(error)" }
        }
        // psql gets in with it.
        let psql = [
            "psql", "-X", "-A", "-t", "-h", server.socket, "-p", "\(server.port)", "-U", role, "-c", "select 1",
            "circles",
        ]
        #expect(try PostgresServer.run(psql, environment: ["HOME": home.path], in: home.path) == "1")
        for environment in [[:], ["PGPASSFILE": home.file(".pgpass")], ["PGPASSWORD": "correct-horse"]] {
            let output = create(environment)
            #expect(output.contains("Logging in failed"), "\(output)")
            #expect(!output.contains("horse"))
        }
        #expect(create(["PGSERVICE": "prod"]).contains("PGSERVICE is set"))
    }
}
