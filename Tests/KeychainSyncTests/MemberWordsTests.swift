// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// Words and tokens that are members, and what ends with the owner that made them.
@Suite("words that are members") struct MemberWordsTests {
    private typealias Name = ModelKeychain.Name

    private let name = Name(group: "a.one", account: "me")

    @Test("words and tokens end with an owner that is made a member, and what it wrote until then counts")
    func demoted() throws {
        let circle = try SimulatedCircle(3, Seed(58))
        let (a, b, c) = (circle[0], circle[1], circle[2])
        b.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        let paper = try RecoveryDevice(RecoveryKey())
        let log = try #require(try b.state?.log)
        let secret = SecretBytes(count: JoinToken.secretSize) { $0[0] = 4 }
        let invite = try JoinToken.invite(for: secret, roles: Roles(), expiry: circle.now + 1e6, sealedName: [])
        try b.synchronize(
            circle.server, .task(.change([paper.enrolment(in: log.circle), .invite(invite)])), now: circle.now)
        try circle.settle()
        #expect(try a.state?.log.membership.invites.count == 1)
        let roles = Roles(views: [circle.firstView: .writer, circle.secondView: .writer])
        let report = try a.synchronize(circle.server, .task(.change([.roles(b.id, roles)])), now: circle.now)
        #expect(try report.endedWords == [paper.card.id()])
        try circle.settle()
        let membership = try #require(try c.state?.log.membership)
        #expect(try membership.member(paper.card.id()) == nil && membership.invites.isEmpty)
        #expect(membership.member(b.id)?.roles == roles && membership.views[circle.firstView]?.generation == 2)
        #expect(c.keychain.live == [name: [1]])
    }

    @Test("who comes by words that removed the others makes new keys and ends what those write, in each view")
    func recovered() throws {
        let circle = try SimulatedCircle(2, Seed(59))
        let (a, b) = (circle[0], circle[1])
        a.keychain.set(name, to: [1], now: circle.now)
        a.keychain.set(Name(group: "other", account: "me"), to: [2], now: circle.now)
        let paper = try RecoveryDevice(RecoveryKey())
        let id = try #require(try a.state?.log.circle)
        try a.synchronize(circle.server, .task(.change([paper.enrolment(in: id)])), now: circle.now)
        try circle.settle()
        // As `circle recover --remove-others` does it.
        var log = try #require(try a.state?.log)
        let new = try SimulatedDevice("new", Seed(4))
        let roles = Roles(isOwner: true, views: [circle.firstView: .writer, circle.secondView: .writer])
        var insertion = CircleInsertion()
        for action in [.admit(new.device.card, .word(roles, sealedName: [2])), .remove(a.id), .remove(b.id)]
            as [LogAction]
        {
            let body = try log.body(action, by: paper, now: circle.now)
            _ = try log.take([body])
            insertion.chains.append((.log, body))
        }
        _ = try circle.server.perform(.insert(insertion))
        new.keep(a.kept)
        _ = new.keychain.perform(try CircleState(device: new.id, log: log).beginning())
        #expect(try new.synchronize(circle.server, now: circle.now).end == .complete)
        for view in circle.views {
            #expect(try new.state?.log.membership.views[view]?.generation == 2)
            let newest = try #require(circle.server.tables.chains[.heads(view)]?.max { $0.key < $1.key }?.value.body)
            let head = try CircleHead(decoding: SignedBody(decoding: newest).content)
            #expect(head.author == new.id && head.entries.isEmpty && head.logNumber > log.tip.number - 1)
        }
        #expect(new.keychain.live == a.keychain.live && new.keychain.live.count == 2)
    }

    @Test("words end with the owner that made them a member, unless they are to stay; those of others stay")
    func words() throws {
        for keeps in [false, true] {
            let circle = try SimulatedCircle(3, Seed(54))
            let (a, b, c) = (circle[0], circle[1], circle[2])
            try circle.settle()
            var words: [DeviceID] = []
            for device in [a, b] {
                let paper = try RecoveryDevice(RecoveryKey())
                words.append(try paper.card.id())
                let id = try #require(try a.state?.log.circle)
                try device.synchronize(
                    circle.server, .task(.change([paper.enrolment(in: id)])), now: circle.now)
            }
            try circle.settle()
            #expect(try words.allSatisfy { try a.state?.log.membership.member($0) != nil })
            let report = try a.synchronize(
                circle.server, .task(.change([.remove(b.id)]), keeping: keeps ? [words[1]] : []), now: circle.now)
            #expect(report.endedWords == (keeps ? [] : [words[1]]))
            try circle.settle()
            let membership = try #require(try c.state?.log.membership)
            #expect(membership.member(words[0]) != nil)
            #expect((membership.member(words[1]) != nil) == keeps)
            // The newest key is none that they have had.
            guard !keeps else { continue }
            #expect(membership.members[words[1]]?.lastGenerations[circle.firstView] == 1)
            #expect(membership.views[circle.firstView]?.generation == 2)
        }
    }

    @Test("where the server hides who made words a member, they end as well")
    func hiddenWords() throws {
        let circle = try SimulatedCircle(2, Seed(55))
        let (a, b) = (circle[0], circle[1])
        try circle.settle()
        let paper = try RecoveryDevice(RecoveryKey())
        let id = try #require(try a.state?.log.circle)
        try b.synchronize(circle.server, .task(.change([paper.enrolment(in: id)])), now: circle.now)
        try circle.settle()
        let number = try #require(try a.state?.log.membership.member(paper.card.id())?.admittedAt)
        circle.now += 1
        // The next entry keeps the tip where the server has it.
        let policy = try #require(try a.state?.log.membership.views[circle.firstView]?.sealedPolicy)
        try a.synchronize(
            circle.server, .task(.change([.policy(circle.firstView, sealedPolicy: policy)])), now: circle.now)
        var tables = circle.server.tables
        tables.chains[.log]?[number] = nil
        circle.server.tables = tables
        let report = try a.synchronize(circle.server, .task(.change([.remove(b.id)])), now: circle.now)
        #expect(try report.endedWords == [paper.card.id()])
    }
}
