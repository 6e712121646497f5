// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What people decide about the log.
@Suite("decisions about the log") struct LogDecisionTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test("the server's log is taken by a person's word alone, who is told what it costs; then all is one again")
    func followed() throws {
        let circle = try SimulatedCircle(4, Seed(50))
        let (a, b, c, d) = (circle[0], circle[1], circle[2], circle[3])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let other = MemoryServer(circle.server.tables)
        // b removes d, with new keys, and writes; the server that a and c see has none of it, and grows in another way.
        try b.synchronize(other, .task(.change([.remove(d.id)])), now: circle.now)
        b.keychain.set(Name(group: "a.one", account: "of b"), to: [2], now: circle.now)
        try b.synchronize(other, now: circle.now)
        let policy = try #require(try a.state?.log.membership.views[circle.firstView]?.sealedPolicy)
        try a.synchronize(
            circle.server, .task(.change([.policy(circle.firstView, sealedPolicy: policy)])), now: circle.now)
        a.keychain.set(Name(group: "a.one", account: "of a"), to: [3], now: circle.now)
        for device in [a, c, d] { try device.synchronize(circle.server, now: circle.now) }

        let tip = try #require(try b.state?.log.tip)
        for _ in 0..<5 {
            let report = try b.synchronize(circle.server, now: circle.now)
            #expect(report.alarms.contains { $0.chain == .log } && report.sent == 0)
            circle.now += 7 * 3600
        }
        #expect(try b.state?.log.tip == tip)
        let asked = try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
        let cost = try #require(asked.otherLog)
        #expect(cost.comeBack == [d.id] && cost.gone.isEmpty && cost.strangers.isEmpty && cost.lost >= 2)
        let names = try #require(try a.state?.log.membership.namesView)
        #expect(Set(cost.rekeyed) == Set(circle.views + [names]))
        #expect(try b.state?.log.tip == tip)
        // What nobody agreed to is not taken.
        let wrong = LogPlace(number: cost.tip.number, hash: [UInt8](repeating: 0, count: 32))
        #expect(try b.synchronize(circle.server, .task(.followLog(wrong)), now: circle.now).end == .busy)
        let taken = try b.synchronize(circle.server, .task(.followLog(cost.tip)), now: circle.now)
        #expect(taken.end == .complete && taken.alarms.isEmpty)
        try circle.settle()
        #expect(try b.state?.log.tip == a.state?.log.tip)
        for device in circle.devices {
            #expect(device.keychain.live.count == 3 && device.keychain.live == a.keychain.live)
        }
        // The keys of the other history are gone: what b writes now, d reads.
        circle.now += 10
        b.keychain.set(name, to: [9], now: circle.now)
        try circle.settle()
        #expect(d.keychain.live[name] == [9])
    }

    @Test("a server without this device, or without a whole history, cannot be followed")
    func notFollowed() throws {
        let circle = try SimulatedCircle(2, Seed(51))
        let a = circle[0]
        try circle.settle()
        let old = circle.server.tables
        let new = try #require(try circle.admit(by: a, "new"))
        try circle.settle()
        circle.server.tables = old
        #expect(try !new.synchronize(circle.server, now: circle.now).alarms.isEmpty)
        #expect(
            try new.synchronize(circle.server, .task(.followLog(nil)), now: circle.now).end == .impossible(.notMember)
        )
        // An older one, which has all of this device: the entries behind it end.
        let asked = try a.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
        let cost = try #require(asked.otherLog)
        #expect(cost.gone == [new.id] && cost.comeBack.isEmpty)
        let taken = try a.synchronize(circle.server, .task(.followLog(cost.tip)), now: circle.now)
        #expect(taken.end == .complete && taken.alarms.isEmpty)
    }

    @Test("what a lost device has seen, and nobody has, is given up by a person's word, for good")
    func withheld() throws {
        let circle = try SimulatedCircle(3, Seed(52))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try circle.settle()
        let old = circle.server.tables
        let policy = try #require(try c.state?.log.membership.views[circle.firstView]?.sealedPolicy)
        try c.synchronize(
            circle.server, .task(.change([.policy(circle.firstView, sealedPolicy: policy)])), now: circle.now)
        circle.now += 7 * 3600
        try c.synchronize(circle.server, now: circle.now)
        var tables = old
        tables.seen = circle.server.tables.seen
        circle.server.tables = tables
        circle.now += 7 * 3600
        let told = try a.synchronize(circle.server, now: circle.now)
        #expect(told.alarms.count == 1 && told.alarms.first?.chain == .log)
        let cost = try #require(
            try a.synchronize(circle.server, .task(.followLog(nil)), now: circle.now).otherLog)
        #expect(cost.lost == 0 && cost.comeBack.isEmpty)
        try a.synchronize(circle.server, .task(.followLog(cost.tip)), now: circle.now)
        a.keychain.set(name, to: [1], now: circle.now)
        for _ in 0..<3 {
            circle.now += 7 * 3600
            #expect(try a.synchronize(circle.server, now: circle.now).alarms.isEmpty)
        }
        // b has heard of it as well, and decides for itself.
        #expect(try !b.synchronize(circle.server, now: circle.now).alarms.isEmpty)
    }

    @Test("an entry that follows no history stops all, until an owner passes over it: then for all, old and new")
    func passedOver() throws {
        let circle = try SimulatedCircle(4, Seed(53))
        let (a, b, c, d) = (circle[0], circle[1], circle[2], circle[3])
        try circle.settle()
        // d signs an entry behind one that is not there.
        let log = try #require(try d.state?.log)
        var elsewhere = log
        let policy = try #require(log.membership.views[circle.firstView]?.sealedPolicy)
        let hidden = try elsewhere.body(
            .policy(circle.firstView, sealedPolicy: policy), by: d.device, now: circle.now + 5)
        _ = try elsewhere.take([hidden])
        let rogue = try elsewhere.body(.policy(circle.firstView, sealedPolicy: policy), by: d.device, now: circle.now)
        var insertion = CircleInsertion()
        insertion.chains = [
            (.log, ChainBody(number: log.next, body: [1])), (.log, ChainBody(number: rogue.number, body: rogue.body)),
        ]
        _ = try circle.server.perform(.insert(insertion))
        for device in [a, b, c] {
            let report = try device.synchronize(circle.server, now: circle.now)
            #expect(report.alarms == [.forked(.log, rogue.number, author: d.id)])
        }
        #expect(
            try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now).end
                == .impossible(.noHistory(rogue.number)))
        // Another number than the one that is asked about decides nothing.
        let other = try a.synchronize(circle.server, .task(.passOver(rogue.number + 1)), now: circle.now)
        #expect(other.end == .impossible(.noRight) && !other.alarms.isEmpty)
        let passed = try a.synchronize(circle.server, .task(.passOver(rogue.number)), now: circle.now)
        #expect(passed.end == .complete && passed.alarms.isEmpty)
        let new = try #require(try circle.admit(by: a, "new"))
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        for device in [b, c, d, new] {
            #expect(try device.state?.log.tip == a.state?.log.tip && device.keychain.live == [name: [1]])
        }
        // Who reads the server's log anew to follow it passes over it as well.
        let again = try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
        #expect(try again.otherLog?.tip == a.state?.log.tip)
    }

    @Test("what follows no history and no quorum of the owners signed stops nobody, whatever its author may sign alone")
    func followsNothing() throws {
        let circle = try SimulatedCircle(5, Seed(73))
        let (a, b, c, d, e) = (circle[0], circle[1], circle[2], circle[3], circle[4])
        let roles: [(DeviceID, Roles)] = [
            (c.id, Roles(views: [circle.firstView: .reader])),
            (d.id, Roles(views: [circle.firstView: .writer])),
            (e.id, Roles(isSponsor: true, views: [circle.firstView: .reader])),
        ]
        for (id, roles) in roles {
            try a.synchronize(circle.server, .task(.change([.roles(id, roles)])), now: circle.now)
        }
        try a.synchronize(circle.server, .task(.change([.quorum(2)])), now: circle.now)
        try circle.settle()
        let commitment = [UInt8](repeating: 7, count: ViewKey.commitmentSize)
        let next = try #require(try a.state?.log.membership.views[circle.firstView]?.generation) + 1
        let stranger = try SimulatedDevice("stranger", Seed(74))
        let signed: [(SimulatedDevice, LogAction)] = [
            (c, .remove(c.id)), (b, .remove(b.id)),
            (d, .rekey(circle.firstView, generation: next, commitment: commitment)),
            (e, .admit(stranger.device.card, .allowed([UInt8](repeating: 1, count: 32)))),
        ]
        let elsewhere = LogPlace(number: 1, hash: [UInt8](repeating: 9, count: 32))
        for (device, action) in signed {
            // Another entry before it, another one farther back, and other members behind it.
            for wrong in 0..<3 {
                let log = try #require(try a.state?.log)
                let right = try log.entry(.quorum(2), by: a.id, now: circle.now)
                let entry = LogEntry(
                    circle: log.circle, number: log.next, previous: wrong == 0 ? elsewhere : right.previous,
                    skip: wrong == 1 ? elsewhere : right.skip, time: 1, author: device.id, action: action,
                    state: right.state)
                var insertion = CircleInsertion()
                let body = try SignedBody(entry.encoded(), by: device.device).encoded()
                insertion.chains = [(.log, ChainBody(number: log.next, body: body))]
                _ = try circle.server.perform(.insert(insertion))
                let report = try a.synchronize(circle.server, now: circle.now)
                #expect(report.alarms.isEmpty && report.junk.first.map(\.number) == [log.next])
            }
        }
        try circle.settle()
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        for device in circle.devices { #expect(device.keychain.live == [name: [1]]) }
        #expect(circle.members.count == 5)
    }

    @Test("what says that it is of a later version stops all, until an owner passes over it; a reader's stops nobody")
    func passedOverLater() throws {
        let circle = try SimulatedCircle(3, Seed(66))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        let reads = Roles(views: [circle.firstView: .reader])
        try a.synchronize(circle.server, .task(.change([.roles(c.id, reads)])), now: circle.now)
        try circle.settle()
        var log = try #require(try a.state?.log)
        func insert(_ body: [UInt8], at number: UInt64) throws {
            var insertion = CircleInsertion()
            insertion.chains = [(.log, ChainBody(number: number, body: body))]
            _ = try circle.server.perform(.insert(insertion))
        }
        try insert(TestCircle.later(than: log, by: c.device), at: log.next)
        try circle.settle()
        log = try #require(try a.state?.log)
        // Two by an owner: one is passed over after the other.
        let numbers = [log.next, log.next + 1]
        for number in numbers { try insert(TestCircle.later(than: log, at: number, by: b.device), at: number) }
        for device in [a, b, c] {
            let report = try device.synchronize(circle.server, now: circle.now)
            #expect(report.end == .laterVersion(numbers[0]))
        }
        let asked = try c.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
        #expect(asked.end == .laterVersion(numbers[0]))
        // Who is no owner passes over nothing.
        let refused = try c.synchronize(circle.server, .task(.passOver(numbers[0])), now: circle.now)
        #expect(refused.end == .laterVersion(numbers[0]))
        let first = try a.synchronize(circle.server, .task(.passOver(numbers[0])), now: circle.now)
        #expect(first.end == .laterVersion(numbers[1]))
        let second = try a.synchronize(circle.server, .task(.passOver(numbers[1])), now: circle.now)
        #expect(second.end == .complete && second.alarms.isEmpty)
        let new = try #require(try circle.admit(by: a, "new"))
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        for device in [b, c, new] {
            #expect(try device.state?.log.tip == a.state?.log.tip && device.keychain.live == [name: [1]])
        }
        // Words read it from the first entry.
        let again = try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
        #expect(try again.otherLog?.tip == a.state?.log.tip)
    }

    @Test("an entry of a later version that owners have gone on from is not jumped over by who does not know it")
    func laterThatCounts() throws {
        let circle = try SimulatedCircle(2, Seed(67))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let log = try #require(try a.state?.log)
        // A later version's owner goes on behind its entry, and leaves a snapshot.
        let later = try TestCircle.later(than: log, by: a.device)
        let passed = try CircleLog.place(of: ChainBody(number: log.next, body: later))
        let model = try log.entry(.quorum(1), by: a.id, now: circle.now)
        let number = log.next + 1
        let target = LogEntry.skipNumber(of: number)
        let skip = target == passed?.number ? passed : log.steps.last { $0.number <= target }?.place
        let entry = LogEntry(
            circle: log.circle, number: number, previous: try #require(passed), skip: skip ?? .none, time: 1,
            author: a.id, action: .quorum(1), state: model.state)
        let body = try SignedBody(entry.encoded(), by: a.device).encoded()
        let content = try PropertyList.array([
            .string("llavero snapshot"),
            .array([.number(Int64(number)), .data(Digest.sha256(of: entry.encoded()))]),
            .data(log.membership.encoded()),
        ]).encoded()
        var insertion = CircleInsertion()
        insertion.chains = [
            (.log, ChainBody(number: log.next, body: later)), (.log, ChainBody(number: number, body: body)),
        ]
        insertion.mail = [
            MailBody(
                box: try log.snapshots(), number: CircleLog.mailNumber(ofSnapshotAt: number),
                body: try SignedBody(content, by: a.device).encoded())
        ]
        _ = try circle.server.perform(.insert(insertion))
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(try report.end == .laterVersion(log.next) && b.state?.log == log)
    }

    @Test("a log that has this device destroy what it has is not followed")
    func followedErasure() throws {
        let circle = try SimulatedCircle(2, Seed(60))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let other = MemoryServer(circle.server.tables)
        let policy = try #require(try b.state?.log.membership.views[circle.firstView]?.sealedPolicy)
        try b.synchronize(
            other, .task(.change([.policy(circle.firstView, sealedPolicy: policy)])), now: circle.now)
        let tip = try #require(try b.state?.log.tip)
        try a.synchronize(circle.server, .task(.change([.erase(b.id, .circle)])), now: circle.now)
        for agreed in [nil, try a.state?.log.tip] {
            let report = try b.synchronize(circle.server, .task(.followLog(agreed)), now: circle.now)
            #expect(report.end == .impossible(.notMember) && report.otherLog == nil)
        }
        #expect(try b.state?.log.tip == tip)
    }

    @Test("what waited sealed here goes with no history: it is opened before another one is taken, a log's or a view's")
    func followedWaiting() throws {
        for followsLog in [true, false] {
            let circle = try SimulatedCircle(3, Seed(62))
            let (a, b, c) = (circle[0], circle[1], circle[2])
            try circle.settle()
            let other = MemoryServer(circle.server.tables)
            // The other history alone has what c wrote, and b cannot open it yet.
            c.keychain.set(name, to: [1], accessible: "ak", now: circle.now)
            try c.synchronize(other, now: circle.now)
            b.keychain.isLocked = true
            let policy = try #require(try b.state?.log.membership.views[circle.firstView]?.sealedPolicy)
            let change = LogAction.policy(circle.firstView, sealedPolicy: policy)
            if followsLog { try a.synchronize(other, .task(.change([change])), now: circle.now + 1) }
            let waits = try b.synchronize(other, now: circle.now)
            #expect(waits.waiting == 1 && b.keychain.live.isEmpty)
            if !followsLog {
                let refused = try b.synchronize(circle.server, .task(.follow(circle.firstView)), now: circle.now)
                #expect(refused.end == .impossible(.locked))
            }
            b.keychain.isLocked = false
            if followsLog {
                let asked = try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
                let tip = try #require(asked.otherLog?.tip)
                try b.synchronize(circle.server, .task(.followLog(tip)), now: circle.now)
            } else {
                try b.synchronize(circle.server, .task(.follow(circle.firstView)), now: circle.now)
            }
            #expect(b.keychain.live == [name: [1]])
            let fresh = MemoryServer(circle.server.tables)
            try c.synchronize(fresh, .task(.look), now: circle.now)
            #expect(fresh.tables.newest(.heads(circle.firstView)) == 1)
        }
    }

    @Test("what waits here and deletes 60 of 100 wants a person's word before another history is taken")
    func followedDeletions() throws {
        for followsLog in [true, false] {
            let circle = try SimulatedCircle(3, Seed(64))
            let (a, b, c) = (circle[0], circle[1], circle[2])
            let names = (0..<100).map { Name(group: "a.one", account: "\($0)") }
            for name in names { c.keychain.set(name, to: [1], accessible: "ak", now: circle.now) }
            try circle.settle()
            let other = MemoryServer(circle.server.tables)
            circle.now += 10
            for name in names.prefix(60) { c.keychain.set(name, to: nil, now: circle.now) }
            try c.synchronize(other, now: circle.now)
            let policy = try #require(try b.state?.log.membership.views[circle.firstView]?.sealedPolicy)
            let change = LogAction.policy(circle.firstView, sealedPolicy: policy)
            if followsLog { try a.synchronize(other, .task(.change([change])), now: circle.now) }
            b.keychain.isLocked = true
            #expect(try b.synchronize(other, now: circle.now).waiting == 60)
            b.keychain.isLocked = false
            let task: SyncRound.Task
            if followsLog {
                let asked = try b.synchronize(circle.server, .task(.followLog(nil)), now: circle.now)
                task = .followLog(try #require(asked.otherLog?.tip))
            } else {
                task = .follow(circle.firstView)
            }
            let tip = try b.state?.log.tip
            let report = try b.synchronize(circle.server, .task(task), now: circle.now)
            #expect(report.end == .impossible(.alarmed))
            #expect(
                report.alarms.contains(.manyDeletions(circle.firstView, head: 2, deletions: 60, of: 100)))
            #expect(try b.state?.log.tip == tip)
            #expect(b.keychain.waiting[circle.firstView]?.count == 60 && b.keychain.live.count == 100)
            var agreed = SyncRound.Settings.task(task)
            agreed.manyDeletions = .snapshot
            #expect(try b.synchronize(circle.server, agreed, now: circle.now).end == .complete)
            #expect(b.snapshots == 1 && b.keychain.live.count == 40)
        }
    }

    @Test("under a quorum an entry is passed over for all when so many owners have decided it")
    func passedOverTogether() throws {
        let circle = try SimulatedCircle(3, Seed(61))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        try a.synchronize(circle.server, .task(.change([.quorum(2)])), now: circle.now)
        try circle.settle()
        let log = try #require(try c.state?.log)
        let entry = LogEntry(
            circle: log.circle, number: log.next, previous: LogPlace(number: log.tip.number, hash: TestCircle.hash(1)),
            skip: .none, time: 1, author: c.id, action: .remove(c.id), state: TestCircle.hash(2))
        var insertion = CircleInsertion()
        var rogue = try SignedBody(entry.encoded(), by: c.device)
        try rogue.sign(by: b.device)
        insertion.chains = [(.log, ChainBody(number: log.next, body: try rogue.encoded()))]
        _ = try circle.server.perform(.insert(insertion))
        for device in [a, b, c] { #expect(try !device.synchronize(circle.server, now: circle.now).alarms.isEmpty) }
        let first = try a.synchronize(circle.server, .task(.passOver(log.next)), now: circle.now)
        #expect(first.end == .impossible(.tooFewSignatures))
        let proposal = try #require(first.proposal)
        // What one owner decided counts for nobody else.
        #expect(try !c.synchronize(circle.server, now: circle.now).alarms.isEmpty)
        try b.synchronize(circle.server, .task(.passOver(log.next)), now: circle.now)
        #expect(try b.synchronize(circle.server, .task(.sign(proposal)), now: circle.now).end == .complete)
        #expect(try a.synchronize(circle.server, now: circle.now).end == .complete)
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        #expect(try c.state?.log.tip == a.state?.log.tip && c.keychain.live == [name: [1]])
    }

    @Test(
        "who knows of a higher quorum takes an entry for passed over when as many have left word, also of a lower one")
    func passedOverBelow() throws {
        let circle = try SimulatedCircle(3, Seed(65))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        let views = Roles(views: [circle.firstView: .writer, circle.secondView: .writer])
        let paper = try RecoveryDevice(RecoveryKey())
        let id = try #require(try a.state?.log.circle)
        for change in [[LogAction.roles(c.id, views), try paper.enrolment(in: id)], [.quorum(2)]] {
            #expect(try a.synchronize(circle.server, .task(.change(change)), now: circle.now).end == .complete)
        }
        try circle.settle()
        let log = try #require(try c.state?.log)
        let entry = LogEntry(
            circle: log.circle, number: log.next, previous: LogPlace(number: log.tip.number, hash: TestCircle.hash(1)),
            skip: .none, time: 1, author: b.id, action: .remove(c.id), state: TestCircle.hash(2))
        var insertion = CircleInsertion()
        var rogue = try SignedBody(entry.encoded(), by: b.device)
        try rogue.sign(by: a.device)
        insertion.chains = [(.log, ChainBody(number: log.next, body: try rogue.encoded()))]
        _ = try circle.server.perform(.insert(insertion))
        #expect(
            try a.synchronize(circle.server, .task(.passOver(log.next)), now: circle.now).end
                == .impossible(.tooFewSignatures))
        // The words remove the other owner, which leaves one to sign, and admit a new one.
        var further = try #require(try a.state?.log)
        let new = try SimulatedDevice("new", Seed(5))
        let roles = Roles(isOwner: true, views: [circle.firstView: .writer, circle.secondView: .writer])
        insertion = CircleInsertion()
        for action in [.remove(b.id), .admit(new.device.card, .word(roles, sealedName: [2]))] as [LogAction] {
            let body = try further.body(action, by: paper, now: circle.now)
            _ = try further.take([body])
            insertion.chains.append((.log, body))
        }
        _ = try circle.server.perform(.insert(insertion))
        #expect(further.membership.quorum == 1)
        new.keep(a.kept)
        _ = new.keychain.perform(try CircleState(device: new.id, log: further).beginning())
        #expect(try new.synchronize(circle.server, .task(.change([.quorum(1)])), now: circle.now).end == .complete)
        #expect(try a.synchronize(circle.server, now: circle.now).end == .complete)
        // It still counts two, of whom one is gone: who was made an owner by words counts in its place.
        let report = try c.synchronize(circle.server, now: circle.now)
        #expect(try report.alarms.isEmpty && c.state?.log.tip == a.state?.log.tip)
    }

    @Test(
        "a policy that nobody can read sends and opens nothing, and keeps no owner from anything: another one, and all goes on",
        arguments: [0, 1, 2, 3, 4])
    func unreadablePolicy(kind: Int) throws {
        let circle = try SimulatedCircle(4, Seed(69))
        let (a, b, c, d) = (circle[0], circle[1], circle[2], circle[3])
        try circle.settle()
        let membership = try #require(try a.state?.log.membership)
        let policy = try #require(membership.views[circle.firstView]?.sealedPolicy)
        let other = try #require(membership.views[circle.secondView]?.sealedPolicy)
        let name = name
        func set(_ policy: [UInt8]) throws -> RoundReport {
            let change = LogAction.policy(circle.firstView, sealedPolicy: policy)
            return try a.synchronize(circle.server, .task(.change([change])), now: circle.now)
        }
        b.keychain.set(name, to: [1], now: circle.now)
        try b.synchronize(circle.server, now: circle.now)
        let ring = try a.keyring(of: membership.circle)
        // The last two say that they are under keys that there are not: of the end of all generations, and of before the first.
        let ofNoKeys = [UInt8.max, 0].map { [1] + [UInt8](repeating: $0, count: 4) + policy.dropFirst(5) }
        let unreadable = try ([[], other, ring.seal([1], of: .policy(circle.firstView))] + ofNoKeys)[kind]
        let report = try set(unreadable)
        #expect(report.end == .complete && report.unreadablePolicies == [circle.firstView])
        circle.now += 10
        c.keychain.set(Name(group: "a.one", account: "of c"), to: [2], now: circle.now)
        c.keychain.set(Name(group: "b.two", account: "of c"), to: [3], now: circle.now)
        let held = try c.synchronize(circle.server, now: circle.now)
        #expect(held.end == .complete && held.alarms.isEmpty && held.sent == 0 && held.waiting == 1)
        #expect(held.unreadablePolicies == [circle.firstView] && c.keychain.live[name] == nil)
        let heal = try c.synchronize(circle.server, .task(.heal), now: circle.now)
        #expect(heal.end == .impossible(.unreadablePolicy(circle.firstView)))
        let removal = try a.synchronize(circle.server, .task(.change([.remove(d.id)])), now: circle.now)
        #expect(removal.end == .complete)
        #expect(try set(policy).unreadablePolicies.isEmpty)
        try circle.settle()
        for device in [a, b, c] { #expect(device.keychain.live.count == 3 && device.keychain.live == a.keychain.live) }
    }
}
