// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSync
import KeychainSyncPostgres
import TestCircles
import TestPostgres
import Testing

@Suite struct SchemaTests {
    @Test("the set-up run again changes nothing, and what was there stays")
    func again() throws {
        // In a database of its own: it locks the tables, one after the other.
        let (ground, database) = try emptyDatabase()
        try ground.server.sql(SyncSchema.setUp, database: database)
        let role = ground.role("ana")
        try ground.server.sql(
            SyncSchema.member(role, circle: ground.circle, login: Ground.login()), database: database)
        let transport = ground.transport(
            try ServerAddress(
                ground.socketAddress(role).description.replacing("dbname=circles", with: "dbname=\(database)")))
        try ground.fill(transport)
        let before = try ground.definitions(of: database)
        try ground.server.sql(SyncSchema.setUp, database: database)
        #expect(try ground.definitions(of: database) == before)
        guard case .newest(let ends) = try transport.perform(.newest([.heads(CircleConformance.view(1))])),
            ends.map(\.number) == [1]
        else {
            Issue.record("what was there is gone")
            return
        }
        transport.close()
        try ground.server.sql("drop database \(database) with (force)", database: "postgres")
    }

    @Test("of a commit whose number is taken no record was written, and no dead rows are left")
    func deadRows() throws {
        // In a database of its own, where nobody else writes: the file of a table grows with each row, whatever became of it.
        let (ground, database) = try emptyDatabase()
        try ground.server.sql(SyncSchema.setUp, database: database)
        let role = ground.role("ana")
        try ground.server.sql(
            SyncSchema.member(role, circle: ground.circle, login: Ground.login()), database: database)
        let transport = ground.transport(
            try ServerAddress(
                ground.socketAddress(role).description.replacing("dbname=circles", with: "dbname=\(database)")))
        let view = CircleConformance.view(1)
        func commit(_ number: UInt64, _ chance: Int64, _ count: Int) throws(CircleServerError) {
            var insertion = CircleInsertion()
            insertion.chains = [(.heads(view), ChainBody(number: number, body: [1]))]
            insertion.records = (0..<count).map { (view, CircleConformance.record($0, number, chance: chance)) }
            _ = try transport.perform(.insert(insertion))
        }
        func size() throws -> String {
            try ground.server.sql("select pg_relation_size('llavero.lv_record')", database: database)
        }
        try commit(1, 1, 1)
        let before = try size()
        #expect(throws: CircleServerError.taken) { try commit(1, 2, 1000) }
        #expect(try size() == before)
        try commit(2, 3, 1000)
        #expect(try size() != before)
        transport.close()
        try ground.server.sql("drop database \(database) with (force)", database: "postgres")
    }

    @Test(
        "a role's name is quoted, whatever is in it",
        arguments: [
            "a\"b", "a'b", "a\\b", "a\\'; drop schema llavero cascade; --", "a$$b", "a%sb", "Ána María", "A",
            // Marks that belong to the sign beside them.
            "a\u{D4E}\"b", "a'\u{301}b", "a\\\u{301}b", "a\"\u{301}b", "a\u{D4E}'b", "a\\\u{200D}'\u{200D}b",
        ])
    func names(name: String) throws {
        let ground = try Ground()
        let transport = try ground.member(name)
        _ = try transport.perform(.newest([.log]))
        try transport.insert(chain: .log, 1, [1])
        guard case .bodies(let bodies) = try transport.perform(.chain(.log, behind: 0, limit: 1)) else { return }
        #expect(bodies.map(\.who) == [ground.role(name)])
        try ground.server.sql(SyncSchema.drop(ground.role(name)))
    }

