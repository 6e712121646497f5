// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// How long a machine waits that asked to join with a token.
@Suite struct AskedTokenTests {
    private struct NoServer: CircleTransport {
        func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
            throw .broken("nothing is asked")
        }
    }

    @Test("a clock that is some minutes ahead ends nothing, for that of who admits decides")
    func clockAhead() throws {
        let keychain = try TestKeychain()
        let session = try keychain.host.session(for: CircleItems.caller)
        let (own, owner) = (try DeviceKeys.make(in: session, of: .software), try TestCircleDevice())
        var log = try CircleLog.found(
            by: owner, named: [1], commitment: [UInt8](repeating: 1, count: 32), now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize)
        ).log
        let secret = SecretBytes(count: JoinToken.secretSize) { $0[0] = 1 }
        let invite = try JoinToken.invite(for: secret, roles: Roles(), expiry: 2000, sealedName: [])
        _ = try log.take([log.body(.invite(invite), by: owner, now: 1000)])
        try LocalCircle.begin(CircleState(device: own.card.id(), log: log), [], in: session)
        try AskedToken.keep(JoinToken(circle: log.circle, tip: log.tip, secret: secret), in: session)
        let circle = try #require(try LocalCircle.open(in: session))
        for (now, ends) in [(1900.0, false), (2000 + 240, false), (2000 + 600, true)] {
            let refusal = try AskedToken.refusal(for: circle, on: NoServer(), in: session, now: now)
            #expect((refusal != nil) == ends, "at \(now)")
        }
    }
}
