// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSync
import KeychainSyncPostgres
import KeychainSystem
import TestCircles
import TestPostgres
import TestProcesses
import Testing

/// Behind a pgbouncer that lends connections for single transactions; and hints, which only come through without one.
@Suite struct PoolTests {
    private static let user = Root.isMine ? "nobody" : NSUserName()

    private func address(_ pool: PgBouncer, _ role: String) throws -> ServerAddress {
        try ServerAddress(
            "host=\(pool.folder.path) port=\(pool.port) dbname=circles user='\(role)' requirepeer=\(PoolTests.user)")
    }

    @Test("everything works behind a pgbouncer, over its socket", arguments: CircleConformance.all)
    func conformance(check: CircleConformance) throws {
        let ground = try Ground()
        let roles = [try ground.makeMember("ana"), try ground.makeMember("ben")]
        let pool = try PgBouncer(before: ground.server, roles: roles, password: "correct-horse")
        try check.check(
            ground.transport(try address(pool, roles[0]), Ground.password),
            ground.transport(try address(pool, roles[1]), Ground.password))
    }

    @Test("a pgbouncer takes a client certificate over TLS; SCRAM with channel binding it does not know")
    func overTLS() throws {
        let ground = try Ground()
        let (ana, ben) = (try ground.makeMember("ana"), try ground.makeMember("ben"))
        let pool = try PgBouncer(before: ground.server, roles: [ana], password: "correct-horse", overTLS: [ben])
        let own = try ground.server.certificate(of: ana)
        func atPool(_ address: ServerAddress) throws -> ServerAddress {
            try ServerAddress(
                address.description.replacing("port=\(ground.server.port)", with: "port=\(pool.port)"))
        }
        let certified = try atPool(ground.address(ana, more: "sslcert=\(own.file) sslkey=\(own.key)"))
        let transport = ground.transport(certified)
        try transport.insert(chain: .log, 1, [1])
        #expect(throws: CircleServerError.taken) { try transport.insert(chain: .log, 1, [1]) }
        try ground.expectRefusal(atPool(ground.address(ben)), Ground.password, "channel binding")
    }

    @Test("hints wake another device, and not the one that sent them")
    func hints() throws {
        let ground = try Ground()
        var settings = PostgresTransport.Settings()
        settings.usesHints = true
        settings.trying = UInt32(EventLimit.seconds)
        let (ana, ben) = (try ground.member("ana", settings: settings), try ground.member("ben", settings: settings))
        _ = try ana.perform(.newest([.log]))
        _ = try ben.perform(.newest([.log]))
        #expect(ana.hints == .on && ben.hints == .on)
        let wakeUp = try WakeUp()
        #expect(ana.rest(until: .now, wakeUp) == .over)
        try ben.insert(chain: .log, 1, [1])
        #expect(ana.rest(until: Instant.now.adding(seconds: UInt32(EventLimit.seconds)), wakeUp) == .hint)
        #expect(ana.rest(until: .now, wakeUp) == .over)
        #expect(ben.rest(until: .now, wakeUp) == .over)
        // The connection that listens serves questions too.
        guard case .newest(let ends) = try ana.perform(.newest([.log])), ends.map(\.number) == [1] else {
            Issue.record("it is not there")
            return
        }
    }

    @Test("behind a pgbouncer hints are found not to come, and everything else goes on")
    func hintsBehindPool() throws {
        let ground = try Ground()
        var settings = PostgresTransport.Settings()
        settings.usesHints = true
        let roles = [try ground.makeMember("ana"), try ground.makeMember("ben")]
        let pool = try PgBouncer(before: ground.server, roles: roles, password: "correct-horse")
        let ana = ground.transport(try address(pool, roles[0]), Ground.password, settings)
        let ben = ground.transport(try address(pool, roles[1]), Ground.password)
        try ana.insert(chain: .log, 1, [1])
        #expect(ana.hints == .unsupported)
        guard case .newest(let ends) = try ben.perform(.newest([.log])), ends.map(\.number) == [1] else {
            Issue.record("it is not there")
            return
        }
    }

    @Test("a rest ends when it is woken, cancelled or over; an unused connection is closed meanwhile")
    func rests() throws {
        let ground = try Ground()
        var settings = PostgresTransport.Settings()
        settings.idle = 1
        let cancellation = Cancellation()
        let role = try ground.makeMember("ana")
        let transport = PostgresTransport(
            try ground.socketAddress(role), circle: ground.circle, password: nil, settings: settings,
            cancellation: cancellation)
        _ = try transport.perform(.newest([.log]))
        func connections() throws -> String {
            try ground.server.sql("select count(*) from pg_stat_activity where usename = '\(role)'")
        }
        #expect(try connections() == "1")
        let wakeUp = try WakeUp()
        wakeUp.signal()
        #expect(transport.rest(until: .never, wakeUp) == .woken)
        #expect(transport.rest(until: Instant.now.adding(milliseconds: 1500), wakeUp) == .over)
        try EventLimit.wait(for: "the server notices") { try connections() == "0" }
        _ = try transport.perform(.newest([.log]))
        cancellation.trip()
        #expect(transport.rest(until: .never, wakeUp) == .cancelled)
        #expect(throws: CircleServerError.self) { try transport.perform(.newest([.log])) }
    }
}
