// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What devices say of a server, a machine or a member that is not as it should be.
@Suite("alarms") struct AlarmTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test("two histories that are joined are refused for ever; a person's word takes the server's, and nothing is lost")
    func histories() throws {
        let circle = try SimulatedCircle(2, Seed(23))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(Name(group: "a.one", account: "both"), to: [0], now: circle.now)
        try circle.settle()
        let other = MemoryServer(circle.server.tables)
        a.keychain.set(name, to: [1], now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        b.keychain.set(Name(group: "a.one", account: "other"), to: [2], now: circle.now)
        try b.synchronize(other, now: circle.now)
        b.keychain.set(Name(group: "a.one", account: "later"), to: [3], now: circle.now)
        for _ in 0..<10 {
            let report = try b.synchronize(circle.server, now: circle.now)
            #expect(report.alarms == [.replaced(.heads(circle.firstView), 2)] && report.sent == 0)
            circle.now += 7 * 3600
        }
        let refused = try b.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(refused.end == .impossible(.notAnAncestor(.heads(circle.firstView))))
        // What it says that it has seen is of the other history, too, until it follows.
        let followed = try b.synchronize(circle.server, .task(.follow(circle.firstView)), now: circle.now)
        #expect(followed.alarms.isEmpty)
        circle.now += 7 * 3600
        try b.synchronize(circle.server, now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == b.keychain.live)
        #expect(a.keychain.live.count == 4)
    }

    @Test("the newest is withheld: what another device has seen says so, with its time, and nothing is sent meanwhile")
    func withheld() throws {
        let circle = try SimulatedCircle(2, Seed(24))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(Name(group: "a.one", account: "both"), to: [0], now: circle.now)
        try circle.settle()
        circle.now += 7 * 3600
        let seenAt = Int64(circle.now)
        a.keychain.set(name, to: [1], now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        let whole = circle.server.tables
        var tables = whole
        tables.chains[.heads(circle.firstView)]?[2] = nil
        circle.server.tables = tables
        circle.now += 60
        b.keychain.set(Name(group: "a.one", account: "mine"), to: [2], now: circle.now)
        let expected = Alarm.withheld(.heads(circle.firstView), 2, seenBy: a.id, at: seenAt)
        for _ in 0..<3 {
            let report = try b.synchronize(circle.server, now: circle.now)
            #expect(report.alarms == [expected])
            #expect(report.sent == 0)
            circle.now += 60
        }
        tables.chains = whole.chains
        circle.server.tables = tables
        try circle.settle()
        #expect(a.keychain.live == b.keychain.live && b.keychain.live.count == 3)
    }

    @Test("leaves that were changed in the keychain's file are another root")
    func damagedHere() throws {
        let circle = try SimulatedCircle(2, Seed(25))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let id = try #require(b.keychain.leaves[circle.firstView]?.keys.first)
        b.keychain.damage(leaf: id, of: circle.firstView)
        b.crash()
        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        #expect(try b.synchronize(circle.server, now: circle.now).alarms == [.damagedHere(circle.firstView)])
        #expect(
            try b.synchronize(circle.server, .task(.follow(circle.firstView)), now: circle.now).alarms.isEmpty)
        try circle.settle()
        #expect(b.keychain.live == [name: [2]])
    }

    @Test("a folder that runs on two machines is noticed by both")
    func clone() throws {
        let circle = try SimulatedCircle(2, Seed(26))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let twin = SimulatedDevice(copyOf: b, place: [UInt8](repeating: 2, count: 16), Seed(27))
        var noticed: Set<Alarm> = []
        for _ in 0..<3 {
            for device in [b, twin] {
                circle.now += 7 * 3600
                noticed.formUnion(try device.synchronize(circle.server, now: circle.now).alarms)
            }
        }
        #expect(noticed == [.cloned(otherPlace: b.place), .cloned(otherPlace: twin.place)])
    }

    @Test("a folder that was put back from a backup goes on, and says so once")
    func putBack() throws {
        let circle = try SimulatedCircle(2, Seed(28))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let old = b.keychain
        circle.now += 7 * 3600
        a.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        b.keychain = old
        b.crash()
        circle.now += 7 * 3600
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.isEmpty && report.wasPutBack)
        #expect(b.keychain.live == [name: [2]])
        circle.now += 7 * 3600
        let next = try b.synchronize(circle.server, now: circle.now)
        #expect(next.alarms.isEmpty && !next.wasPutBack)
    }

    @Test("a head of the end of all time is told to whose clock is before 2001")
    func clocks() throws {
        let circle = try SimulatedCircle(2, Seed(38))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let state = try #require(try a.state)
        let known = try #require(state.views[circle.firstView])
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next, previous: known.hash,
            logNumber: state.log.tip.number, logHash: state.log.tip.hash, generation: 1, chance: 1, entries: [],
            root: known.root, oldestTombstone: 0, time: .max, author: a.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: a.device)))
        ]
        _ = try circle.server.perform(.insert(insertion))
        b.clock = -circle.now - 1000
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.isEmpty && report.clocksAhead == [a.id: .max])
    }

    @Test("a thousand junk heads, and planted records and shares, stop nobody")
    func junk() throws {
        let circle = try SimulatedCircle(2, Seed(32))
        let (a, b) = (circle[0], circle[1])
        var tables = circle.server.tables
        let chain = CircleChain.heads(circle.firstView)
        for number in 1...1000 as ClosedRange<UInt64> {
            tables.chains[chain, default: [:]][number] = .init(body: [1, 2, 3], who: "joiner")
        }
        tables.chains[chain]?[999_999] = .init(body: [1], who: "joiner")
        let id = try #require(SyncRecordID([UInt8](repeating: 1, count: 16)))
        tables.records[.init(view: circle.firstView, place: .init(head: 1001, chance: 1, id: id))] = [1]
        for chance in 0..<10 as Range<Int64> {
            tables.shares[.init(device: b.id, chance: -chance)] = [1]
        }
        circle.server.tables = tables
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == [name: [1]])
        // All are counted, and some of them named.
        #expect(b.reports.contains { $0.junk.count >= 1000 && $0.junk.first.allSatisfy { $0.who == "joiner" } })
        #expect(b.reports.allSatisfy { $0.junk.first.count <= 64 })
        // What is behind the head is read again in each round, in a few questions.
        for number in 1002...3000 as ClosedRange<UInt64> {
            tables.chains[chain, default: [:]][number] = .init(body: [1, 2, 3], who: "joiner")
        }
        tables.chains[chain]?[1001] = circle.server.tables.chains[chain]?[1001]
        circle.server.tables.chains[chain] = tables.chains[chain]
        try a.synchronize(circle.server, now: circle.now)
        let asked = circle.server.requests
        let report = try a.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.isEmpty && report.junk.count == 2000 && circle.server.requests - asked < 10)
    }

    @Test("a writer of one view cannot put items into another's groups")
    func otherView() throws {
        let circle = try SimulatedCircle(2, Seed(33))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(Name(group: "b.two", account: "mine"), to: [1], now: circle.now)
        try circle.settle()
        // Sealed by a as if the first view took everything.
        let state = try #require(try a.state)
        let item = try #require(a.keychain.entries[Name(group: "b.two", account: "mine")]?.item)
        let known = state.views[circle.firstView] ?? ViewState()
        let (id, body) = try SyncRecord.seal(
            item, in: circle.firstView, head: known.next, nonce: [UInt8](repeating: 1, count: 16),
            a.keyring(of: state.log.circle))
        let digest = try Digest.sha256(of: body)
        var tree = try StateTree()
        try tree.set(SyncLeaf(id: id, head: known.next, digest: digest))
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next, previous: known.hash,
            logNumber: state.log.tip.number, logHash: state.log.tip.hash, generation: 1, chance: 1,
            entries: [CircleHead.Entry(id: id, digest: digest)], root: try tree.root(), oldestTombstone: 0, time: 0,
            author: a.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: a.device)))
        ]
        insertion.records = [
            (circle.firstView, RecordBody(place: .init(head: head.number, chance: 1, id: id), body: body))
        ]
        _ = try circle.server.perform(.insert(insertion))
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.unreadable.records.map(\.id) == [id] && report.alarms.isEmpty)
    }
}
