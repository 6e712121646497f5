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
        "the commands of Docs/SyncOperations.md that have the server reached by its name, and the address that it has then"
    )
    func network() throws {
        let page = try String(contentsOfFile: "Docs/SyncOperations.md", encoding: .utf8)
        let marked = try #require(page.split(separator: "<!-- network -->").dropFirst().first)
        let block = try #require(marked.split(separator: "<!-- /network -->").first)
        let commands = block.split(separator: "\n").filter { !$0.hasPrefix("```") }
        #expect(commands.count == 6)
        let server = try PostgresServer()
        let home = try TestFolder()
        let shim = try home.makeFolder("bin")
        // Root's commands without root: files become the server's, and it is started again below.
        try """
        #!/bin/sh
        case "$1" in
        -u) shift 2; PGHOST='\(server.socket)' PGPORT=\(server.port) PGUSER=postgres exec "$@" ;;
        install) shift 3; install "$@" && eval "folder=\\${$#}" && chown --reference="$folder" "$folder"/circle.* ;;
        tee) exec "$@" ;;
        "systemctl") [ "$*" = "systemctl restart postgresql" ] ;;
        *) exit 1 ;;
        esac
        """.write(toFile: shim + "/sudo", atomically: true, encoding: .utf8)
        chmod(shim + "/sudo", 0o755)
        let llavero = URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path
        let environment = TestEnvironment.withoutSystemDaemon.merging([
            "PATH": "\(shim):\(llavero):/usr/bin:/bin", "HOME": home.path, "LLAVERO_HOME": home.path + "/keychains",
            "USER": "ana", "ADDRESS": "dbname=circles user=ana", "PORT": "port=\(server.port)",
        ]) { $1 }
        func run(_ script: String) throws -> String {
            try PostgresServer.run(
                ["bash", "-e", "-o", "pipefail", "-c", script], environment: environment, in: home.path)
        }
        _ = try run(
            commands.joined(separator: "\n").replacing("db.example.org", with: "localhost")
                .replacing("10.0.0.0/8", with: "127.0.0.0/8"))
        server.stop()
        try server.start()
        let said = try run(
            """
            psql() { sudo -u postgres psql -X -q -v ON_ERROR_STOP=1 circles; }
            llavero circle sql | psql
            printf seven-wet-lanterns > password
            there="host=localhost $PORT $ADDRESS sslmode=verify-full sslrootcert=$PWD/circle.crt"
            llavero circle create --server "$there" --name first --password-fd 3 3< password || true
            llavero circle sql --member ana --password-fd 3 3< password | psql
            llavero circle create --server "$there" --name first --password-fd 3 3< password
            llavero circle status
            """)
        #expect(said.contains("founded the circle"), "\(said)")
        // Who takes the address for the name is not spoken to.
        var refusal = ""
        do {
            refusal = try run(
                "llavero circle server \"host=127.0.0.1 $PORT $ADDRESS sslmode=verify-full sslrootcert=$PWD/circle.crt\" --password-fd 3 3< password"
            )
        } catch { refusal = "\(error)" }
        #expect(refusal.contains("did not prove who it is"), "\(refusal)")
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
