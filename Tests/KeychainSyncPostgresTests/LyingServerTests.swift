// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import TestCircles
import TestPostgres
import Testing

/// A real server with other tables in their places.
@Suite struct LyingServerTests {
    private static let server = Result { () throws -> PostgresServer in
        let server = try PostgresServer.shared.get()
        try server.sql(
            """
            create database lies;
            create role liar login password 'correct-horse' superuser
            """.split(separator: ";").map { "\($0);" }.joined(separator: "\n"), database: "postgres")
        return server
    }

    private static let sixteen = "decode(repeat('01', 16), 'hex')"
    private static let head =
        "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, 'ana'::name who, '\\x01'::bytea body"

    @Test(
        "an answer of another type, size or number is no answer",
        arguments: [
            ("lv_head", "select \(sixteen) circle, \(sixteen) as view, 1::int n, 'ana'::name who, '\\x01'::bytea body"),
            (
                "lv_head",
                "select \(sixteen) circle, \(sixteen) as view, 1::numeric n, 'ana'::name who, '\\x01'::bytea body"
            ),
            ("lv_head", "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, 'ana'::name who, 'text' body"),
            (
                "lv_head",
                "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, null::name who, '\\x01'::bytea body"
            ),
            (
                "lv_head",
                "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, repeat('a', 64) who, '\\x01'::bytea body"
            ),
            ("lv_head", "\(head) union all \(head)"),
            (
                "lv_head",
                "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, 'ana'::name who, "
                    + "decode(repeat('00', 2097153), 'hex') body"
            ),
            (
                "lv_head",
                "select \(sixteen) circle, \(sixteen) as view, 1::bigint n, 'ana'::name who, "
                    + "decode(repeat('00', 100000000), 'hex') body"
            ),
            (
                "lv_seen",
                "select \(sixteen) circle, \(sixteen) device, 'one'::text k, 'ana'::name who, '\\x01'::bytea body"
            ),
            (
                "lv_seen",
                "select \(sixteen) circle, \(sixteen) device, (-1)::bigint k, 'ana'::name who, '\\x01'::bytea body"
            ),
            (
                "lv_share",
                "select \(sixteen) circle, \(sixteen) device, 'one'::text c, 'ana'::name who, now() at, "
                    + "'\\x01'::bytea body"
            ),
            (
                "lv_share",
                "select \(sixteen) circle, \(sixteen) device, 1::bigint c, 'ana'::name who, now() at, "
                    + "decode(repeat('00', 100000000), 'hex') body"
            ),
            ("lv_mail", "select \(sixteen) circle, \(sixteen) box, 1::bigint k, 'text' body"),
        ])
    func lies(table: String, query: String) throws {
        let server = try LyingServerTests.server.get()
        let database = "lies\(UInt64.random(in: .min ... .max))"
        try server.sql("create database \(database) template lies", database: "postgres")
        try server.sql("create schema llavero;\ncreate view llavero.\(table) as \(query)", database: database)
        let circle = try #require(CircleID([UInt8](repeating: 1, count: 16)))
        let address = try ServerAddress(
            "host=localhost port=\(server.port) dbname=\(database) user=liar sslmode=verify-full "
                + "sslrootcert=\(server.authority)")
        let transport = PostgresTransport(address, circle: circle, password: Ground.password)
        let request: CircleRequest =
            switch table {
            case "lv_head": .chain(.log, behind: 0, limit: 10)
            case "lv_seen": .seen(of: [CircleConformance.device(1)], limit: 1)
            case "lv_share": .shares(CircleConformance.device(1))
            default: .mail(CircleConformance.box(1), behind: 0, limit: 10)
            }
        do throws(CircleServerError) {
            _ = try transport.perform(request)
            Issue.record("it was taken")
        } catch {
            guard case .broken = error else {
                Issue.record("\(error)")
                return
            }
        }
        transport.close()
    }

    @Test("an insertion that the server says it did, and did not, is not done")
    func lost() throws {
        let ground = try Ground()
        let server = ground.server
        let database = "lies\(UInt64.random(in: .min ... .max))"
        _ = try LyingServerTests.server.get()
        try server.sql("create database \(database) template lies", database: "postgres")
        try server.sql(
            """
            create schema llavero;
            create table llavero.lv_mail (circle bytea, box bytea, k bigint, body bytea);
            create rule nothing as on insert to llavero.lv_mail do instead nothing;
            """, database: database)
        let transport = ground.transport(
            try ServerAddress("host=\(server.socket) port=\(server.port) dbname=\(database) user=liar"))
        var insertion = CircleInsertion()
        insertion.mail = [MailBody(box: CircleConformance.box(1), number: 1, body: [1])]
        do throws(CircleServerError) {
            _ = try transport.perform(.insert(insertion))
            Issue.record("it was done")
        } catch {
            guard case .broken = error else {
                Issue.record("\(error)")
                return
            }
        }
        transport.close()
    }
}