    @Test("a role that is there for something else is not dropped, and goes on logging in")
    func otherRole() throws {
        let ground = try Ground()
        let shop = ground.role("shop")
        try ground.server.sql("create role \"\(shop)\" login password 'x'")
        defer { _ = try? ground.server.sql("drop role \"\(shop)\"") }
        for role in [shop, "postgres"] {
            #expect(throws: (any Error).self) { try ground.server.sql(SyncSchema.drop(role)) }
            #expect(
                try ground.server.sql("select rolcanlogin from pg_catalog.pg_roles where rolname = '\(role)'") == "t")
        }
        #expect(
            try ground.server.sql("select rolpassword is null from pg_catalog.pg_authid where rolname = '\(shop)'")
                == "f")
    }

    @Test(
        "a name that no role of a circle can have is refused",
        arguments: [
            "", "pg_x", "public", "none", "current_user", "lv_member", "a\0b", "a\nb",
            String(repeating: "é", count: 32),
        ])
    func wrongNames(name: String) throws {
        let circle = try #require(CircleID([UInt8](repeating: 1, count: 16)))
        #expect(throws: RoleNameRefusal.self) { try SyncSchema.member(name, circle: circle, login: .certificate) }
        #expect(throws: RoleNameRefusal.self) { try SyncSchema.joiner(name, circle: circle, login: .certificate) }
        #expect(throws: RoleNameRefusal.self) { try SyncSchema.keeper(name, login: .certificate) }
        #expect(throws: RoleNameRefusal.self) { try SyncSchema.drop(name) }
    }

    @Test("a verifier is that of RFC 7677, and has no password in it")
    func verifier() throws {
        // The RFC's own exchange: user "user", password "pencil".
        let password = SecretValue(copying: Array("pencil".utf8))
        let salt: [UInt8] = [
            0x5B, 0x6D, 0x99, 0x68, 0x9D, 0x12, 0x35, 0x8E, 0xEC, 0xA0, 0x4B, 0x14, 0x12, 0x36, 0xFA, 0x81,
        ]
        let verifier = try #require(ScramVerifier(password: password, salt: salt))
        #expect(
            verifier.text == "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
                + "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=")
        for wrong in ["", "with space", "añb"] {
            #expect(ScramVerifier(password: SecretValue(copying: Array(wrong.utf8)), salt: salt) == nil)
        }
    }

    @Test("a database without the tables is refused with what to do")
    func missing() throws {
        let server = try PostgresServer()
        try server.sql("create role ana login")
        let ground = try Ground(server)
        let failure = try ground.failure(
            ServerAddress("host=\(server.socket) port=\(server.port) dbname=circles user=ana"), nil)
        guard case .refused(let why) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(why.contains("circle sql"))
    }

    /// A database without tables, on the server of the others.
    private func emptyDatabase() throws -> (Ground, String) {
        let (ground, database) = (try Ground(), "empty\(UInt64.random(in: .min ... .max))")
        try ground.server.sql("create database \(database)", database: "postgres")
        return (ground, database)
    }

    // MARK: The keeper

    @Test("the keeper removes what nobody needs any more, and nothing else")
    func keeper() throws {
        let ground = try Ground()
        let (ana, eve) = (try ground.local("ana"), try ground.local("eve"))
        let keeper = ground.role("keeper")
        try ground.server.sql(SyncSchema.keeper(keeper, login: Ground.login()))
        let view = CircleConformance.view(1)
        func commit(_ transport: PostgresTransport, _ number: UInt64, _ records: [Int], under head: UInt64? = nil)
            throws
        {
            var insertion = CircleInsertion()
            insertion.chains = [(.heads(view), ChainBody(number: number, body: [UInt8(number)]))]
            insertion.records = records.map { (view, CircleConformance.record($0, head ?? number)) }
            _ = try transport.perform(.insert(insertion))
        }
        // 1 and 2 are superseded long ago by 10 and 11; 3 yesterday; 4 is current; 5 by a role that has no right any more.
        try commit(ana, 1, [1, 2, 3, 4, 5])
        try commit(ana, 2, [1])
        try commit(ana, 3, [2])
        try commit(eve, 4, [5])
        try commit(ana, 5, [])
        try commit(ana, 6, [])
        // Under a head that there is none of.
        var lost = CircleInsertion()
        lost.records = [(view, CircleConformance.record(6, 77))]
        _ = try eve.perform(.insert(lost))
        for number in UInt64(1)...3 {
            try ana.insert(chain: .log, number, [1])
            var others = CircleInsertion()
            others.seen = [SeenBody(device: CircleConformance.device(1), counter: number, body: [1])]
            others.mail = [MailBody(box: CircleConformance.box(1), number: number, body: [1])]
            others.shares = [
                ShareBody(device: CircleConformance.device(1), chance: Int64(number), body: [1])
            ]
            _ = try ana.perform(.insert(others))
        }
        // Two owners' snapshots of one entry, an earlier one, and a number that one planted who has no right any more.
        let snapshots = try CircleLog(circle: ground.circle).snapshots()
        for (number, transport) in [(UInt64(3205), ana), (3712, ana), (3717, ana), (UInt64(Int64.max), eve)] {
            var mail = CircleInsertion()
            mail.mail = [MailBody(box: snapshots, number: number, body: [1])]
            _ = try transport.perform(.insert(mail))
        }
        for table in ["lv_head", "lv_record", "lv_share", "lv_seen", "lv_mail"] {
            try ground.age(table, "400 days")
        }
        try commit(ana, 7, [3])
        try commit(ana, 8, [])
        try ground.server.sql(SyncSchema.drop(ground.role("eve")))

        let removed = try ground.server.sql("select what, removed from llavero.keep()", as: keeper)
        // Other circles' rows are all new.
        #expect(removed == "records|3\nheads|2\nseen|2\nmail|4", "\(removed)")
        let records = try ground.server.sql(
            "select n || ':' || get_byte(id, 15) from llavero.lv_record where circle = \(ground.circleText) order by n, id"
        )
        #expect(records.split(separator: "\n").joined(separator: " ") == "1:3 1:4 1:5 2:1 3:2 4:5 7:3")
        let heads = try ground.server.sql(
            "select n from llavero.lv_head where circle = \(ground.circleText) and view <> circle order by n")
        #expect(heads.split(separator: "\n").joined(separator: " ") == "1 2 3 4 7 8")
        #expect(
            try ground.server.sql(
                "select count(*) from llavero.lv_head where circle = \(ground.circleText) and view = circle")
                == "3")
        #expect(try ground.rows("lv_share") == 3 && ground.rows("lv_seen") == 1 && ground.rows("lv_mail") == 3)
        #expect(try ground.server.sql("select sum(removed) from llavero.keep()", as: keeper) == "0")
    }

    @Test("the keeper compares no row with each other row, whatever the server knows of the tables")
    func keeperPlan() throws {
        let plan = try Ground().server.sql(
            """
            load 'auto_explain';
            set auto_explain.log_min_duration = 0;
            set auto_explain.log_nested_statements = on;
            set client_min_messages = log;
            begin;
            select * from llavero.keep();
            rollback;
            """)
        #expect(plan.contains("Hash Join") && !plan.contains("Nested Loop"), "\(plan)")
    }

    @Test("a role that is here for something else is left as it is; one of ours gets a new way to log in")
    func foreignRoles() throws {
        let ground = try Ground()
        let role = ground.role("theirs")
        try ground.server.sql("create role \"\(role)\" login password 'their own'")
        let password = "select rolpassword from pg_authid where rolname = '\(role)'"
        let before = try ground.server.sql(password)
        #expect(throws: (any Error).self) {
            try ground.server.sql(SyncSchema.member(role, circle: ground.circle, login: Ground.login()))
        }
        #expect(throws: (any Error).self) { try ground.server.sql(SyncSchema.keeper(role, login: .certificate)) }
        #expect(try ground.server.sql(password) == before)
        #expect(try ground.server.sql("select count(*) from llavero.lv_right where who = '\(role)'") == "0")
        let own = try ground.makeMember("own")
        try ground.server.sql(SyncSchema.joiner(own, circle: ground.circle, login: .certificate))
        #expect(try ground.server.sql("select rolpassword is null from pg_authid where rolname = '\(own)'") == "t")
        try ground.server.sql("drop role \"\(role)\"")
    }

    @Test("tables of version 1 lose the shares that nothing reads any more, and nothing else")
    func earlierShares() throws {
        let (ground, database) = try emptyDatabase()
        try ground.server.sql(
            """
            create schema llavero;
            create table llavero.lv_share (circle bytea, view bytea, gen int, device bytea, c bigint, who name, at timestamptz, body bytea);
            create table llavero.lv_head (
                circle bytea not null, view bytea not null, n bigint not null, who name not null default current_user,
                at timestamptz not null default now(), body bytea not null, primary key (circle, view, n));
            insert into llavero.lv_head (circle, view, n, body) values ('\\x01', '\\x02', 1, '\\x03');
            """, database: database)
        for _ in 0..<2 { try ground.server.sql(SyncSchema.setUp, database: database) }
        let columns = try ground.server.sql(
            "select string_agg(attname, ' ' order by attnum) from pg_attribute where attrelid = 'llavero.lv_share'::regclass and attnum > 0 and not attisdropped",
            database: database)
        #expect(columns == "circle device c who at body")
        #expect(try ground.server.sql("select count(*) from llavero.lv_head", database: database) == "1")
        try ground.server.sql("drop database \(database)", database: "postgres")
    }

    @Test("the keeper can neither write, nor change, nor delete anything of a log")
    func keeperRights() throws {
        let ground = try Ground()
        try ground.fill(ground.local("ana"))
        try ground.local2("ana").insert(chain: .log, 1, [1])
        let keeper = ground.role("keeper")
        try ground.server.sql(SyncSchema.keeper(keeper, login: Ground.login()))
        let circle = ground.circleText
        for statement in [
            "insert into llavero.lv_head (circle, view, n, body) values (\(circle), \(circle), 9, '')",
            "update llavero.lv_record set body = ''", "truncate llavero.lv_mail", "delete from llavero.lv_right",
        ] { ground.expectDenied(statement, as: keeper) }
        try ground.server.sql("delete from llavero.lv_head where circle = \(circle) and view = circle", as: keeper)
        #expect(
            try ground.server.sql("select count(*) from llavero.lv_head where circle = \(circle) and view = circle")
                == "1")
    }
}
