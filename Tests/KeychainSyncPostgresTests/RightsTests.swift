// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import TestCircles
import TestPostgres
import TestProcesses
import Testing

@Suite struct RightsTests {
    private static let tables = ["lv_head", "lv_record", "lv_share", "lv_seen", "lv_mail"]

    @Test("a member cannot delete, update, truncate, lock or change anything that is there", arguments: tables)
    func destroying(table: String) throws {
        let ground = try Ground()
        try ground.fill(ground.local("ana"))
        let role = ground.role("ana")
        let before = try ground.rows(table)
        #expect(before > 0)
        for statement in [
            "delete from llavero.\(table)", "delete from llavero.\(table) where who = current_user",
            "update llavero.\(table) set body = ''", "update llavero.\(table) set circle = circle",
            "truncate llavero.\(table)", "begin; lock table llavero.\(table) in access exclusive mode",
            "drop table llavero.\(table)", "alter table llavero.\(table) disable row level security",
            "create policy mine on llavero.\(table) using (true)",
            // It waits for the table before it looks at the right.
            "set lock_timeout to 0; create trigger t before insert on llavero.\(table) execute function suppress_redundant_updates_trigger()",
            "insert into llavero.\(table) select * from llavero.\(table) on conflict do nothing",
            "merge into llavero.\(table) t using (select 1) s on true when matched then delete",
            "select * from llavero.keep()",
        ] { ground.expectDenied(statement, as: role) }
        // This one ends with a warning, and gives nothing.
        let rights = try ground.definitions()
        _ = try ground.server.sql("grant all on llavero.\(table) to public", as: role)
        #expect(try ground.definitions() == rights)
        #expect(try ground.rows(table) == before)
    }

    @Test("a member cannot give itself rights, nor the right of another")
    func rights() throws {
        let (ground, other) = (try Ground(), try Ground())
        let role = try ground.makeMember("ana")
        let circle = other.circleText
        for statement in [
            "insert into llavero.lv_right (who, circle) values (current_user, \(circle))",
            "update llavero.lv_right set circle = \(circle)", "delete from llavero.lv_right",
            "set role lv_keeper", "set role postgres", "set session authorization postgres",
            "grant lv_keeper to current_user", "alter role current_user bypassrls", "create role another",
            "create table llavero.mine (a int)", "drop schema llavero cascade",
        ] { ground.expectDenied(statement, as: role) }
        let own = try ground.server.sql("select who from llavero.lv_right", as: role)
        #expect(own == role)
    }

    @Test("a member neither sees another circle nor writes into it")
    func otherCircle() throws {
        let (ground, other) = (try Ground(), try Ground())
        try other.fill(other.local("ben"))
        let role = try ground.makeMember("ana")
        // As if ana were in ben's circle.
        let intruder = PostgresTransport(try ground.socketAddress(role), circle: other.circle, password: nil)
        for check in CircleConformance.all.prefix(1) { try check.check(intruder, intruder) }
        for insertion in Ground.insertions {
            do throws(CircleServerError) {
                _ = try intruder.perform(.insert(insertion))
                Issue.record("it was inserted")
            } catch {
                guard case .refused(let why) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(why.contains("42501"))
            }
        }
        for table in RightsTests.tables {
            #expect(try ground.server.sql("select count(*) from llavero.\(table)", as: role) == "0")
        }
    }

    @Test("who wrote a row and when are the server's words")
    func who() throws {
        let ground = try Ground()
        let (ana, ben) = (try ground.makeMember("ana"), try ground.makeMember("ben"))
        let circle = ground.circleText
        ground.expectDenied(
            "insert into llavero.lv_head (circle, view, n, who, body) values (\(circle), \(circle), 1, '\(ben)', '')",
            as: ana)
        ground.expectDenied(
            "insert into llavero.lv_head (circle, view, n, at, body) values (\(circle), \(circle), 1, '2001-01-01', '')",
            as: ana)
        try ground.local2("ana").insert(chain: .log, 1, [1])
        guard case .bodies(let bodies) = try ground.local2("ben").perform(.chain(.log, behind: 0, limit: 1)) else {
            return
        }
        #expect(bodies.map(\.who) == [ana])
    }

