// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

@Suite struct CircleLogTests {
    @Test("who reads the same bodies has the same log, however they are cut, and after being written down")
    func reading() throws {
        var circle = try TestCircle()
        let other = try circle.admit(Roles(views: [circle.view: .writer]))
        try circle.append(.rekey(circle.view, generation: 2, commitment: TestCircle.hash(9)), by: other)
        try circle.insert([1, 2, 3])
        try circle.append(.policy(circle.view, sealedPolicy: [8]), by: circle.founder)
        var whole = CircleLog(circle: circle.log.circle)
        #expect(try whole.take(circle.bodies).count == circle.bodies.count)
        #expect(whole == circle.log)
        var pieces = CircleLog(circle: circle.log.circle)
        for body in circle.bodies {
            _ = try pieces.take([body])
            pieces = try CircleLog(decoding: pieces.encoded())
        }
        #expect(pieces == circle.log)
        let membership = circle.log.membership
        #expect(try Membership(decoding: membership.encoded()) == membership)
        #expect(try membership.writer(other.card.id(), of: circle.view) == other.card)
        #expect(membership.readers(of: circle.view).count == 2)
        #expect(membership.views[circle.view]?.generation == 2)
        #expect(circle.log.tip.number == 7 && circle.log.hash(at: 6) == nil)
        #expect(try circle.log.isTip(circle.bodies[6]) && !circle.log.isTip(circle.bodies[4]))
        // What comes twice is passed over; a gap ends the reading.
        #expect(try whole.take(circle.bodies) == [])
        #expect(try whole.take([ChainBody(number: 999_999, body: [])]) == [])
    }

    @Test(
        "a reader's entry, one of two signatures, an entry of elsewhere, and bytes change nothing and take their number"
    )
    func junk() throws {
        var circle = try TestCircle()
        let reader = try circle.admit(Roles(views: [circle.view: .reader]))
        let owner = try circle.admit(Roles(isOwner: true))
        try circle.append(.quorum(2), by: circle.founder)
        let tip = circle.log.tip
        let moved = LogAction.moved(sealedAddress: [1])
        let one = try circle.log.body(moved, by: circle.founder, now: 1).body
        var readers = try circle.forged(moved, by: reader)
        #expect(try isJunk(circle.insert(readers)))
        readers = try circle.forged(.roles(reader.card.id(), Roles(isOwner: true)), by: reader)
        #expect(try isJunk(circle.insert(readers)))
        for device in [reader, circle.founder] {
            #expect(try isJunk(circle.insert(TestCircle.later(than: circle.log, by: device))))
        }
        #expect(try isJunk(circle.insert(one)))
        let proposal = try circle.log.body(moved, by: circle.founder, now: 1).body
        #expect(try isJunk(circle.insert(proposal)))
        #expect(try isJunk(circle.insert(circle.bodies[2].body)))
        #expect(try isJunk(circle.insert([])))
        #expect(try isJunk(circle.insert(TestCircle(chance: 2).bodies[0].body)))
        #expect(circle.log.tip == tip)

        let wanting = try circle.log.body(moved, by: circle.founder, now: 1).body
        #expect(try !circle.log.isComplete(wanting))
        #expect(try circle.log.proposed(wanting)?.action == moved)
        let whole = try #require(try circle.log.signed(wanting, by: owner))
        #expect(try circle.log.isComplete(whole.body))
        guard case .accepted? = try circle.insert(whole.body) else {
            Issue.record("two owners' entry was not accepted")
            return
        }
        #expect(circle.log.membership.moved?.sealedAddress == [1])
        #expect(try circle.log.proposed(wanting) == nil)
    }

    @Test(
        "what no entry can be made of is no proposal, and stops nobody from reading the others",
        arguments: [Int64.max, .min])
    func strangeProposal(time: Int64) throws {
        var circle = try TestCircle()
        let reader = try circle.admit(Roles(views: [circle.view: .reader]))
        let model = try circle.log.entry(.moved(sealedAddress: []), by: circle.founder.card.id(), now: 1000)
        let entry = LogEntry(
            circle: model.circle, number: model.number, previous: model.previous, skip: model.skip, time: time,
            author: try reader.card.id(), action: model.action, state: model.state)
        let body = try SignedBody(entry.encoded(), by: reader).encoded()
        #expect(try circle.log.proposed(body) == nil)
    }

    @Test("what a member with the right signed and does not chain is a fork, and nothing behind it is read")
    func forks() throws {
        var circle = try TestCircle()
        let other = try circle.admit(Roles(isOwner: true))
        let before = circle.log
        try circle.append(.policy(circle.view, sealedPolicy: [1]), by: circle.founder)
        // Another history with the same number of entries.
        var branch = before
        let hidden = try branch.body(.policy(circle.view, sealedPolicy: [2]), by: other, now: 1)
        _ = try branch.take([hidden])
        let joined = try branch.body(.policy(circle.view, sealedPolicy: [3]), by: other, now: 1)
        var log = circle.log
        let author = try other.card.id()
        #expect(try log.take([joined]) == [.fork(number: joined.number, author: author)])
        #expect(log == circle.log)
        // The right places and another outcome.
        let wrong = try circle.forged(.moved(sealedAddress: [1]), by: other, state: TestCircle.hash(0))
        #expect(
            try log.take([ChainBody(number: log.next, body: wrong)]) == [.fork(number: log.next, author: author)])
        // A person says that it is nothing.
        log.passOver()
        #expect(log.tip == circle.log.tip && log.last == circle.log.last + 1)
        let next = try log.body(.policy(circle.view, sealedPolicy: [4]), by: other, now: 1)
        guard case .accepted? = try log.take([next]).first else {
            Issue.record("the log does not go on")
            return
        }
    }

    @Test("an entry that a device was told of has to be there")
    func expected() throws {
        var circle = try TestCircle()
        let place = circle.log.tip
        try circle.append(.policy(circle.view, sealedPolicy: [1]), by: circle.founder)
        var log = CircleLog(circle: circle.log.circle, expecting: place)
        _ = try log.take(Array(circle.bodies.prefix(2)))
        #expect(log.expected == place)
        _ = try log.take(circle.bodies)
        #expect(log.expected == nil && log.tip == circle.log.tip)
        for hash in [TestCircle.hash(3)] {
            let wrong = LogPlace(number: place.number, hash: hash)
            var log = CircleLog(circle: circle.log.circle, expecting: wrong)
            guard case .fork(3, _)? = try log.take(circle.bodies).last else {
                Issue.record("another entry than the expected one was taken")
                continue
            }
        }
    }

    @Test("what a later version wrote ends the reading")
    func later() throws {
        var circle = try TestCircle()
        let entry = try circle.forged(.suite(2), by: circle.founder)
        #expect(try circle.insert(entry) == .later(number: 4))
        let other = try TestCircle.later(than: circle.log, by: circle.founder)
        #expect(try circle.insert(other) == .later(number: 4))
        #expect(circle.log.last == 3)
    }

    @Test("no changed byte of an entry is accepted")
    func everyByte() throws {
        let circle = try TestCircle()
        let body = circle.bodies[1]
        var before = CircleLog(circle: circle.log.circle)
        _ = try before.take([circle.bodies[0]])
        for place in body.body.indices {
            for bit in [UInt8(1), 0x80] {
                var changed = body.body
                changed[place] ^= bit
                var log = before
                #expect(try isJunk(log.take([ChainBody(number: 2, body: changed)]).first), "byte \(place)")
            }
        }
    }

    func isJunk(_ event: LogEvent?) -> Bool {
        guard case .junk? = event else { return false }
        return true
    }
}
