// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainRequest
import KeychainSync
import Synchronization
import TestSeed
import Testing

/// Rounds of devices that were away while the log grew.
@Suite("a log that grew far") struct LogCatchUpTests {
    /// A million entries by `KEYCHAIN_LOG_ENTRIES=1000000`.
    static let count = ProcessInfo.processInfo.environment["KEYCHAIN_LOG_ENTRIES"].flatMap { Int($0) } ?? 500

    @Test(
        "who was away for long reads few entries in its round, and has the log, the items and the rights that others have"
    )
    func away() throws {
        let circle = try SimulatedCircle(3, Seed(40))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        try grow(circle, by: a, LogCatchUpTests.count)
        // An owner leaves a snapshot by the way.
        if LogCatchUpTests.count > 10_000 {
            try leaveSnapshot(circle, by: a)
        } else {
            try a.synchronize(circle.server, now: circle.now)
        }
        #expect(circle.server.tables.mail.count == 1)
        let server = CountingServer(circle.server)
        let report = try b.synchronize(server, now: circle.now)
        #expect(report.end == .complete && report.alarms.isEmpty)
        print(
            "LogCatchUpTests: \(LogCatchUpTests.count) entries, \(server.logBodies) bodies read in \(server.requests) requests"
        )
        #expect(server.logBodies <= 250 && server.requests <= 20)
        guard LogCatchUpTests.count <= 10_000 else { return }
        for _ in 0..<40 {
            try grow(circle, by: a, 1)
            try b.synchronize(circle.server, now: circle.now)
        }
        try circle.settle()
        #expect(try b.state?.log.tip == a.state?.log.tip && b.state?.log.steps == a.state?.log.steps)
        #expect(try b.state?.log.membership == a.state?.log.membership)
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(c.keychain.live == [name: [2]])
    }

    @Test("where there is no snapshot, or none that is good, all entries are read", arguments: 0..<4)
    func refused(kind: Int) throws {
        let circle = try SimulatedCircle(2, Seed(41))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        try grow(circle, by: a, 400)
        let box = try #require(try a.state?.log.snapshots())
        var insertion = CircleInsertion()
        switch kind {
        case 0: break
        // Bytes, at the numbers where one would be, and at the greatest.
        case 1:
            insertion.mail = [6000, 6300, UInt64(Int64.max)].map { MailBody(box: box, number: $0, body: [1, 2, 3]) }
        // Of another circle.
        case 2:
            let other = try SimulatedCircle(2, Seed(42))
            try grow(other, by: other[0], 400)
            try leaveSnapshot(other, by: other[0])
            insertion.mail = other.server.tables.mail.map { MailBody(box: box, number: 6300, body: $0.value) }
        // An entry far off, that nobody signed.
        default:
            insertion.chains = [(.log, ChainBody(number: UInt64(Int64.max), body: [1]))]
        }
        if kind > 0 { _ = try circle.server.perform(.insert(insertion)) }
        let server = CountingServer(circle.server)
        let report = try b.synchronize(server, now: circle.now)
        #expect(report.end == .complete && report.alarms.isEmpty && server.logBodies >= 400 && server.requests < 40)
        try a.synchronize(circle.server, now: circle.now)
        #expect(try b.state?.log.tip == a.state?.log.tip)
    }

    @Test(
        "entries behind any number of planted ones are read, in the same round or a later one",
        arguments: [20, 300, 700])
    func planted(count: Int) throws {
        let circle = try SimulatedCircle(2, Seed(46))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        for _ in 0..<2 {
            let last = circle.server.tables.newest(.log)
            var insertion = CircleInsertion()
            insertion.chains = (1...UInt64(count)).map { (.log, ChainBody(number: last + $0, body: [1])) }
            _ = try circle.server.perform(.insert(insertion))
            for device in [a, b] { try device.synchronize(circle.server, now: circle.now) }
            try grow(circle, by: a, 1)
            for device in [a, b] { try device.synchronize(circle.server, now: circle.now) }
            #expect(try a.state?.log.tip.number == circle.server.tables.newest(.log))
            #expect(try b.state?.log.tip == a.state?.log.tip)
        }
    }

    @Test("a device that joined takes a snapshot before the entry that it was told of")
    func joined() throws {
        let circle = try SimulatedCircle(2, Seed(43))
        let a = circle[0]
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        try grow(circle, by: a, 600)
        try a.synchronize(circle.server, now: circle.now)
        let new = try #require(try circle.admit(by: a, "new"))
        let server = CountingServer(circle.server)
        let report = try new.synchronize(server, now: circle.now)
        #expect(report.alarms.isEmpty && server.logBodies < 150)
        try circle.settle()
        #expect(new.keychain.live == [name: [1]])
        #expect(try new.state?.log.tip == a.state?.log.tip)
    }

