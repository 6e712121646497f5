// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What a device gives back to a server that lost something, and what it leaves alone.
@Suite("repair of a server") struct HealTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test(
        "yesterday's copy of the database: an alarm, reading goes on; the last to have written heals it, and all are equal"
    )
    func yesterday() throws {
        let circle = try SimulatedCircle(3, Seed(20))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        for number in 0..<5 { a.keychain.set(Name(group: "a.one", account: "\(number)"), to: [1], now: circle.now) }
        try circle.settle()
        let old = circle.server.tables
        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        for _ in 0..<2 { for device in [a, b] { try device.synchronize(circle.server, now: circle.now) } }
        circle.server.tables = old

        // c has not heard of what is lost.
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms == [.wentBack(.heads(circle.firstView), mine: 2, newest: 1)])
        #expect(try b.state?.alarms == report.alarms)
        b.keychain.set(Name(group: "b.two", account: "elsewhere"), to: [3], now: circle.now)
        b.keychain.set(Name(group: "a.one", account: "waits"), to: [4], now: circle.now)
        try b.synchronize(circle.server, now: circle.now)
        #expect(circle.server.tables.newest(.heads(circle.firstView)) == 1)
        #expect(circle.server.tables.newest(.heads(circle.secondView)) == 1)

        let healed = try a.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(healed.alarms.isEmpty)
        #expect(healed.end == .complete)
        try circle.settle()
        for device in [a, b, c] {
            #expect(device.keychain.live[name] == [2])
            #expect(device.keychain.live == a.keychain.live)
        }
    }

    @Test("who heals a change behind writes heads under numbers that others know, who are told, and merge all")
    func behind() throws {
        let circle = try SimulatedCircle(2, Seed(23))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let old = circle.server.tables
        a.keychain.set(name, to: [2], now: circle.now + 1)
        try circle.settle()
        a.keychain.set(name, to: [3], now: circle.now + 2)
        try a.synchronize(circle.server, now: circle.now)
        let known = try #require(try a.state?.views[circle.firstView]?.number)
        circle.server.tables = old
        try b.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(circle.server.tables.newest(.heads(circle.firstView)) == known)
        let told = try a.synchronize(circle.server, now: circle.now)
        #expect(told.alarms == [.replaced(.heads(circle.firstView), known)])
        try a.synchronize(circle.server, .task(.follow(circle.firstView)), now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == b.keychain.live && b.keychain.live[name] == [3])
    }

    @Test("an empty database is filled again, log and shares of the living included")
    func lost() throws {
        let circle = try SimulatedCircle(2, Seed(21))
        let (a, b) = (circle[0], circle[1])
        for number in 0..<5 { a.keychain.set(Name(group: "a.one", account: "\(number)"), to: [1], now: circle.now) }
        a.keychain.set(Name(group: "a.one", account: "0"), to: nil, now: circle.now)
        try circle.settle()
        circle.server.tables = ServerTables()
        #expect(try b.synchronize(circle.server, now: circle.now).alarms.contains { $0.chain == .log })
        let healed = try a.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(healed.alarms.isEmpty)
        try circle.settle()
        circle.now += 10
        b.keychain.set(name, to: [5], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == b.keychain.live && a.keychain.live[name] == [5])
    }

    @Test(
        "records that are gone are sealed anew by a device that has them; of those beside them none is taken before",
        arguments: [0, 1])
    func goneRecords(lost: Int) throws {
        let circle = try SimulatedCircle(2, Seed(22))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        a.keychain.set(Name(group: "a.one", account: "other"), to: [1], now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        var tables = circle.server.tables
        let listed = tables.records.keys.sorted { $0.place.id < $1.place.id }
        tables.records[listed[lost]] = nil
        circle.server.tables = tables
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms == [.missingRecord(circle.firstView, head: 1)])
        #expect(b.keychain.live.isEmpty && b.keychain.leaves[circle.firstView, default: [:]].isEmpty)
        #expect(try b.state?.views[circle.firstView]?.number ?? 0 == 0)
        try a.synchronize(circle.server, .task(.heal), now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == a.keychain.live && b.keychain.live.count == 2)
    }

    @Test(
        "where no device has a lost record any more, a newcomer gives it up and has all others",
        arguments: [false, true])
    func goneForGood(isChanged: Bool) throws {
        let circle = try SimulatedCircle(2, Seed(23))
        let (a, b) = (circle[0], circle[1])
        for account in ["one", "two", "three"] {
            a.keychain.set(Name(group: "a.one", account: account), to: [1], now: circle.now)
            try a.synchronize(circle.server, now: circle.now)
        }
        var tables = circle.server.tables
        let lost = try #require(tables.records.keys.min { $0.place.head < $1.place.head })
        tables.records[lost] = isChanged ? [7] : nil
        circle.server.tables = tables
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.count == 1 && b.keychain.live.isEmpty)
        // What it remembers is nothing, so a heal alone leaves it so.
        try b.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(b.keychain.live.isEmpty)
        let healed = try b.synchronize(circle.server, .task(.healWithoutUnreadable), now: circle.now)
        #expect(healed.alarms.isEmpty && healed.putBack.blanks == 1)
        #expect(b.keychain.live.count == 2)
        b.keychain.set(Name(group: "a.one", account: "later"), to: [2], now: circle.now)
        let after = try b.synchronize(circle.server, now: circle.now)
        #expect(after.alarms.isEmpty && after.sent == 1)
        // Who has the item keeps it.
        try circle.settle()
        #expect(a.keychain.live.count == 4)
    }

    /// Why a device has no item of a record, although the circle has one.
    enum Reason: CaseIterable { case damaged, refused, locked }

    @Test(
        "what this device cannot read, or never took, is no void: it heals nothing, and another one does",
        arguments: Reason.allCases)
    func unknownRecords(reason: Reason) throws {
        let circle = try SimulatedCircle(2, Seed(32))
        let (a, b) = (circle[0], circle[1])
        if reason == .refused { b.keychain.refuses = [name] }
        a.keychain.set(name, to: [1], accessible: "ak", now: circle.now)
        a.keychain.set(Name(group: "a.one", account: "other"), to: [1], now: circle.now)
        try circle.settle()
        b.keychain.set(Name(group: "b.two", account: "waits"), to: [1], now: circle.now)
        if reason == .damaged { b.keychain.damaged = [name] }
        var tables = circle.server.tables
        tables.records = [:]
        circle.server.tables = tables
        try b.beginRound(.task(.heal), now: circle.now)
        // Behind the question whether the keys are there.
        while b.isInRound {
            if reason == .locked, b.keychain.marked.contains(name) { b.keychain.isLocked = true }
            try b.step(circle.server, now: circle.now)
        }
        #expect(b.reports.last?.end == .impossible(reason == .locked ? .locked : .recordsUnknown(1)))
        b.keychain.isLocked = false
        // Nothing but what changed here is marked.
        #expect(b.keychain.marked == [Name(group: "b.two", account: "waits")])
        b.keychain.damaged = []
        b.keychain.refuses = []
        try a.synchronize(circle.server, .task(.heal), now: circle.now)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live[name] == [1] && device.keychain.live.count == 3) }
    }

    /// What a program does while a heal asks the server.
    enum Meanwhile: CaseIterable { case edit, delete, add }

    @Test(
        "what a program changes while a heal runs goes out, also where the heal is given up",
        arguments: Meanwhile.allCases, [true, false])
    func changedMeanwhile(what: Meanwhile, isGivenUp: Bool) throws {
        let circle = try SimulatedCircle(2, Seed(72))
        let (a, b) = (circle[0], circle[1])
        let (other, refused) = (Name(group: "a.one", account: "other"), Name(group: "a.one", account: "refused"))
        a.keychain.refuses = [refused]
        b.keychain.set(refused, to: [1], now: circle.now)
        for name in [name, other] { a.keychain.set(name, to: [1], now: circle.now) }
        try circle.settle()
        let id = try #require(b.keychain.entries[isGivenUp ? refused : other]?.record?.id)
        circle.server.tables.records = circle.server.tables.records.filter { $0.key.place.id != id }
        circle.now += 10
        let changed = what == .add ? Name(group: "a.one", account: "new") : name
        let (tables, mine, theirs) = (circle.server.tables, a.keychain, b.keychain)
        // Before each step of a heal, however many there are.
        for step in 1... {
            (circle.server.tables, a.keychain, b.keychain) = (tables, mine, theirs)
            for device in [a, b] { device.crash() }
            try a.beginRound(.task(.heal), now: circle.now)
            var steps = 0
            while a.isInRound {
                if steps == step { a.keychain.set(changed, to: what == .delete ? nil : [2], now: circle.now) }
                try a.step(circle.server, now: circle.now)
                steps += 1
            }
            guard steps > step else {
                #expect(step > 8)
                break
            }
            #expect(a.reports.last?.end == (isGivenUp ? .impossible(.recordsUnknown(1)) : .complete))
            try a.synchronize(circle.server, now: circle.now)
            try b.synchronize(circle.server, now: circle.now)
            #expect(a.keychain.marked.isEmpty)
            #expect(b.keychain.live[changed] == a.keychain.live[changed], "before step \(step)")
        }
    }

    @Test("what waited until the keychain was unlocked is opened before it is healed")
    func waitingRecords() throws {
        let circle = try SimulatedCircle(2, Seed(33))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        b.keychain.isLocked = true
        a.keychain.set(name, to: [1], accessible: "ak", now: circle.now)
        try circle.settle()
        #expect(b.keychain.live[name] == nil)
        b.keychain.isLocked = false
        var tables = circle.server.tables
        tables.records = [:]
        circle.server.tables = tables
        let report = try b.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(report.end == .complete)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [1]]) }
    }

    @Test(
        "what a view had before its policy changed is put back as nothing: no item goes, not of who missed the change",
        arguments: [true, false])
    func movedItems(isEmptied: Bool) throws {
        let circle = try SimulatedCircle(3, Seed(75))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        for name in [name, Name(group: "a.one", account: "other")] {
            a.keychain.set(name, to: [1], now: circle.now)
        }
        a.keychain.set(Name(group: "c.one", account: "stays"), to: [2], now: circle.now)
        try circle.settle()
        // From now on the second view takes them.
        let policy = ViewPolicy(name: "first", groups: ["b.*"])
        let log = try #require(try a.state?.log)
        let sealed = try a.keyring(of: log.circle).seal(policy.encoded(), of: .policy(circle.firstView))
        try a.synchronize(
            circle.server, .task(.change([.policy(circle.firstView, sealedPolicy: sealed)])), now: circle.now)
        for _ in 0..<2 { for device in [a, b] { try device.synchronize(circle.server, now: circle.now) } }
        if isEmptied { circle.server.tables = ServerTables() } else { circle.server.tables.records = [:] }
        let healed = try b.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(healed.end == .complete && healed.putBack.records >= 3 && healed.putBack.blanks == 0)
        // c has not heard of the change yet.
        try c.synchronize(circle.server, now: circle.now)
        try circle.settle()
        let new = try #require(try circle.admit(by: a, "new"))
        try circle.settle()
        for device in [a, b, c, new] {
            #expect(device.keychain.live.count == 3 && device.keychain.live == a.keychain.live)
            #expect(device.keychain.marked.isEmpty && device.reports.allSatisfy(\.unreadable.isEmpty))
        }
        // And back.
        let before = try #require(log.membership.views[circle.firstView]?.sealedPolicy)
        try a.synchronize(
            circle.server, .task(.change([.policy(circle.firstView, sealedPolicy: before)])), now: circle.now)
        circle.now += 10
        c.keychain.set(name, to: [7], now: circle.now)
        try circle.settle()
        for device in [a, b, c, new] {
            #expect(device.keychain.live.count == 3 && device.keychain.live[name] == [7])
        }
    }

    @Test("beside what nobody can read the rest is put back; a person's word gives that up, and all is whole again")
    func unreadableRecords() throws {
        let circle = try SimulatedCircle(3, Seed(76))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        for name in [name, Name(group: "a.one", account: "other")] {
            a.keychain.set(name, to: [1], now: circle.now)
        }
        try circle.settle()
        try writeRubbish(c, circle)
        try circle.settle()
        circle.server.tables.records = [:]
        for device in [b, a] {
            let report = try device.synchronize(circle.server, .task(.heal), now: circle.now)
            #expect(report.end == .impossible(.recordsUnknown(1)) && report.putBack.records == (device === b ? 2 : 0))
            #expect(device.keychain.marked.isEmpty)
        }
        let early = try #require(try circle.admit(by: a, "early"))
        let refused = try early.synchronize(circle.server, now: circle.now).alarms
        #expect(refused.map(\.chain) == [.heads(circle.firstView)] && early.keychain.live.isEmpty)
        let report = try a.synchronize(circle.server, .task(.healWithoutUnreadable), now: circle.now)
        #expect(report.end == .complete && report.putBack.records == 1 && report.putBack.blanks == 1)
        try circle.settle()
        for device in [a, b, c, early] { #expect(device.keychain.live == a.keychain.live) }
        #expect(early.keychain.live.count == 2 && early.reports.allSatisfy(\.unreadable.isEmpty))
    }

    @Test("what one machine gave up stays where another has it, and is shared again when that one changes it")
    func givenUp() throws {
        let circle = try SimulatedCircle(2, Seed(77))
        let (a, b) = (circle[0], circle[1])
        b.keychain.refuses = [name]
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        circle.server.tables.records = [:]
        let report = try b.synchronize(circle.server, .task(.healWithoutUnreadable), now: circle.now)
        #expect(report.end == .complete && report.putBack.blanks == 1)
        try circle.settle()
        #expect(a.keychain.live == [name: [1]])
        b.keychain.refuses = []
        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == [name: [2]])
    }

    /// A member puts a record among those of the first view that nobody can open.
    private func writeRubbish(_ device: SimulatedDevice, _ circle: SimulatedCircle<MemoryServer>) throws {
        let state = try #require(try device.state)
        let known = try #require(state.views[circle.firstView])
        let id = try #require(SyncRecordID([UInt8](repeating: 5, count: 16)))
        let body = [UInt8](repeating: 9, count: 600)
        let digest = try Digest.sha256(of: body)
        var tree = try StateTree()
        for leaf in (device.keychain.leaves[circle.firstView] ?? [:]).values { try tree.set(leaf) }
        try tree.set(SyncLeaf(id: id, head: known.next, digest: digest))
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next, previous: known.hash,
            logNumber: state.log.tip.number, logHash: state.log.tip.hash, generation: 1, chance: 1,
            entries: [CircleHead.Entry(id: id, digest: digest)], root: try tree.root(), oldestTombstone: 0, time: 0,
            author: device.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: device.device)))
        ]
        insertion.records = [
            (circle.firstView, RecordBody(place: .init(head: head.number, chance: 1, id: id), body: body))
        ]
        _ = try circle.server.perform(.insert(insertion))
    }

    @Test("one lost record is healed among more items than the keychain takes at once")
    func manyItems() throws {
        let circle = try SimulatedCircle(1, Seed(71))
        let a = circle[0]
        for number in 0...CircleHead.greatestCount {
            a.keychain.set(Name(group: "a.one", account: "\(number)"), to: [1], now: circle.now)
        }
        try a.synchronize(circle.server, now: circle.now)
        let lost = try #require(circle.server.tables.records.keys.first)
        circle.server.tables.records[lost] = nil
        let healed = try a.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(healed.end == .complete && healed.putBack.records == 1 && a.keychain.marked.isEmpty)
    }

    @Test("a record that the circle had forgotten is healed as such")
    func healedVoid() throws {
        let circle = try SimulatedCircle(2, Seed(34))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        a.keychain.set(Name(group: "a.one", account: "other"), to: [1], now: circle.now)
        try circle.settle()
        a.keychain.set(name, to: nil, now: circle.now)
        try circle.settle()
        circle.now += 100 * 86_400
        try circle.settle()
        #expect(a.keychain.entries[name] == nil && b.keychain.entries[name] == nil)
        var tables = circle.server.tables
        tables.records = [:]
        circle.server.tables = tables
        // It took the void from the other, or made it.
        for device in [b, a] {
            let report = try device.synchronize(circle.server, .task(.heal), now: circle.now)
            #expect(report.end == .complete)
        }
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live.count == 1) }
    }

    @Test("junk in the places of heads that the keeper deleted is in nobody's way: not of who comes, not of who heals")
    func junkInFreedPlaces() throws {
        let circle = try SimulatedCircle(2, Seed(39))
        let (a, b) = (circle[0], circle[1])
        for value in 1...3 as ClosedRange<UInt8> {
            circle.now += 10
            a.keychain.set(name, to: [value], now: circle.now)
            try circle.settle()
        }
        let chain = CircleChain.heads(circle.firstView)
        var tables = circle.server.tables
        tables.records = tables.records.filter { $0.key.place.head == 3 }
        for number in [1, 2] as [UInt64] { tables.chains[chain]?[number] = .init(body: [1], who: "stolen") }
        circle.server.tables = tables
        let new = try #require(try circle.admit(by: b, "new"))
        try circle.settle()
        #expect(new.keychain.live == [name: [3]])
        tables = circle.server.tables
        tables.records = [:]
        circle.server.tables = tables
        let healed = try a.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(healed.end == .complete && healed.alarms.isEmpty)
        let last = try #require(try circle.admit(by: b, "last"))
        try circle.settle()
        #expect(last.keychain.live == [name: [3]])
        // What stands in the place of the newest is another history.
        tables = circle.server.tables
        let newest = tables.newest(chain)
        tables.chains[chain]?[newest] = .init(body: [1], who: "stolen")
        circle.server.tables = tables
        let refused = try a.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(refused.end == .impossible(.notAnAncestor(chain)))
    }
}