    @Test("what one role heaps up in a box pushes out none of the others' messages, and ends")
    func heapedUpMail() throws {
        let ground = try Ground()
        for name in ["ana", "ben"] { try ground.makeMember(name) }
        let box = CircleConformance.box(1)
        let (ana, ben) = (try ground.local2("ana"), try ground.local2("ben"))
        func post(_ number: UInt64, _ body: [UInt8], _ transport: PostgresTransport) throws {
            var insertion = CircleInsertion()
            insertion.mail = [MailBody(box: box, number: number, body: body)]
            _ = try transport.perform(.insert(insertion))
        }
        try post(5, [5], ana)
        // With higher and with lower numbers: what counts is when it came.
        for number in 0..<100 { try post(number % 2 == 0 ? UInt64(1 << 60 + number) : UInt64(10 + number), [1], ben) }
        try post(9, [UInt8](repeating: 0, count: CircleLimit.messageSize + 1), ben)
        guard case .mail(let mail) = try ana.perform(.newestMail(box, each: 64)) else { return }
        #expect(mail.count == 64)
        #expect(mail.first == MailBody(box: box, number: 5, body: [5], who: ground.role("ana")))
        // The last of the others is larger than any message, and takes its place.
        #expect(mail.dropFirst().allSatisfy { $0.who == ground.role("ben") })
        #expect(mail.last?.number == 109)
        guard case .mail(let few) = try ana.perform(.newestMail(box, each: 1)) else { return }
        #expect(few.map(\.number) == [5])
        guard case .mail([]) = try ana.perform(.newestMail(CircleConformance.box(2), each: 64)) else {
            Issue.record("mail of another box")
            return
        }
    }

    @Test("what one role plants among what devices have seen, however much, pushes out none of the others' notes")
    func plantedSeen() throws {
        let ground = try Ground()
        let (ana, eve) = (try ground.local("ana"), try ground.local("eve"))
        let members = (201...203 as ClosedRange<UInt8>).map(CircleConformance.device)
        var notes = CircleInsertion()
        notes.seen = members.map { SeenBody(device: $0, counter: 5, body: [5]) }
        _ = try ana.perform(.insert(notes))
        // Of devices that nobody has, whose names come first; and of the members, as large as a row can be.
        try ground.server.sql(
            "insert into llavero.lv_seen (circle, device, k, body) select \(ground.circleText), decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, '\\x01' from generate_series(1, \(CircleLimit.rows + 100)) as n",
            as: ground.role("eve"))
        var large = CircleInsertion()
        for device in members {
            for counter in 10...20 as ClosedRange<UInt64> {
                large.seen.append(
                    SeenBody(
                        device: device, counter: counter, body: [UInt8](repeating: 0, count: CircleLimit.bodySize)))
            }
        }
        _ = try eve.perform(.insert(large))
        guard case .seen(let seen) = try ana.perform(.seen(of: members, limit: 20)) else { return }
        #expect(seen == notes.seen.sorted { $0.device < $1.device })
        // What is of a size that a note can have competes by turns.
        var small = CircleInsertion()
        small.seen = members.map { SeenBody(device: $0, counter: 99, body: [99]) }
        _ = try eve.perform(.insert(small))
        guard case .seen(let both) = try ana.perform(.seen(of: members, limit: 1)) else { return }
        #expect(both.count == 6 && notes.seen.allSatisfy(both.contains))
    }

