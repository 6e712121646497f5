// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

@Suite struct RecoveryDeviceTests {
    @Test("the same words are the same member")
    func words() throws {
        let key = try RecoveryKey()
        let typed = try unsafe key.words().withUnsafeBytes { try unsafe RecoveryKey(words: $0) }
        let (one, two) = (try RecoveryDevice(key), try RecoveryDevice(typed))
        #expect(one.card == two.card && one.card.kind == .words)
        #expect(try RecoveryDevice(RecoveryKey()).card != one.card)
        let other = try P256.makeKey()
        #expect(
            try one.sharedSecret(with: other.publicKey)
                .isEqualInConstantTime(to: P256.sharedSecret(of: other.privateKey, with: one.card.agreementKey)))
        #expect(P256.isPublicKey(one.card.signingKey))
    }

    @Test("when all devices are lost, words and the database let a new one in and the others out")
    func recovery() throws {
        var circle = try TestCircle()
        let lost = try circle.admit(Roles(isOwner: true, views: [circle.view: .writer]))
        let words = try RecoveryDevice(RecoveryKey())
        try circle.append(words.enrolment(in: circle.log.circle), by: lost)
        #expect(try circle.log.membership.readers(of: circle.view).contains(words.card.id()))

        // Nothing is left but the bodies and the words.
        var log = CircleLog(circle: circle.log.circle)
        _ = try log.take(circle.bodies)
        #expect(try words.isMember(of: log))
        let new = try TestCircleDevice()
        let id = try new.card.id()
        func append(_ action: LogAction) throws {
            let body = try log.body(action, by: words, now: 2)
            guard case .accepted? = try log.take([body]).first else {
                Issue.record("not accepted")
                return
            }
        }
        let roles = Roles(isOwner: true, views: [circle.view: .writer])
        try append(.admit(new.card, .word(roles, sealedName: [])))
        for owner in log.membership.owners where owner != id { try append(.remove(owner)) }
        try append(.rekey(circle.view, generation: 2, commitment: TestCircle.hash(2)))
        #expect(log.membership.owners == [id])
        #expect(try log.membership.members[lost.card.id()]?.lastGenerations[circle.view] == 1)
        // The used paper goes out, and another comes in.
        let next = try RecoveryDevice(RecoveryKey())
        for action in [.remove(try words.card.id()), try next.enrolment(in: log.circle)] {
            _ = try log.take([log.body(action, by: new, now: 3)])
        }
        #expect(try !words.isMember(of: log) && next.isMember(of: log))
    }

    @Test("a server's own circle with a known recovery key is none of the words'")
    func foreignCircle() throws {
        let words = try RecoveryDevice(RecoveryKey())
        var real = try TestCircle()
        try real.append(words.enrolment(in: real.log.circle), by: real.founder)
        // What the server read there, in a circle that it founded.
        var own = try TestCircle(chance: 9)
        let body = try own.forged(words.enrolment(in: real.log.circle), by: own.founder)
        guard case .junk? = try own.insert(body) else {
            Issue.record("the words became a member")
            return
        }
        #expect(try !words.isMember(of: own.log))
        // The real body in its place.
        try own.insert(real.bodies[3].body)
        #expect(try !words.isMember(of: own.log))
    }
}
