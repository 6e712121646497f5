// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

@Suite struct MembershipTests {
    @Test("the last owner stays, and as many as have to sign; then words on paper decide")
    func lastOwner() throws {
        var circle = try TestCircle()
        let founder = try circle.founder.card.id()
        #expect(throws: CircleError.refused(.lastOwner)) {
            try circle.log.body(.remove(founder), by: circle.founder, now: 1)
        }
        #expect(throws: CircleError.refused(.lastOwner)) {
            try circle.log.body(.roles(founder, Roles()), by: circle.founder, now: 1)
        }
        #expect(throws: CircleError.refused(.lastOwner)) {
            try circle.log.body(.quorum(2), by: circle.founder, now: 1)
        }
        let second = try circle.admit(Roles(isOwner: true))
        let words = try TestCircleDevice(kind: .words)
        try circle.append(.recover(words.card, proof: proof(by: words, in: circle.log.circle)), by: second)
        try circle.append(.quorum(2), by: circle.founder)
        #expect(throws: CircleError.refused(.lastOwner)) {
            try circle.log.body(.remove(founder), by: second, now: 1)
        }
        // All is lost but the paper.
        let new = try circle.admit(Roles(isOwner: true, views: [circle.view: .writer]), by: words)
        for lost in [circle.founder, second] { try circle.append(.remove(lost.card.id()), by: words) }
        #expect(circle.log.membership.quorum == 1)
        #expect(try circle.log.membership.owners == [new.card.id()])
        try circle.append(.rekey(circle.view, generation: 2, commitment: TestCircle.hash(5)), by: words)
        #expect(throws: CircleError.refused(.lastOwner)) {
            try circle.log.body(.remove(new.card.id()), by: words, now: 1)
        }
        #expect(throws: CircleError.refused(.noRight)) {
            try circle.log.body(.policy(circle.view, sealedPolicy: []), by: words, now: 1)
        }
    }

    @Test("who makes a view writes it, by that one entry")
    func newView() throws {
        var circle = try TestCircle()
        let second = try circle.admit(Roles(isOwner: true, views: [circle.view: .reader]))
        try circle.append(.quorum(2), by: circle.founder)
        let view = try #require(SyncView([UInt8](repeating: 8, count: SyncView.size)))
        let action = LogAction.view(view, sealedPolicy: [2], commitment: TestCircle.hash(6))
        let proposal = try circle.log.body(action, by: second, now: 1000)
        let signed = try #require(try circle.log.signed(proposal.body, by: circle.founder))
        guard case .accepted? = try circle.insert(signed.body) else {
            Issue.record("two owners made no view")
            return
        }
        let membership = circle.log.membership
        let id = try second.card.id()
        #expect(membership.writer(id, of: view) == second.card)
        #expect(membership.member(id)?.roles.views[circle.view] == .reader)
        #expect(membership.mayHaveWritten(id, view, at: circle.log.tip.number))
        #expect(try membership.writer(circle.founder.card.id(), of: view) == nil)
    }

    @Test("a recovery key is a member only of the circle that it signed")
    func foreignWords() throws {
        var circle = try TestCircle()
        let words = try TestCircleDevice(kind: .words)
        let elsewhere = try TestCircle(chance: 2).log.circle
        let recover = LogAction.recover(words.card, proof: try proof(by: words, in: elsewhere))
        #expect(throws: CircleError.refused(.wrongProof)) {
            try circle.log.body(recover, by: circle.founder, now: 1)
        }
        guard case .junk? = try circle.insert(circle.forged(recover, by: circle.founder)) else {
            Issue.record("a key that another circle was signed with became a member")
            return
        }
        #expect(throws: CircleError.refused(.wrongProof)) {
            let word = Ground.word(Roles(isOwner: true), sealedName: [])
            return try circle.log.body(.admit(words.card, word), by: circle.founder, now: 1)
        }
    }

    @Test("a token admits one device, in time, with the roles of its invite, and only who holds it")
    func invites() throws {
        var circle = try TestCircle()
        let sponsor = try circle.admit(Roles(isSponsor: true))
        let token = try TestToken()
        let (first, second) = (try TestCircleDevice(), try TestCircleDevice())
        let id = circle.log.circle
        let roles = Roles(views: [circle.view: .reader])
        let invite = Invite(id: token.id, roles: roles, expiry: 2000, sealedName: [9])
        #expect(throws: CircleError.refused(.noRight)) {
            try circle.log.body(.invite(invite), by: sponsor, now: 1)
        }
        try circle.append(.invite(invite), by: circle.founder)
        #expect(throws: CircleError.refused(.noRight)) {
            try circle.log.body(.admit(first.card, .word(roles, sealedName: [])), by: sponsor, now: 1)
        }
        #expect(throws: CircleError.refused(.wrongProof)) {
            let ground = try token.ground(for: second.card, in: id)
            return try circle.log.body(.admit(first.card, ground), by: sponsor, now: 1)
        }
        let admit = LogAction.admit(first.card, try token.ground(for: first.card, in: id))
        #expect(throws: CircleError.refused(.expired)) {
            try circle.log.body(admit, by: sponsor, now: 2001)
        }
        try circle.append(admit, by: sponsor, now: 2000)
        let member = try #require(try circle.log.membership.member(first.card.id()))
        #expect(member.roles == roles && member.sealedName == [9])
        #expect(throws: CircleError.refused(.noInvite)) {
            let ground = try token.ground(for: second.card, in: id)
            return try circle.log.body(.admit(second.card, ground), by: sponsor, now: 1)
        }
        let other = try TestToken()
        try circle.append(
            .invite(Invite(id: other.id, roles: roles, expiry: 2000, sealedName: [])), by: circle.founder)
        try circle.append(.withdraw(other.id), by: circle.founder)
        #expect(throws: CircleError.refused(.noInvite)) {
            let ground = try other.ground(for: second.card, in: id)
            return try circle.log.body(.admit(second.card, ground), by: sponsor, now: 1)
        }
    }

    @Test("a listed endorsement key admits one device of a TPM")
    func allowances() throws {
        var circle = try TestCircle()
        let sponsor = try circle.admit(Roles(isSponsor: true))
        let (chip, software) = (try TestCircleDevice(kind: .tpm), try TestCircleDevice())
        let key = TestCircle.hash(0xEC)
        try circle.append(
            .allow([Allowance(endorsementKey: key, roles: Roles(), sealedName: [])]), by: circle.founder)
        #expect(throws: CircleError.refused(.wrongProof)) {
            try circle.log.body(.admit(software.card, .allowed(key)), by: sponsor, now: 1)
        }
        try circle.append(.admit(chip.card, .allowed(key)), by: sponsor)
        #expect(throws: CircleError.refused(.noInvite)) {
            let again = try TestCircleDevice(kind: .tpm)
            return try circle.log.body(.admit(again.card, .allowed(key)), by: sponsor, now: 1)
        }
    }

    @Test("what a device could write and read is known after it lost the right")
    func history() throws {
        var circle = try TestCircle()
        let writer = try circle.admit(Roles(isOwner: true, views: [circle.view: .writer]))
        let id = try writer.card.id()
        let admitted = circle.log.tip.number
        try circle.append(.roles(id, Roles(views: [circle.view: .reader])), by: circle.founder)
        let reduced = circle.log.tip.number
        try circle.append(.roles(id, Roles(views: [circle.view: .writer])), by: circle.founder)
        let restored = circle.log.tip.number
        try circle.append(.rekey(circle.view, generation: 2, commitment: TestCircle.hash(2)), by: writer)
        try circle.append(.remove(id), by: circle.founder)
        let removed = circle.log.tip.number
        try circle.append(.rekey(circle.view, generation: 3, commitment: TestCircle.hash(3)), by: circle.founder)
        let membership = circle.log.membership
        let rights = (1...circle.log.tip.number).filter { membership.mayHaveWritten(id, circle.view, at: $0) }
        #expect(rights == [admitted] + Array(restored..<removed))
        let barriers = (1...circle.log.tip.number).filter { membership.mayHaveSetBarrier(id, at: $0) }
        #expect(barriers == Array(admitted..<reduced))
        #expect(membership.member(id, at: removed) == nil)
        #expect(membership.member(id, at: removed - 1) == writer.card)
        #expect(membership.members[id]?.lastGenerations[circle.view] == 2)
        #expect(membership.writer(id, of: circle.view) == nil && membership.member(id) == nil)
        #expect(throws: CircleError.refused(.wasRemoved)) {
            let word = Ground.word(Roles(), sealedName: [])
            return try circle.log.body(.admit(writer.card, word), by: circle.founder, now: 1)
        }
        #expect(throws: CircleError.refused(.noRight)) {
            try circle.log.body(
                .rekey(circle.view, generation: 4, commitment: TestCircle.hash(4)), by: writer, now: 1)
        }
    }

    @Test("of two owners who remove each other at once, one is first")
    func removals() throws {
        var circle = try TestCircle()
        let other = try circle.admit(Roles(isOwner: true))
        let (founder, second) = (try circle.founder.card.id(), try other.card.id())
        let one = try circle.log.body(.remove(second), by: circle.founder, now: 1)
        let two = try circle.log.body(.remove(founder), by: other, now: 1)
        #expect(one.number == two.number)
        try circle.insert(one.body)
        guard case .junk? = try circle.insert(two.body) else {
            Issue.record("the removed owner removed")
            return
        }
        #expect(circle.log.membership.owners == [founder])
    }

    @Test("who wants to go, goes")
    func leaving() throws {
        var circle = try TestCircle()
        let device = try circle.admit()
        try circle.append(.remove(device.card.id()), by: device)
        #expect(try circle.log.membership.member(device.card.id()) == nil)
    }

    private func proof(by words: TestCircleDevice, in circle: CircleID) throws -> [UInt8] {
        try words.signature(of: Digest.sha256(of: Membership.recoveryProof(of: words.card, in: circle)))
    }
}