    @Test("one who joins reads and writes the box of those who join alone")
    func joiner() throws {
        let ground = try Ground()
        try ground.fill(ground.local("ana"))
        let joiner = ground.role("joiner")
        try ground.server.sql(SyncSchema.joiner(joiner, circle: ground.circle, login: Ground.login()))
        let transport = PostgresTransport(try ground.address(joiner), circle: ground.circle, password: Ground.password)
        let joining = try JoiningMail.box(of: ground.circle)
        func letter(_ box: MailBox, _ number: UInt64) -> CircleInsertion {
            var letter = CircleInsertion()
            letter.mail = [MailBody(box: box, number: number, body: [1])]
            return letter
        }
        _ = try ground.local2("ana").perform(.insert(letter(joining, 1)))
        _ = try transport.perform(.insert(letter(joining, 2)))
        for request: CircleRequest in [.mail(joining, behind: 0, limit: 9), .newestMail(joining, each: 9)] {
            guard case .mail(let mail) = try transport.perform(request) else { return }
            #expect(mail.map(\.number) == [1, 2])
        }
        // Snapshots of the log lie in another one, and whatever else members have to say.
        let snapshots = try CircleLog(circle: ground.circle).snapshots()
        for box in [CircleConformance.box(1), snapshots] {
            guard case .mail([]) = try transport.perform(.mail(box, behind: 0, limit: 9)),
                case .mail([]) = try transport.perform(.newestMail(box, each: 9))
            else {
                Issue.record("mail of another box")
                return
            }
            #expect(throws: CircleServerError.self) { try transport.perform(.insert(letter(box, 7))) }
        }
        #expect(try ground.server.sql("select count(*) from llavero.lv_mail", as: joiner) == "2")
        for request: CircleRequest in [
            .newest([.log]), .chain(.log, behind: 0, limit: 1), .shares(CircleConformance.device(1)),
            .seen(of: [CircleConformance.device(1)], limit: 1),
            .records(CircleConformance.view(1), [CircleConformance.record(1, 1).place]),
        ] {
            #expect(throws: CircleServerError.self) { try transport.perform(request) }
        }
        ground.expectDenied("delete from llavero.lv_mail", as: joiner)
        // Where it becomes a member's, it reads what members read.
        try ground.server.sql(SyncSchema.member(joiner, circle: ground.circle, login: Ground.login()))
        #expect(try ground.server.sql("select count(*) from llavero.lv_mail", as: joiner) == "3")
    }

    @Test("what a role plants blocks nothing: heads far ahead, records under taken numbers, shares, letters")
    func planted() throws {
        let ground = try Ground()
        let (good, bad) = (try ground.local("ana"), try ground.local("eve"))
        try ground.fill(good)
        let view = CircleConformance.view(1)
        var junk = CircleInsertion()
        junk.chains = (2...1001).map { (.heads(view), ChainBody(number: $0, body: [0xFF])) }
        junk.records = (0..<1000).map { number in
            let chance = Int64.random(in: .min ... .max)
            return (view, CircleConformance.record(number, UInt64(number + 1), chance: chance))
        }
        junk.shares = (0..<5000).map { number in
            ShareBody(device: CircleConformance.device(1), chance: Int64(number + 10), body: [0xFF])
        }
        junk.seen = (0..<100).map {
            SeenBody(device: CircleConformance.device(1), counter: UInt64(Int64.max) - $0, body: [0xFF])
        }
        _ = try bad.perform(.insert(junk))

        // The next number is free, junk is stepped over and says who put it there.
        guard case .bodies(let bodies) = try good.perform(.chain(.heads(view), behind: 0, limit: 2000)) else { return }
        #expect(bodies.count == 1001 && bodies.filter { $0.who == ground.role("eve") }.count == 1000)
        var next = CircleInsertion()
        next.chains = [(.heads(view), ChainBody(number: 1002, body: [2]))]
        next.records = [(view, CircleConformance.record(1, 1002))]
        next.shares = [
            ShareBody(device: CircleConformance.device(1), chance: -1, body: [2])
        ]
        next.seen = [SeenBody(device: CircleConformance.device(1), counter: 6, body: [2])]
        _ = try good.perform(.insert(next))
        guard case .records(let records) = try good.perform(.records(view, next.records.map(\.record.place))),
            case .shares(let shares) = try good.perform(.shares(CircleConformance.device(1))),
            case .seen(let seen) = try good.perform(.seen(of: [CircleConformance.device(1)], limit: 2))
        else { return }
        #expect(records == next.records.map(\.record))
        #expect(shares.contains(next.shares[0]))
        #expect(seen.contains(next.seen[0]))
    }

    @Test("a role that is dropped is out at once, and what it wrote still says who did")
    func dropped() throws {
        let ground = try Ground()
        let (ana, ben) = (try ground.member("ana"), try ground.local("ben"))
        try ana.insert(chain: .log, 1, [1])
        try ground.server.sql(SyncSchema.drop(ground.role("ana")))
        #expect(throws: CircleServerError.self) { try ana.perform(.newest([.log])) }
        let failure = try ground.failure(ground.address(ground.role("ana")), Ground.password)
        #expect("\(failure)".contains("28P01"))
        guard case .bodies(let bodies) = try ben.perform(.chain(.log, behind: 0, limit: 9)) else { return }
        #expect(bodies.map(\.who) == [ground.role("ana")])
        #expect(
            try ground.server.sql("select count(*) from llavero.lv_right where who = '\(ground.role("ana"))'") == "0")
    }
}
