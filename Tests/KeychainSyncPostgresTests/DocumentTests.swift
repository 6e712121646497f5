// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSyncPostgres
import TestPostgres
import TestProcesses
import Testing

@Suite struct DocumentTests {
    @Test(
        "the ten commands of Docs/SyncOperations.md as they stand there, but for where the server's socket is; libpq's variables have no say in llavero"
    )
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
        // The superuser's commands go to this server; nobody becomes another user for that.
        try
            "#!/bin/sh\n[ \"$1 $2\" = '-u postgres' ] || exit 1\nshift 2\nPGHOST='\(server.socket)' PGPORT=\(server.port) PGUSER=postgres exec \"$@\"\n"
            .write(toFile: shim + "/sudo", atomically: true, encoding: .utf8)
        chmod(shim + "/sudo", 0o755)
        let script =
            "set -e\n"
            + commands.map {
                "\($0)\n".replacing("host=/run/postgresql", with: "host=\(server.socket) port=\(server.port)")
            }.joined()
        let output = try PostgresServer.run(
            ["bash", "-o", "pipefail", "-c", script],
            environment: TestEnvironment.withoutSystemDaemon.merging([
                "PATH": "\(shim):/usr/bin:/bin", "HOME": home.path, "LLAVERO_HOME": home.path + "/keychains",
                "USER": "ana",
            ]) { $1 }, in: home.path)
        #expect(output.contains("founded the circle"), "\(output)")
        #expect(output.contains("records"), "\(output)")
        #expect(try server.sql("select count(*) from llavero.lv_head") != "0")
        #expect(try server.sql("select count(*) from pg_roles where rolname = 'keeper'") == "0")
        #expect(FileManager.default.fileExists(atPath: home.file("circles.dump")))
    }

    @Test(
        "without PostgreSQL's library it is said, and how to get it",
        .enabled(if: geteuid() == 0, "only root can hide it"))
    func library() throws {
        let home = try TestFolder()
        let program = URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path + "/llavero"
        // One that is there and cannot be loaded is as good as none.
        let script = """
            for file in $(ldconfig -p | sed -n 's/.*libpq\\.so\\.5 .* => //p'); do mount --bind /dev/null "$(readlink -f "$file")"; done
            exec "$0" circle create --server 'host=/nonexistent dbname=circles user=ana' --name first
            """
        var said = ""
        do {
            _ = try PostgresServer.run(
                ["unshare", "-m", "bash", "-c", script, program],
                environment: TestEnvironment.withoutSystemDaemon.merging([
                    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home.path,
                    "LLAVERO_HOME": home.path + "/keychains",
                ]) { $1 }, in: home.path)
        } catch { said = "\(error)" }
        #expect(said.contains("sudo apt install libpq5"), "\(said)")
        #expect(!said.contains("the server refused"), "\(said)")
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
