// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
package import KeychainSync
internal import KeychainSystem

/// The token that this machine asked with, until it is a member: whether anybody can still admit it by that, its log says.
///
/// Of the token only the name of its invite is kept, which is in the log for all to read.
package enum AskedToken {
    private static let itemName = "token"

    package static func keep(
        _ token: borrowing JoinToken, in session: any KeychainSession
    ) throws(CircleFailure) {
        let invite: [UInt8]
        do throws(JoiningError) { invite = try token.invite() } catch { throw .circle(.malformed) }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).keep(SecretValue(copying: invite), as: itemName, .afterFirstUnlock)
        }
    }

    /// Forgets it: the machine is a member.
    static func end(in session: any KeychainSession) throws(CircleFailure) {
        try CircleFailure.ofKeychain { () throws(KeychainError) in try CircleItems(session).remove(itemName) }
    }

    /// Why nobody will admit this machine by its token, for a person; nil where somebody may, and where it asked with none.
    ///
    /// To be asked behind a round that ran through, for another round may know more.
    package static func refusal(
        for circle: LocalCircle, on server: any CircleTransport, in session: any KeychainSession, now: Double
    ) throws(CircleFailure) -> String? {
        let kept = try CircleFailure.ofKeychain { () throws(KeychainError) -> SecretValue? in
            try CircleItems(session).secret(itemName)
        }
        let own = try CircleFailure.ofCircle { () throws(CircleError) in try circle.device.card.id() }
        let log = circle.state.log
        // Of a server that does not have the entry that a machine was told of, an alarm tells.
        guard let kept, log.expected == nil, log.membership.member(own) == nil else { return nil }
        let id = unsafe kept.withUnsafeBytes { bytes in unsafe Array(bytes) }
        if let invite = log.membership.invites[id] {
            // Whose clock is right, nobody can tell; that of who would admit decides, and may be some minutes behind.
            guard Double(invite.expiry) + patience < now else { return nil }
            return "by this machine's clock the token expired at \(CircleWords.day(invite.expiry)); \(another)"
        }
        // Where several owners have to sign it, it is in the log when they have.
        if log.membership.quorum > 1 {
            let proposals = try CircleProposal.all(in: log, on: server)
            guard !proposals.contains(where: { $0.entry.invites(id) }) else { return nil }
        }
        let fate = try fate(of: id, circle, session)
        return
            "\(fate ?? "the token does not count: it was used or taken back, or the owners who have to sign it did not"); \(another)"
    }

    /// What ended a token, where the keychain remembers the entry that did.
    private static func fate(
        of id: [UInt8], _ circle: LocalCircle, _ session: any KeychainSession
    ) throws(CircleFailure) -> String? {
        for (number, entry) in try circle.rememberedEntries(in: session) {
            switch entry.action {
            case .admit(let card, .invite(let key, _)):
                guard let device = try? card.id(), (try? Digest.sha256(of: key)) == id,
                    circle.state.log.membership.members[device]?.admittedAt == number
                else { continue }
                return
                    "the token was used at \(CircleWords.day(entry.time)), by the machine that is \(Hexadecimal.digits(of: device.bytes)) in `llavero circle list` (where that is none of yours, remove it)"
            case .withdraw(id):
                return "an owner took the token back at \(CircleWords.day(entry.time))"
            default: continue
            }
        }
        return nil
    }

    private static let another = "`llavero circle invite` on a member makes another one"
    /// Seconds.
    private static let patience = 300.0
}

extension LogEntry {
    fileprivate func invites(_ id: [UInt8]) -> Bool {
        guard case .invite(let invite) = action else { return false }
        return invite.id == id
    }
}
