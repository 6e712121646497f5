// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// What who comes is given, and what it was told of.
@Suite("keys and heads for who comes") struct NewcomerTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test("whom a sponsor without keys admits gets them from who has them; and who lost its shares gets them again")
    func missingShares() throws {
        let circle = try SimulatedCircle(2, Seed(56))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let sponsor = try SimulatedDevice("sponsor", Seed(1))
        let admission = LogAction.admit(
            sponsor.device.card, .word(Roles(isOwner: true), sealedName: [2]))
        try a.synchronize(circle.server, .task(.change([admission])), now: circle.now)
        try join(sponsor, circle)
        try sponsor.synchronize(circle.server, now: circle.now)
        let new = try #require(try circle.admit(by: sponsor, "new"))
        try new.synchronize(circle.server, now: circle.now)
        #expect(new.keychain.live.isEmpty)
        // A look gives nothing, and does not forget who came.
        #expect(try b.synchronize(circle.server, .task(.look), now: circle.now).sharesHealed == 0)
        let report = try b.synchronize(circle.server, now: circle.now)
        // The key of the other view was given with this one.
        #expect(report.sharesHealed == 1)
        try new.synchronize(circle.server, now: circle.now)
        #expect(new.keychain.live == [name: [1]])
        // The server loses them all.
        var tables = circle.server.tables
        tables.shares = [:]
        circle.server.tables = tables
        circle.now += 7 * 3600
        for device in [a, b] { try device.synchronize(circle.server, now: circle.now) }
        let mine = circle.server.tables.shares.keys.filter { $0.device == new.id }
        #expect(mine.count == 1)
        #expect(try a.synchronize(circle.server, now: circle.now + 7 * 3600).sharesHealed == 0)
    }

    @Test("a look between a server's loss and its being healed does not forget that members may lack keys")
    func lookBehindHealing() throws {
        let circle = try SimulatedCircle(3, Seed(57))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let old = circle.server.tables
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let whole = circle.server.tables
        circle.server.tables = old
        let behind = try b.synchronize(circle.server, now: circle.now)
        #expect(behind.alarms.contains { if case .wentBack = $0 { true } else { false } })
        circle.server.tables = whole
        circle.server.tables.shares = [:]
        for _ in 1...2 {
            let looked = try b.synchronize(circle.server, .task(.look), now: circle.now)
            #expect(looked.alarms.isEmpty && looked.sharesHealed == 0)
        }
        #expect(try b.synchronize(circle.server, now: circle.now).sharesHealed == 2)
    }

    @Test("who joins by a token reads nothing before it has seen the heads of then, or newer ones")
    func welcomed() throws {
        let circle = try SimulatedCircle(2, Seed(57))
        let a = circle[0]
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let secret = SecretBytes(count: JoinToken.secretSize) { $0[0] = 3 }
        let roles = Roles(views: [circle.firstView: .writer, circle.secondView: .writer])
        let invite = try JoinToken.invite(for: secret, roles: roles, expiry: circle.now + 1000, sealedName: [])
        try a.synchronize(circle.server, .task(.change([.invite(invite)])), now: circle.now)
        let log = try #require(try a.state?.log)
        let token = try JoinToken(circle: log.circle, tip: log.tip, secret: secret)
        let new = try SimulatedDevice("new", Seed(2))
        let request = try token.request(by: new.device)
        let admission = try JoinToken.admission(for: request, in: log)
        let old = circle.server.tables
        let elsewhere = MemoryServer(old)
        let before = SimulatedDevice(copyOf: a, place: a.place, Seed(5))
        try before.synchronize(elsewhere, .task(.change([admission])), now: circle.now)
        a.keychain.set(name, to: [2], now: circle.now + 1)
        circle.now += 10
        try circle.settle()
        try a.synchronize(circle.server, .task(.change([admission])), now: circle.now)
        let told = CircleState(device: new.id, log: CircleLog(circle: log.circle, expecting: log.tip))
        _ = new.keychain.perform(try told.beginning())

        // The log of now, and the items of before.
        let whole = circle.server.tables
        var tables = whole
        let chain = CircleChain.heads(circle.firstView)
        tables.chains[chain] = old.chains[chain]
        circle.server.tables = tables
        var report = try new.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.contains { $0.chain == chain } && new.keychain.live.isEmpty)
        // And without the word of the member that admitted it.
        tables = whole
        tables.mail = [:]
        circle.server.tables = tables
        let fresh = SimulatedDevice(copyOf: new, place: new.place, Seed(3))
        fresh.keychain = ModelKeychain()
        _ = fresh.keychain.perform(try told.beginning())
        report = try fresh.synchronize(circle.server, now: circle.now)
        #expect(report.alarms == [.unwelcomed(a.id)] && fresh.keychain.live.isEmpty)
        // Or with one that goes with an admission which did not come to be: its heads are older.
        tables.mail = elsewhere.tables.mail
        #expect(!tables.mail.isEmpty)
        circle.server.tables = tables
        report = try fresh.synchronize(circle.server, now: circle.now)
        #expect(report.alarms == [.unwelcomed(a.id)] && fresh.keychain.live.isEmpty)
        // Or with another entry in the place of its own, which would say that no welcome is needed.
        let number = try #require(try fresh.state?.log.membership.members[new.id]?.admittedAt)
        let forged = LogEntry(
            circle: log.circle, number: number, previous: log.tip, skip: .none, time: 1, author: circle[1].id,
            action: .admit(new.device.card, .word(roles, sealedName: [])), state: TestCircle.hash(1))
        tables.chains[.log]?[number]?.body = try SignedBody(forged.encoded(), by: circle[1].device).encoded()
        circle.server.tables = tables
        report = try fresh.synchronize(circle.server, now: circle.now)
        #expect(!report.alarms.isEmpty && fresh.keychain.live.isEmpty)
        // What others heap up in front of it is not read.
        tables = whole
        let box = try #require(whole.mail.keys.first?.box)
        #expect(whole.mail.keys.allSatisfy { $0.box == box })
        for number in 1...5000 as ClosedRange<UInt64> { tables.mail[.init(box: box, number: number)] = [1] }
        circle.server.tables = tables
        for device in [new, fresh] {
            let asked = circle.server.requests
            #expect(try device.synchronize(circle.server, now: circle.now).alarms.isEmpty)
            #expect(circle.server.requests - asked < 40)
            #expect(device.keychain.live == [name: [2]])
        }
    }

    @Test("who was told of a head takes no other history, whatever a server has a removed writer sign")
    func toldOfHead() throws {
        let circle = try SimulatedCircle(3, Seed(68))
        let (a, removed) = (circle[0], circle[2])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let then = try #require(try removed.state)
        let known = try #require(then.views[circle.firstView])
        try a.synchronize(circle.server, .task(.change([.remove(removed.id)])), now: circle.now)
        let barrier = try #require(try a.state?.views[circle.firstView])
        #expect(barrier.number == known.next)
        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        let new = try #require(try circle.admit(by: a, "new"))
        let tip = try #require(try a.state?.log.tip)
        func read(_ change: (inout ServerTables) throws -> Void) throws -> (RoundReport, SimulatedDevice) {
            var told = CircleState(device: new.id, log: CircleLog(circle: then.log.circle, expecting: tip))
            var view = ViewState()
            view.expected = ViewState.HeadPlace(number: barrier.number, hash: barrier.hash)
            told.views[circle.firstView] = view
            let fresh = SimulatedDevice(copyOf: new, place: new.place, Seed(3))
            fresh.keychain = ModelKeychain()
            _ = fresh.keychain.perform(try told.beginning())
            var tables = circle.server.tables
            try change(&tables)
            return (try fresh.synchronize(MemoryServer(tables), now: circle.now), fresh)
        }
        let chain = CircleChain.heads(circle.firstView)
        for (number, alarm) in [
            (1_000_000, .wentBack(chain, mine: barrier.number, newest: known.number)),
            (barrier.number, .replaced(chain, barrier.number)),
        ] as [(UInt64, Alarm)] {
            // Nobody can say when it signed this, as if it had not heard of its removal.
            let head = CircleHead(
                circle: then.log.circle, view: circle.firstView, number: number,
                previous: number == barrier.number ? known.hash : barrier.hash, logNumber: then.log.tip.number,
                logHash: then.log.tip.hash, generation: 1, chance: 1, entries: [], root: known.root, oldestTombstone: 0,
                time: 0, author: removed.id)
            let (report, fresh) = try read { tables in
                tables.chains[chain] = tables.chains[chain]?.filter { $0.key < barrier.number }
                tables.chains[chain]?[number] = try .init(body: head.signed(by: removed.device), who: "stolen")
            }
            #expect(report.alarms == [alarm] && fresh.keychain.live.isEmpty)
        }
        let (report, fresh) = try read { _ in }
        #expect(report.alarms.isEmpty && fresh.keychain.live == [name: [2]])
        // What is missing of this year the keeper did not delete.
        let (early, refusing) = try read { $0.chains[chain]?[barrier.number] = nil }
        #expect(early.alarms == [.missingHead(circle.firstView, barrier.number)] && refusing.keychain.live.isEmpty)
        circle.now += 366 * 86_400
        // A barrier of last year, which the keeper deletes when something comes behind it.
        let (later, kept) = try read { $0.chains[chain]?[barrier.number] = nil }
        #expect(later.alarms.isEmpty && kept.keychain.live == [name: [2]])
    }

    @Test("who was told of a barrier that the keeper deleted takes the one behind it, of an owner outside the view")
    func barrierBehindToldOne() throws {
        let circle = try SimulatedCircle(4, Seed(78))
        let (a, c, d) = (circle[0], circle[2], circle[3])
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let outside = try #require(try circle.admit(by: a, "outside"))
        let roles = Roles(isOwner: true, views: [circle.secondView: .writer])
        for change in [LogAction.roles(outside.id, roles), .remove(c.id)] {
            try a.synchronize(circle.server, .task(.change([change])), now: circle.now)
        }
        try circle.settle()
        let told = try #require(try a.state?.views[circle.firstView])
        let new = try #require(try circle.admit(by: a, "new"))
        let log = try #require(try a.state?.log)
        var state = CircleState(device: new.id, log: CircleLog(circle: log.circle, expecting: log.tip))
        var view = ViewState()
        view.expected = ViewState.HeadPlace(number: told.number, hash: told.hash)
        state.views[circle.firstView] = view
        new.keychain = ModelKeychain()
        _ = new.keychain.perform(try state.beginning())
        let removed = try outside.synchronize(circle.server, .task(.change([.remove(d.id)])), now: circle.now)
        #expect(removed.end == .complete)
        // A year later the first barrier is gone.
        let chain = CircleChain.heads(circle.firstView)
        #expect(circle.server.tables.newest(chain) == told.number + 1)
        circle.server.tables.chains[chain]?[told.number] = nil
        circle.now += 400 * 86_400
        let report = try new.synchronize(circle.server, now: circle.now)
        #expect(report.alarms.isEmpty && new.keychain.live == [name: [1]])
    }

    private func join(_ device: SimulatedDevice, _ circle: SimulatedCircle<MemoryServer>) throws {
        let state = try #require(try circle[0].state)
        let known = CircleState(
            device: device.id, log: CircleLog(circle: state.log.circle, expecting: state.log.tip))
        _ = device.keychain.perform(try known.beginning())
    }
}