    @Test("a history that the owners vouch for and that this device's is no part of is an alarm, near or far")
    func forked() throws {
        let circle = try SimulatedCircle(3, Seed(44))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let other = MemoryServer(circle.server.tables)
        try grow(circle, by: a, 400)
        try leaveSnapshot(circle, by: a)
        // b has read another entry of this number.
        let log = try #require(try b.state?.log)
        let policy = try #require(log.membership.views[circle.firstView]?.sealedPolicy)
        let body = try log.body(
            .policy(circle.firstView, sealedPolicy: policy), by: b.device, now: circle.now + 1000)
        var insertion = CircleInsertion()
        insertion.chains = [(.log, body)]
        _ = try other.perform(.insert(insertion))
        try b.synchronize(other, now: circle.now)
        for _ in 0..<3 {
            let report = try b.synchronize(circle.server, now: circle.now)
            #expect(report.alarms == [.replaced(.log, body.number)])
        }
    }

    @Test("a server that lost entries is healed by who read them, and not by who took a snapshot of them")
    func healed() throws {
        let circle = try SimulatedCircle(3, Seed(45))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let old = circle.server.tables
        try grow(circle, by: a, 400)
        for _ in 0..<2 { for device in [a, b] { try device.synchronize(circle.server, now: circle.now) } }
        circle.server.tables = old
        var options = SyncRound.Settings()
        options.task = .heal
        #expect(try b.synchronize(circle.server, options, now: circle.now).end == .impossible(.notRemembered))
        #expect(circle.server.tables.newest(.log) == old.newest(.log))
        #expect(try a.synchronize(circle.server, options, now: circle.now).end == .complete)
        try circle.settle()
        let fresh = try #require(try circle.admit(by: b, "fresh"))
        try circle.settle()
        #expect(try fresh.state?.log.tip == a.state?.log.tip)
    }

    private let name = ModelKeychain.Name(group: "a.one", account: "me")

    // MARK: Growing

    /// The log as the server has it, with so many entries more by one device.
    private func grow(_ circle: SimulatedCircle<MemoryServer>, by device: SimulatedDevice, _ count: Int) throws {
        var log = try logOnServer(circle)
        let view = circle.firstView
        let policy = try #require(log.membership.views[view]?.sealedPolicy)
        var insertion = CircleInsertion()
        for _ in 0..<count {
            let body = try log.body(.policy(view, sealedPolicy: policy), by: device.device, now: circle.now)
            _ = try log.take([body])
            insertion.chains.append((.log, body))
        }
        _ = try circle.server.perform(.insert(insertion))
        grown.log = log
    }

    private func logOnServer(_ circle: SimulatedCircle<MemoryServer>) throws -> CircleLog {
        if let log = grown.log, circle.server.tables.newest(.log) == log.last { return log }
        let id = try #require(try circle[0].state?.log.circle)
        var log = CircleLog(circle: id)
        guard case .bodies(let bodies) = try circle.server.perform(.chain(.log, behind: 0, limit: .max)) else {
            return log
        }
        _ = try log.take(bodies)
        return log
    }

    private func leaveSnapshot(_ circle: SimulatedCircle<MemoryServer>, by device: SimulatedDevice) throws {
        while try logOnServer(circle).last % 32 != 0 { try grow(circle, by: device, 1) }
        var insertion = CircleInsertion()
        insertion.mail = [try #require(try logOnServer(circle).snapshot(by: device.device))]
        _ = try circle.server.perform(.insert(insertion))
    }

    private let grown = Grown()
}

/// The log of the last growing, so that it is not read anew for the next.
private final class Grown {
    var log: CircleLog?
}

/// A server that counts what it gives of the log.
final class CountingServer: CircleTransport {
    private let server: MemoryServer
    private let counts = Mutex((bodies: 0, requests: 0))

    init(_ server: MemoryServer) { self.server = server }

    var logBodies: Int { counts.withLock { $0.bodies } }
    var requests: Int { counts.withLock { $0.requests } }

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        let reply = try server.perform(request)
        counts.withLock { counts in
            counts.requests += 1
            switch (request, reply) {
            case (.chain(.log, _, _), .bodies(let bodies)), (.bodies(.log, _), .bodies(let bodies)):
                counts.bodies += bodies.count
            default: break
            }
        }
        return reply
    }
}
