// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestSeed
import Testing

/// Rounds of a few devices and an honest server.
@Suite("rounds") struct RoundTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test("what one device adds, updates and deletes, another has, under its own reference")
    func addUpdateDelete() throws {
        let circle = try SimulatedCircle(2, Seed(for: "addUpdateDelete"))
        let (a, b) = (circle[0], circle[1])
        b.keychain.set(Name(group: "b.two", account: "first"), to: [9], now: circle.now)
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live[name] == [1])
        let reference = b.keychain.entries[name]?.reference
        #expect(reference != a.keychain.entries[name]?.reference)

        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live[name] == [2])
        #expect(b.keychain.entries[name]?.reference == reference)

        circle.now += 10
        b.keychain.set(name, to: nil, now: circle.now)
        try circle.settle()
        #expect(a.keychain.live[name] == nil)
    }

    @Test("what is no shared password, and what no view asks for, never goes up; its mark goes")
    func notShared() throws {
        let circle = try SimulatedCircle(2, Seed(for: "notShared"))
        let a = circle[0]
        a.keychain.set(name, to: [1], accessible: "aku", now: circle.now)
        try circle.settle()
        #expect(circle.server.tables.records.isEmpty)
        #expect(a.keychain.entries[name]?.mark == nil)
    }

    @Test("one key added on two devices without a server: one row, the later one's, the other in history")
    func sameKey() throws {
        let circle = try SimulatedCircle(2, Seed(for: "sameKey"))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        b.keychain.set(name, to: [2], now: circle.now + 1)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [2]]) }
        #expect(a.keychain.past.compactMap(\.secret?.bytes) == [[1]])
        #expect(Set(circle.server.tables.records.keys.map(\.place.id)).count == 1)
    }

    @Test("of two of one time the one with the smaller digest stays, whoever sends first", arguments: [0, 1])
    func sameTime(first: Int) throws {
        let circle = try SimulatedCircle(2, Seed(4))
        for number in 0..<2 { circle[number].keychain.set(name, to: [UInt8(number)], now: circle.now) }
        let items = try (0..<2).map { try #require(circle[$0].keychain.entries[name]?.item) }
        let smaller = items[0].digest.lexicographicallyPrecedes(items[1].digest) ? 0 : 1
        try circle[first].synchronize(circle.server, now: circle.now)
        try circle.settle()
        for device in circle.devices { #expect(device.keychain.live == [name: [UInt8(smaller)]]) }
    }

    @Test("a deletion and an edit: the later of the two stays", arguments: [true, false])
    func deletion(isLater: Bool) throws {
        let circle = try SimulatedCircle(2, Seed(5))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        a.keychain.set(name, to: nil, now: circle.now + (isLater ? 20 : 10))
        b.keychain.set(name, to: [2], now: circle.now + (isLater ? 10 : 20))
        circle.now += 30
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == (isLater ? [:] : [name: [2]])) }
    }

    @Test("a clock that is ten years ahead wins once, and not against what came later")
    func wrongClock() throws {
        let circle = try SimulatedCircle(2, Seed(6))
        let (a, b) = (circle[0], circle[1])
        a.clock = 10 * 365 * 24 * 3600
        a.keychain.set(name, to: [1], now: circle.now + a.clock)
        try circle.settle()
        #expect(b.reports.contains { $0.clocksAhead[a.id] ?? 0 > 3600 })
        circle.now += 10
        b.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        for device in [a, b] { #expect(device.keychain.live == [name: [2]]) }
    }

    @Test("a locked device takes ck at once, and ak when it is unlocked; meanwhile it sends what it can seal")
    func locked() throws {
        let circle = try SimulatedCircle(2, Seed(7))
        let (a, b) = (circle[0], circle[1])
        let other = Name(group: "a.one", account: "other")
        let mine = Name(group: "a.one", account: "mine")
        b.keychain.isLocked = true
        a.keychain.set(name, to: [1], accessible: "ak", now: circle.now)
        a.keychain.set(other, to: [2], accessible: "ck", now: circle.now)
        b.keychain.set(mine, to: [3], accessible: "ck", now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == [other: [2], mine: [3]])
        #expect(b.reports.last?.waiting == 1)
        #expect(a.keychain.live[mine] == [3])
        b.keychain.isLocked = false
        try circle.settle()
        #expect(b.keychain.live == [name: [1], other: [2], mine: [3]])
        #expect(b.reports.last?.waiting == 0)
    }

    @Test(
        "a device that was away for 120 days hears of deletions whose tombstones are void; what it changed comes back")
    func away() throws {
        let circle = try SimulatedCircle(3, Seed(8))
        let (a, c) = (circle[0], circle[2])
        let other = Name(group: "a.one", account: "other")
        a.keychain.set(name, to: [1], now: circle.now)
        a.keychain.set(other, to: [2], now: circle.now)
        try circle.settle()
        circle.now += 10
        c.keychain.set(other, to: [3], now: circle.now - 20)
        a.keychain.set(name, to: nil, now: circle.now)
        a.keychain.set(other, to: nil, now: circle.now)
        for _ in 0..<2 { for device in [a, circle[1]] { try device.synchronize(circle.server, now: circle.now) } }
        circle.now += 120 * 24 * 3600
        for _ in 0..<2 { for device in [a, circle[1]] { try device.synchronize(circle.server, now: circle.now) } }
        #expect(a.reports.contains { $0.voided == 2 } || circle[1].reports.contains { $0.voided == 2 })
        #expect(a.keychain.entries.isEmpty)
        try circle.settle()
        for device in circle.devices { #expect(device.keychain.live == [other: [3]]) }
        #expect(circle.views.allSatisfy { (try? a.state?.views[$0]?.oldestTombstone) ?? 0 == 0 })
    }

    @Test("a commit whose answer is lost is there once")
    func cutAtCommit() throws {
        let circle = try SimulatedCircle(2, Seed(9))
        let a = circle[0]
        a.keychain.set(name, to: [1], now: circle.now)
        try a.beginRound(now: circle.now)
        // Until the head is in the server's table.
        let chain = CircleChain.heads(circle.firstView)
        while a.isInRound {
            let isSending = a.isSendingHead
            if isSending {
                try a.step(CutServer(server: circle.server, cut: .after), now: circle.now)
            } else {
                try a.step(circle.server, now: circle.now)
            }
        }
        #expect(circle.server.tables.newest(chain) == 1)
        try circle.settle()
        #expect(circle.server.tables.newest(chain) == 1)
        #expect(circle[1].keychain.live == [name: [1]])
    }

    @Test("a pull that deletes 60 of 100 waits for a person, or makes a snapshot first")
    func manyDeletions() throws {
        let circle = try SimulatedCircle(3, Seed(10))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        for number in 0..<100 {
            a.keychain.set(Name(group: "a.one", account: "\(number)"), to: [1], now: circle.now)
        }
        try circle.settle()
        circle.now += 10
        for number in 0..<60 {
            a.keychain.set(Name(group: "a.one", account: "\(number)"), to: nil, now: circle.now)
        }
        try a.synchronize(circle.server, now: circle.now)
        let report = try b.synchronize(circle.server, now: circle.now)
        #expect(
            report.alarms == [.manyDeletions(circle.firstView, head: 2, deletions: 60, of: 100)])
        #expect(b.keychain.live.count == 100)
        var options = SyncRound.Settings()
        options.manyDeletions = .snapshot
        for device in [b, c] {
            try device.synchronize(circle.server, options, now: circle.now)
            #expect(device.snapshots == 1)
            #expect(device.keychain.live.count == 40)
        }
        try circle.settle()
    }

    @Test(
        "nor do 60 of 100 go where a view is read anew, or for the first time: no item is known as a record of it then")
    func manyDeletionsAnew() throws {
        for isLocked in [false, true] {
            let circle = try SimulatedCircle(2, Seed(14))
            let (a, b) = (circle[0], circle[1])
            let names = (0..<100).map { Name(group: "a.one", account: "\($0)") }
            for name in names { a.keychain.set(name, to: [1], accessible: isLocked ? "ak" : "ck", now: circle.now) }
            try circle.settle()
            circle.now += 10
            for name in names.prefix(60) { a.keychain.set(name, to: nil, now: circle.now) }
            try a.synchronize(circle.server, now: circle.now)
            let alarm = Alarm.manyDeletions(circle.firstView, head: 2, deletions: 60, of: 100)
            var options = SyncRound.Settings()
            options.task = .follow(circle.firstView)
            b.keychain.isLocked = isLocked
            var report = try b.synchronize(circle.server, options, now: circle.now)
            if isLocked {
                // They wait, sealed, until it is unlocked.
                #expect(report.alarms.isEmpty && report.waiting == 100)
                b.keychain.isLocked = false
                report = try b.synchronize(circle.server, now: circle.now)
            }
            #expect(report.alarms == [alarm] && report.sent == 0 && b.keychain.live.count == 100)
            // It joins with what it had before.
            let new = try #require(try circle.admit(by: a, "new"))
            for name in names { new.keychain.set(name, to: [1], now: circle.now - 5) }
            new.keychain.set(Name(group: "a.one", account: "its own"), to: [2], now: circle.now)
            #expect(
                try new.synchronize(circle.server, now: circle.now).alarms
                    == [.manyDeletions(circle.firstView, head: 2, deletions: 60, of: 101)])
            #expect(new.keychain.live.count == 101)
            options = SyncRound.Settings()
            options.manyDeletions = .snapshot
            for device in [b, new] {
                #expect(try device.synchronize(circle.server, options, now: circle.now).alarms.isEmpty)
                #expect(device.snapshots == 1)
            }
            try circle.settle()
            for device in circle.devices { #expect(device.keychain.live.count == 41) }
        }
    }

    @Test("an idle device asks the server once, and writes nothing")
    func idle() throws {
        let circle = try SimulatedCircle(2, Seed(11))
        circle[0].keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let before = circle.server.requests
        try circle[0].synchronize(circle.server, now: circle.now + 60)
        #expect(circle.server.requests == before + 1)
    }

    @Test("what lies on the server has no name, no value, and no true length")
    func dump() throws {
        let circle = try SimulatedCircle(2, Seed(12))
        let secret = Array("a secret that is long enough to be found".utf8)
        for (number, count) in [5, 40, 600].enumerated() {
            circle[0].keychain.set(
                Name(group: "a.group.of.mine", account: "account.of.mine \(number)"),
                to: Array((secret + [UInt8](repeating: 1, count: 600)).prefix(count)),
                accessible: number == 0 ? "ak" : "ck", now: circle.now)
        }
        circle.now += 7 * 3600
        try circle.settle()
        for body in circle.server.tables.everything {
            for word in ["account.of.mine", "a.group.of.mine", "a secret", "service", "device 0", "first"] {
                #expect(!body.contains(word.utf8))
            }
        }
        #expect(Set(circle.server.tables.records.values.map(\.count)) == [550, 1062])
    }
}
