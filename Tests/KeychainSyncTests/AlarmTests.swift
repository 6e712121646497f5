// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What devices do when a server, a machine or a member is not as it should be.
@Suite("alarms and repair") struct AlarmTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    private func options(_ task: SyncRound.Task) -> SyncRound.Settings {
        var options = SyncRound.Settings()
        options.task = task
        return options
    }

    // MARK: The server

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

        let healed = try a.synchronize(circle.server, options(.heal), now: circle.now)
        #expect(healed.alarms.isEmpty)
        guard case .complete = healed.end else { throw Unexpected(healed.end) }
        try circle.settle()
        for device in [a, b, c] {
            #expect(device.keychain.live[name] == [2])
            #expect(device.keychain.live == a.keychain.live)
        }
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
        let healed = try a.synchronize(circle.server, options(.heal), now: circle.now)
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
        try a.synchronize(circle.server, options(.heal), now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == a.keychain.live && b.keychain.live.count == 2)
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
        try b.beginRound(options(.heal), now: circle.now)
        // Behind the question whether the keys are there.
        while b.isInRound {
            if reason == .locked, b.keychain.marked.contains(name) { b.keychain.isLocked = true }
            try b.step(circle.server, now: circle.now)
        }
        #expect(b.reports.last?.end == .impossible(reason == .locked ? .locked : .recordsUnknown(1)))
        b.keychain.isLocked = false
        // Nothing but what changed here is marked, where it could be taken off.
        if reason == .refused { #expect(b.keychain.marked == [Name(group: "b.two", account: "waits")]) }
        b.keychain.damaged = []
        b.keychain.refuses = []
        try a.synchronize(circle.server, options(.heal), now: circle.now)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live[name] == [1] && device.keychain.live.count == 3) }
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
        let report = try b.synchronize(circle.server, options(.heal), now: circle.now)
        #expect(report.end == .complete)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [1]]) }
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
            let report = try device.synchronize(circle.server, options(.heal), now: circle.now)
            #expect(report.end == .complete)
        }
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live.count == 1) }
    }

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
        let refused = try b.synchronize(circle.server, options(.heal), now: circle.now)
        #expect(refused.end == .impossible(.notAnAncestor(.heads(circle.firstView))))
        // What it says that it has seen is of the other history, too, until it follows.
        let followed = try b.synchronize(circle.server, options(.follow(circle.firstView)), now: circle.now)
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
            try b.synchronize(circle.server, options(.follow(circle.firstView)), now: circle.now).alarms.isEmpty)
        try circle.settle()
        #expect(b.keychain.live == [name: [2]])
    }

    // MARK: Machines

    @Test("a folder that runs on two machines is noticed by both")
    func clone() throws {
        let circle = try SimulatedCircle(2, Seed(26))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let twin = SimulatedDevice(copyOf: b, place: [UInt8](repeating: 2, count: 16), Seed(27))
        var noticed: Set<[UInt8]> = []
        for _ in 0..<3 {
            for device in [b, twin] {
                circle.now += 7 * 3600
                for alarm in try device.synchronize(circle.server, now: circle.now).alarms {
                    guard case .cloned(let place) = alarm else { throw Unexpected(alarm) }
                    noticed.insert(place)
                }
            }
        }
        #expect(noticed == [b.place, twin.place])
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

    // MARK: Keys

    /// A key that nobody gave this device, of a generation of a view.
    private func planted(_ circle: CircleID, _ view: SyncView, generation: Int) throws -> ViewKey {
        func secret(_ byte: Int) -> SecretBytes {
            SecretBytes(count: ViewKey.size) { $0[0] = UInt8(truncatingIfNeeded: byte) }
        }
        var key = try ViewKey(circle: circle, view: view, secret: secret(1))
        while key.generation < generation { key = try key.next(secret: secret(Int(key.generation) + 1)) }
        return key
    }

    @Test(
        "a kept key that is not the log's is as good as none: nothing is sealed with it, and the right one is fetched",
        arguments: [1, 2])
    func plantedKey(generation: Int) throws {
        let circle = try SimulatedCircle(3, Seed(34))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        let id = try #require(try b.state?.log.circle)
        let names = try #require(id.names)
        // One in the place of the key that there is, or one of a generation that the log does not have yet.
        for view in circle.views + [names] { b.keep([try planted(id, view, generation: generation)]) }
        b.keychain.set(name, to: [1], accessible: "ak", now: circle.now)
        #expect(try b.synchronize(circle.server, now: circle.now).keptBack == 0)
        try circle.settle()
        #expect(a.keychain.live == [name: [1]])
        // And now the log has it.
        try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        circle.now += 10
        b.keychain.set(name, to: [2], accessible: "ak", now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]] && a.reports.allSatisfy(\.unreadable.isEmpty))
        let membership = try #require(try b.state?.log.membership)
        #expect(membership.views[circle.firstView]?.generation == 2)
        for key in b.kept { #expect(try key.commitment() == membership.views[key.view]?.commitments[key.generation]) }
    }

    @Test("a server that loses or hides the shares of new keys keeps nobody from writing: who made them has them")
    func lostShares() throws {
        let circle = try SimulatedCircle(3, Seed(35))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let losing = ServerWithoutShares(server: circle.server)
        let removed = try a.synchronize(losing, options(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete)
        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        #expect(try a.synchronize(losing, now: circle.now).sent == 1)
        #expect(try b.synchronize(losing, now: circle.now).waiting == 1)
        // Later it does as it is asked, and b gets them from a.
        circle.now += 7 * 3600
        try circle.settle()
        b.keychain.set(Name(group: "a.one", account: "of b"), to: [3], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == b.keychain.live && a.keychain.live.count == 2 && a.keychain.live[name] == [2])
    }

    @Test(
        "a writer that makes a key which nobody gets stops a view until somebody may read it no more: then there is another",
        arguments: [true, false])
    func keyOfNobody(removesWriter: Bool) throws {
        let circle = try SimulatedCircle(3, Seed(36))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let log = try #require(try c.state?.log)
        let rekey = try log.body(
            .rekey(circle.firstView, generation: 2, commitment: [UInt8](repeating: 7, count: ViewKey.commitmentSize)),
            by: c.device, now: circle.now)
        var insertion = CircleInsertion()
        insertion.chains = [(.log, rekey)]
        _ = try circle.server.perform(.insert(insertion))
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        #expect(try b.synchronize(circle.server, now: circle.now).keptBack == 1)
        if removesWriter {
            let removed = try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
            #expect(removed.end == .complete)
        } else {
            let roles = try #require(try b.state?.log.membership.member(b.id)?.roles)
            var fewer = roles
            fewer.views[circle.firstView] = nil
            for roles in [fewer, roles] {
                let changed = try a.synchronize(circle.server, options(.change([.roles(b.id, roles)])), now: circle.now)
                #expect(changed.end == .complete)
            }
        }
        try circle.settle()
        #expect(try b.state?.log.membership.views[circle.firstView]?.generation == 3)
        for device in circle.members { #expect(device.keychain.live == [name: [2]]) }
    }

    // MARK: Members

    @Test(
        "what a removed device writes is junk; what is new is closed to it; what it could read is listed until it changed"
    )
    func removal() throws {
        let circle = try SimulatedCircle(3, Seed(29))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        let names = (0..<3).map { Name(group: "a.one", account: "\($0)") }
        for name in names { a.keychain.set(name, to: [1], now: circle.now) }
        try circle.settle()
        let old = circle.server.tables
        let removed = try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        guard case .complete = removed.end else { throw Unexpected(removed.end) }
        let generations = try a.state?.log.membership.views.values.map(\.generation)
        #expect(generations == [2, 2, 2])

        // It works on with what it knows, and its head is put behind the barrier.
        let apart = MemoryServer(old)
        c.keychain.set(names[0], to: [66], now: circle.now + 5)
        try c.synchronize(apart, now: circle.now + 5)
        let chain = CircleChain.heads(circle.firstView)
        var tables = circle.server.tables
        let next = tables.newest(chain) + 1
        let written = try #require(apart.tables.chains[chain]?[apart.tables.newest(chain)])
        tables.chains[chain]?[next] = written
        tables.records.merge(apart.tables.records) { mine, _ in mine }
        circle.server.tables = tables
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.isEmpty && report.junk.first.map(\.number) == [next])
        #expect(b.keychain.live[names[0]] == [1])

        // It hears of it, and opens nothing new.
        circle.now += 10
        b.keychain.set(names[1], to: [2], now: circle.now)
        try b.synchronize(circle.server, now: circle.now)
        let ring = try c.keyring(of: #require(c.state?.log.circle))
        var opened = 0
        for (key, body) in circle.server.tables.records {
            let address = SyncRecord.Address(view: key.view, id: key.place.id, head: key.place.head)
            let isNew = key.place.head >= next
            if (try? SyncRecord.open(body, at: address, ring)) != nil { opened += isNew ? 1 : 0 }
        }
        #expect(opened == 0)
        #expect(try c.synchronize(circle.server, now: circle.now).end == .removed(nil))

        try a.synchronize(circle.server, now: circle.now)
        func toRotate() throws -> [String] {
            let report = try a.synchronize(circle.server, options(.listToRotate(c.id)), now: circle.now)
            return report.toRotate.compactMap { entry in
                guard case .string(let account)? = entry.attributes[.account] else { return nil }
                return account
            }.sorted()
        }
        #expect(try toRotate() == ["0", "2"])
        circle.now += 10
        a.keychain.set(names[0], to: [3], now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        #expect(try toRotate() == ["2"])
        a.keychain.set(names[2], to: nil, now: circle.now)
        try a.synchronize(circle.server, now: circle.now)
        #expect(try toRotate().isEmpty)
    }

    @Test(
        "a removed device cannot be the first to write a view, whatever owner removes it, and whether junk lies there",
        arguments: [true, false], [true, false])
    func removalFromEmptyView(isOutside: Bool, hasJunk: Bool) throws {
        let circle = try SimulatedCircle(3, Seed(34))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        var owner = a
        if isOutside {
            owner = try SimulatedDevice("outside", Seed(35))
            let roles = Roles(isOwner: true, views: [circle.secondView: .writer])
            let admission = LogAction.admit(owner.device.card, .word(roles, sealedName: [2]))
            try a.synchronize(circle.server, options(.change([admission])), now: circle.now)
            let log = try #require(try a.state?.log)
            let known = CircleState(device: owner.id, log: CircleLog(circle: log.circle, expecting: log.tip))
            _ = owner.keychain.perform(try known.beginning())
            try circle.settle()
        }
        let chain = CircleChain.heads(circle.firstView)
        if hasJunk {
            var tables = circle.server.tables
            tables.chains[chain, default: [:]][1] = .init(body: [1], who: "joiner")
            circle.server.tables = tables
        }
        let then = try #require(try c.state)
        let removed = try owner.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        let number: UInt64 = hasJunk ? 2 : 1
        #expect(circle.server.tables.newest(chain) == number)
        let body = try #require(circle.server.tables.chains[chain]?[number]?.body)
        let barrier = try CircleHead(decoding: SignedBody(decoding: body).content)
        #expect(barrier.author == owner.id && barrier.entries.isEmpty && barrier.logNumber > then.log.tip.number)
        // It goes on as if it had not heard of it: before the barrier it finds no number, and behind it nothing of it counts.
        for previous in [[], try barrier.hash()] {
            let next = circle.server.tables.newest(chain) + 1
            let head = CircleHead(
                circle: then.log.circle, view: circle.firstView, number: next, previous: previous,
                logNumber: then.log.tip.number, logHash: then.log.tip.hash, generation: 1, chance: 1, entries: [],
                root: barrier.root, oldestTombstone: 0, time: 0, author: c.id)
            var insertion = CircleInsertion()
            insertion.chains = [(chain, ChainBody(number: next, body: try head.signed(by: c.device)))]
            _ = try circle.server.perform(.insert(insertion))
        }
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]])
        #expect(try b.state?.views[circle.firstView]?.number ?? 0 >= number + 3)
    }

    @Test("no barrier goes into the place of heads that the server does not show")
    func removalWithoutHeads() throws {
        let circle = try SimulatedCircle(3, Seed(36))
        let (a, c) = (circle[0], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let whole = circle.server.tables
        var tables = whole
        tables.chains[.heads(circle.firstView)] = nil
        circle.server.tables = tables
        let refused = try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        #expect(refused.end == .impossible(.alarmed) && circle.server.tables.newest(.heads(circle.firstView)) == 0)
        try a.synchronize(circle.server, options(.heal), now: circle.now)
        let removed = try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        try circle.settle()
    }

    @Test("what a reader put among the heads stays junk when it becomes a writer")
    func readersHead() throws {
        let circle = try SimulatedCircle(3, Seed(37))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        func make(_ access: Roles.Access) throws {
            let roles = Roles(views: [circle.firstView: access, circle.secondView: .writer])
            let report = try a.synchronize(circle.server, options(.change([.roles(c.id, roles)])), now: circle.now)
            #expect(report.end == .complete)
            try circle.settle()
        }
        try make(.reader)
        let state = try #require(try c.state)
        let known = try #require(state.views[circle.firstView])
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next,
            previous: [UInt8](repeating: 3, count: 32), logNumber: state.log.tip.number, logHash: state.log.tip.hash,
            generation: 2, chance: 1, entries: [], root: known.root, oldestTombstone: 0, time: 0, author: c.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: c.device)))
        ]
        _ = try circle.server.perform(.insert(insertion))
        try make(.writer)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        // Those who passed over it judge it again, and who comes reads it for the first time.
        try circle.settle()
        let new = try #require(try circle.admit(by: a, "new"))
        try circle.settle()
        #expect(c.keychain.live == [name: [2]] && new.keychain.live == [name: [2]])
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

    @Test("of two owners who remove one device at once one does it, and the other is told")
    func twoOwners() throws {
        let circle = try SimulatedCircle(3, Seed(30))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        for device in [a, b] { try device.beginRound(options(.change([.remove(c.id)])), now: circle.now) }
        while a.isInRound || b.isInRound {
            for device in [a, b] { try device.step(circle.server, now: circle.now) }
        }
        let ends = [a, b].compactMap { $0.reports.last?.end }
        #expect(ends.contains(.complete))
        #expect(ends.contains(.impossible(.refused(.unknownDevice))))
        try circle.settle()
        #expect(c.isRemoved)
    }

    @Test(
        "a member who signs a wrong root, or another history, stops its view until it is removed",
        arguments: [true, false])
    func turnedMember(isRoot: Bool) throws {
        let circle = try SimulatedCircle(3, Seed(31))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let state = try #require(try c.state)
        let known = try #require(state.views[circle.firstView])
        let wrong = [UInt8](repeating: 3, count: 32)
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next,
            previous: isRoot ? known.hash : wrong, logNumber: state.log.tip.number, logHash: state.log.tip.hash,
            generation: 1, chance: 1, entries: [], root: isRoot ? wrong : known.root, oldestTombstone: 0, time: 0,
            author: c.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: c.device)))
        ]
        _ = try circle.server.perform(.insert(insertion))
        let alarm =
            isRoot
            ? Alarm.wrongRoot(circle.firstView, head.number, author: c.id)
            : Alarm.forked(.heads(circle.firstView), head.number, author: c.id)
        for device in [a, b] {
            #expect(try device.synchronize(circle.server, now: circle.now).alarms == [alarm])
        }
        let removed = try a.synchronize(circle.server, options(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]])
    }

    @Test(
        "a record under a generation that the log does not have is nobody's, and does not wait for one",
        arguments: [0, UInt32.max])
    func impossibleGeneration(generation: UInt32) throws {
        let circle = try SimulatedCircle(3, Seed(37))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let state = try #require(try c.state)
        let known = try #require(state.views[circle.firstView])
        let id = try #require(c.keychain.leaves[circle.firstView]?.keys.first)
        let number = withUnsafeBytes(of: generation.bigEndian) { Array($0) }
        let body = [1, UInt8(ascii: "C")] + number + [UInt8](repeating: 9, count: 40)
        let digest = try Digest.sha256(of: body)
        var tree = try StateTree()
        try tree.set(SyncLeaf(id: id, head: known.next, digest: digest))
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next, previous: known.hash,
            logNumber: state.log.tip.number, logHash: state.log.tip.hash, generation: 1, chance: 1,
            entries: [CircleHead.Entry(id: id, digest: digest)], root: try tree.root(), oldestTombstone: 0, time: 0,
            author: c.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: c.device)))
        ]
        insertion.records = [
            (circle.firstView, RecordBody(place: .init(head: head.number, chance: 1, id: id), body: body))
        ]
        _ = try circle.server.perform(.insert(insertion))
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(report.unreadable.map(\.id) == [id] && report.waiting == 0 && report.sent == 1)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [2]]) }
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
        let healed = try a.synchronize(circle.server, options(.heal), now: circle.now)
        #expect(healed.end == .complete && healed.alarms.isEmpty)
        let last = try #require(try circle.admit(by: b, "last"))
        try circle.settle()
        #expect(last.keychain.live == [name: [3]])
        // What stands in the place of the newest is another history.
        tables = circle.server.tables
        let newest = tables.newest(chain)
        tables.chains[chain]?[newest] = .init(body: [1], who: "stolen")
        circle.server.tables = tables
        let refused = try a.synchronize(circle.server, options(.heal), now: circle.now)
        #expect(refused.end == .impossible(.notAnAncestor(chain)))
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
        #expect(report.unreadable.map(\.id) == [id] && report.alarms.isEmpty)
    }

    private struct Unexpected: Error {
        let what: String

        init(_ what: some Sendable) { self.what = "\(what)" }
    }
}
