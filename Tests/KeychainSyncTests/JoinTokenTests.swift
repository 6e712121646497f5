// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

@Suite struct JoinTokenTests {
    private func secret(_ byte: UInt8) -> SecretBytes {
        unsafe SecretBytes(count: JoinToken.secretSize) { buffer in
            for index in buffer.indices { unsafe buffer[index] = byte &+ UInt8(truncatingIfNeeded: index) }
        }
    }

    private func text(_ token: borrowing JoinToken) throws -> [UInt8] {
        try unsafe token.text().withUnsafeBytes { unsafe Array($0) }
    }

    private func token(pasted letters: [UInt8]) throws -> JoinToken {
        let text = unsafe SecretBytes(count: letters.count) { unsafe $0.copyBytes(from: letters) }
        return try unsafe text.withUnsafeBytes { (text) throws(JoiningError) in try unsafe JoinToken(pasted: text) }
    }

    @Test("a token is read as it was written, in either case and with gaps, and not with a wrong letter")
    func text() throws {
        let circle = try TestCircle()
        let letters = try text(JoinToken(circle: circle.log.circle, tip: circle.log.tip, secret: secret(1)))
        #expect(letters.count == 120)
        let typed = Array(String(decoding: letters, as: UTF8.self).uppercased().utf8) + [0x20, 0x0A]
        let read = try token(pasted: typed)
        #expect(read.circle == circle.log.circle && read.tip == circle.log.tip)
        #expect(try text(read) == letters)
        for place in letters.indices {
            var wrong = letters
            wrong[place] = wrong[place] == 0x30 ? 0x31 : 0x30
            #expect(throws: JoiningError.malformed) {
                _ = try token(pasted: wrong)
            }
        }
        for wrong in [[], Array(letters.dropLast()), letters + [0x30], letters + [0x75]] {
            #expect(throws: JoiningError.malformed) {
                _ = try token(pasted: wrong)
            }
        }
    }

    @Test("any sponsor admits who holds a token, once, in time, with the roles that it is for")
    func unattended() throws {
        var circle = try TestCircle()
        let sponsors = [
            try circle.admit(Roles(isSponsor: true)), try circle.admit(Roles(isSponsor: true)),
        ]
        let roles = Roles(views: [circle.view: .reader])
        let invite = try JoinToken.invite(for: secret(1), roles: roles, expiry: 2000, sealedName: [5])
        try circle.append(.invite(invite), by: circle.founder)
        let token = try JoinToken(circle: circle.log.circle, tip: circle.log.tip, secret: secret(1))
        let (device, thief) = (try TestCircleDevice(), try TestCircleDevice())
        let request = try token.request(by: device)
        let admission = try JoinToken.admission(for: request, in: circle.log)
        #expect(throws: CircleError.refused(.expired)) {
            try circle.log.body(admission, by: sponsors[0], now: 2000.5 + 1)
        }
        // Both sponsors saw it.
        let both = try sponsors.map { try circle.log.body(admission, by: $0, now: 1500).body }
        guard case .accepted? = try circle.insert(both[0]), case .junk? = try circle.insert(both[1]) else {
            Issue.record("not the first alone")
            return
        }
        let member = try #require(try circle.log.membership.member(device.card.id()))
        #expect(member.roles == roles)
        var log = token.joined.log
        _ = try log.take(circle.bodies)
        #expect(log.expected == nil)
        // The token in other hands.
        let second = try JoinToken.admission(for: token.request(by: thief), in: circle.log)
        #expect(throws: CircleError.refused(.noInvite)) {
            try circle.log.body(second, by: sponsors[1], now: 1500)
        }
    }

    @Test("a request is refused in another circle, for another card, and changed")
    func requests() throws {
        var circle = try TestCircle()
        let sponsor = try circle.admit(Roles(isSponsor: true))
        let invite = try JoinToken.invite(for: secret(1), roles: Roles(), expiry: 2000, sealedName: [])
        try circle.append(.invite(invite), by: circle.founder)
        let token = try JoinToken(circle: circle.log.circle, tip: circle.log.tip, secret: secret(1))
        let request = try token.request(by: TestCircleDevice())
        #expect(throws: JoiningError.foreign) {
            try JoinToken.admission(for: request, in: TestCircle(chance: 2).log)
        }
        for place in request.indices {
            var changed = request
            changed[place] ^= 1
            guard let admission = try? JoinToken.admission(for: changed, in: circle.log) else { continue }
            #expect(throws: CircleError.self, "byte \(place)") {
                try circle.log.body(admission, by: sponsor, now: 1)
            }
        }
        // A sponsor who puts a card of its own in.
        guard case .admit(_, let ground) = try JoinToken.admission(for: request, in: circle.log) else { return }
        let own = try TestCircleDevice()
        #expect(throws: CircleError.refused(.wrongProof)) {
            try circle.log.body(.admit(own.card, ground), by: sponsor, now: 1)
        }
        let forged = try circle.forged(.admit(own.card, ground), by: sponsor)
        guard case .junk? = try circle.insert(forged) else {
            Issue.record("a sponsor used an invite for a device of its own")
            return
        }
    }

    @Test("a used token and all that the server has open nothing")
    func dump() throws {
        let circle = try TestCircle()
        let device = try TestCircleDevice()
        let key = try ViewKey(
            circle: circle.log.circle, view: circle.view,
            secret: unsafe SecretBytes(count: 32) { unsafe $0.copyBytes(from: [UInt8](1...32)) })
        var given = GivenKeys(of: circle.log.circle)
        given.give(key, to: device.card, try device.card.id())
        let body = try #require(given.shares(by: circle.founder) { () throws(CircleError) in 1 }.first)
        let share = try ViewShare(decoding: body, of: circle.log.circle)
        let commitment = try key.commitment()
        #expect(try share.open(as: device, from: circle.founder.card) { _ in commitment }.count == 1)
        let thief = try TestCircleDevice(
            signing: P256.key(of: secret(1), for: "llavero token"),
            agreement: P256.key(of: secret(1), for: "llavero token"))
        #expect(throws: CircleError.crypto(.authenticationFailed)) {
            try share.open(as: thief, from: circle.founder.card) { _ in commitment }
        }
    }
}
