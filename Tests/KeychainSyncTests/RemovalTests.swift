// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What a removal ends, the keys that it makes, and what becomes of them.
@Suite("removal and new keys") struct RemovalTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

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
        let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete)
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
            let report = try a.synchronize(circle.server, .task(.listToRotate(c.id)), now: circle.now)
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
        let owner = isOutside ? try outsideOwner(of: circle) : a
        let chain = CircleChain.heads(circle.firstView)
        if hasJunk {
            var tables = circle.server.tables
            tables.chains[chain, default: [:]][1] = .init(body: [1], who: "joiner")
            circle.server.tables = tables
        }
        let then = try #require(try c.state)
        let removed = try owner.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
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

    @Test(
        "a writer that takes a number far ahead is removed as any other, by whoever owns the circle: nothing of it counts",
        arguments: [UInt64(Int64.max), 1_000_000], [true, false])
    func numberFarAhead(number: UInt64, isOutside: Bool) throws {
        let circle = try SimulatedCircle(3, Seed(38))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let owner = isOutside ? try outsideOwner(of: circle) : a
        let then = try #require(try c.state)
        let known = try #require(then.views[circle.firstView])
        let chain = CircleChain.heads(circle.firstView)
        func insert(_ number: UInt64, _ previous: [UInt8]) throws {
            let head = CircleHead(
                circle: then.log.circle, view: circle.firstView, number: number, previous: previous,
                logNumber: then.log.tip.number, logHash: then.log.tip.hash, generation: 1, chance: 1, entries: [],
                root: known.root, oldestTombstone: 0, time: 0, author: c.id)
            var insertion = CircleInsertion()
            insertion.chains = [(chain, ChainBody(number: number, body: try head.signed(by: c.device)))]
            _ = try circle.server.perform(.insert(insertion))
        }
        try insert(number, [UInt8](repeating: 3, count: 32))
        // Numbers that nobody comes to are in nobody's way.
        let isNobodys = number == UInt64(Int64.max)
        let alarms = isNobodys ? [] : [Alarm.missingHead(circle.firstView, known.next)]
        #expect(try b.synchronize(circle.server, now: circle.now).alarms == alarms)

        let removed = try owner.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        let body = try #require(circle.server.tables.chains[chain]?[known.next]?.body)
        let barrier = try CircleHead(decoding: SignedBody(decoding: body).content)
        #expect(barrier.author == owner.id && barrier.entries.isEmpty)
        // Behind the barrier it goes on as if it had not heard of it.
        try insert(known.next + 1, known.hash)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        let new = try #require(try circle.admit(by: a, "new"))
        try circle.settle()
        for device in [a, b, new] { #expect(device.keychain.live == [name: [2]]) }
    }

    /// An owner that reads only the second view.
    private func outsideOwner(of circle: SimulatedCircle<MemoryServer>) throws -> SimulatedDevice {
        let owner = try SimulatedDevice("outside", Seed(35))
        let roles = Roles(isOwner: true, views: [circle.secondView: .writer])
        let admission = LogAction.admit(owner.device.card, .word(roles, sealedName: [2]))
        try circle[0].synchronize(circle.server, .task(.change([admission])), now: circle.now)
        let log = try #require(try circle[0].state?.log)
        let known = CircleState(device: owner.id, log: CircleLog(circle: log.circle, expecting: log.tip))
        _ = owner.keychain.perform(try known.beginning())
        try circle.settle()
        return owner
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
        let refused = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(refused.end == .impossible(.alarmed) && circle.server.tables.newest(.heads(circle.firstView)) == 0)
        try a.synchronize(circle.server, .task(.heal), now: circle.now)
        let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
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
            let report = try a.synchronize(circle.server, .task(.change([.roles(c.id, roles)])), now: circle.now)
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

    @Test("of two owners who remove one device at once one does it, and the other is told")
    func twoOwners() throws {
        let circle = try SimulatedCircle(3, Seed(30))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        for device in [a, b] { try device.beginRound(.task(.change([.remove(c.id)])), now: circle.now) }
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
        let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]])
    }

    @Test("a head that names an entry of the log that nobody has keeps nobody from removing its author")
    func headOfNoLog() throws {
        let circle = try SimulatedCircle(3, Seed(132))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let state = try #require(try c.state)
        let known = try #require(state.views[circle.firstView])
        let head = CircleHead(
            circle: state.log.circle, view: circle.firstView, number: known.next, previous: known.hash,
            logNumber: state.log.tip.number + 1000, logHash: [UInt8](repeating: 3, count: 32), generation: 1, chance: 1,
            entries: [], root: known.root, oldestTombstone: 0, time: 0, author: c.id)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.heads(circle.firstView), ChainBody(number: head.number, body: try head.signed(by: c.device)))
        ]
        _ = try circle.server.perform(.insert(insertion))
        let alarm = Alarm.withheld(.log, head.logNumber, seenBy: c.id, at: 0)
        for device in [a, b] {
            #expect(try device.synchronize(circle.server, now: circle.now).alarms == [alarm])
        }
        // It says of itself alone that there is more; of anything else that an owner does it may be true.
        let other = try a.synchronize(circle.server, .task(.change([.remove(b.id)])), now: circle.now)
        #expect(other.end == .impossible(.alarmed))
        let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]])
    }

    /// What a device says that it has seen, on the server: more of the log than there is, or something else.
    private func note(
        of device: SimulatedDevice, _ circle: SimulatedCircle<MemoryServer>, log: LogPlace
    ) throws {
        let state = try #require(try device.state)
        let note = SeenNote(
            circle: state.log.circle, device: device.id, counter: state.counter + 1, time: Int64(circle.now),
            place: [UInt8](repeating: 7, count: SeenNote.placeSize), log: log, heads: [:])
        var insertion = CircleInsertion()
        insertion.seen = [
            SeenBody(device: device.id, counter: note.counter, body: try note.signed(by: device.device))
        ]
        _ = try circle.server.perform(.insert(insertion))
    }

    @Test("nobody is removed over what one who stays has seen of the log, also where who is removed lies about it")
    func withheldFromRemoval() throws {
        let circle = try SimulatedCircle(3, Seed(133))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        let old = circle.server.tables
        // The server shows what b wrote and noted to nobody; its note it shows.
        let policy = try #require(try b.state?.log.membership.views[circle.firstView]?.sealedPolicy)
        let change = SyncRound.Task.change([.policy(circle.firstView, sealedPolicy: policy)])
        try b.synchronize(circle.server, .task(change), now: circle.now)
        circle.now += 7 * 3600
        try b.synchronize(circle.server, now: circle.now)
        let whole = circle.server.tables
        var tables = old
        tables.seen = whole.seen
        circle.server.tables = tables
        let tip = try #require(try c.state?.log.tip)
        let wrong = [UInt8](repeating: 3, count: 32)
        try note(of: c, circle, log: LogPlace(number: tip.number + 1000, hash: wrong))
        let told = circle.server.tables.seen

        func remove(_ devices: SimulatedDevice...) throws -> RoundReport {
            let actions = devices.map { LogAction.remove($0.id) }
            return try a.synchronize(circle.server, .task(.change(actions)), now: circle.now)
        }
        for device in [c, b] {
            #expect(try remove(device).end == .impossible(.alarmed))
            #expect(circle.server.tables.newest(.log) == tip.number)
        }
        // Both are named: the lie silences nobody.
        let alarms = try a.synchronize(circle.server, now: circle.now).alarms
        let seers = alarms.compactMap { alarm in
            if case .withheld(.log, _, seenBy: let device, _) = alarm { device } else { nil }
        }
        #expect(Set(seers) == [b.id, c.id])
        // Where the server shows it, what c says alone keeps nobody from removing c.
        tables = whole
        tables.seen = told
        circle.server.tables = tables
        #expect(try remove(c).end == .complete)
        try circle.settle()
        #expect(try a.state?.log.tip == b.state?.log.tip && c.isRemoved)
    }

    @Test(
        "what a device says of the log, in a note alone, keeps nobody from removing it, and nothing else goes on meanwhile",
        arguments: [0, 1000])
    func noteOfNoLog(further: UInt64) throws {
        let circle = try SimulatedCircle(3, Seed(134))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        let tip = try #require(try c.state?.log.tip)
        let place = LogPlace(number: tip.number + further, hash: [UInt8](repeating: 3, count: 32))
        try note(of: c, circle, log: place)
        if further > 0 {
            let other = try a.synchronize(circle.server, .task(.change([.remove(b.id)])), now: circle.now)
            #expect(other.end == .impossible(.alarmed))
            #expect(other.alarms.map(\.chain) == [.log])
        }
        let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
        #expect(removed.end == .complete && removed.alarms.isEmpty)
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(a.keychain.live == [name: [2]])
    }

    @Test("two members who both sign other histories keep each other from being removed, and nobody from removing both")
    func twoTurned() throws {
        let circle = try SimulatedCircle(4, Seed(131))
        let (a, b, c, d) = (circle[0], circle[1], circle[2], circle[3])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let state = try #require(try c.state)
        let known = try #require(state.views[circle.firstView])
        let wrong = [UInt8](repeating: 3, count: 32)
        var insertion = CircleInsertion()
        for (turned, number) in [(c, known.next), (d, known.next + 1)] {
            let head = CircleHead(
                circle: state.log.circle, view: circle.firstView, number: number, previous: wrong,
                logNumber: state.log.tip.number, logHash: state.log.tip.hash, generation: 1, chance: 1, entries: [],
                root: known.root, oldestTombstone: 0, time: 0, author: turned.id)
            insertion.chains.append(
                (.heads(circle.firstView), ChainBody(number: number, body: try head.signed(by: turned.device))))
        }
        _ = try circle.server.perform(.insert(insertion))
        for turned in [c, d] {
            let removed = try a.synchronize(circle.server, .task(.change([.remove(turned.id)])), now: circle.now)
            #expect(removed.end == .impossible(.alarmed))
        }
        let removed = try a.synchronize(
            circle.server, .task(.change([.remove(c.id), .remove(d.id)])), now: circle.now)
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
        #expect(report.unreadable.records.map(\.id) == [id] && report.waiting == 0 && report.sent == 1)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [2]]) }
    }

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
        try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
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
        let removed = try a.synchronize(losing, .task(.change([.remove(c.id)])), now: circle.now)
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
            let removed = try a.synchronize(circle.server, .task(.change([.remove(c.id)])), now: circle.now)
            #expect(removed.end == .complete)
        } else {
            let roles = try #require(try b.state?.log.membership.member(b.id)?.roles)
            var fewer = roles
            fewer.views[circle.firstView] = nil
            for roles in [fewer, roles] {
                let changed = try a.synchronize(circle.server, .task(.change([.roles(b.id, roles)])), now: circle.now)
                #expect(changed.end == .complete)
            }
        }
        try circle.settle()
        #expect(try b.state?.log.membership.views[circle.firstView]?.generation == 3)
        for device in circle.members { #expect(device.keychain.live == [name: [2]]) }
    }
}
