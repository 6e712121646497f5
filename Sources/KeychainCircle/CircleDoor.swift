// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainSync

/// Admits who holds a token: what a sponsor does by itself, after a round.
package enum CircleDoor {
    /// What to append for those who wait at the door, one after the other.
    ///
    /// The box is read only while there are tokens that were not used. What counts is the log's word: a request that comes
    /// twice, or late, or with a token that was taken back, is none.
    package static func admissions(
        for circle: LocalCircle, on server: any CircleTransport, now: Double
    ) throws(CircleFailure) -> [LogAction] {
        let log = circle.state.log
        // Whoever may write into the box can fill it: what belongs to no token that holds now costs one hash each time.
        let open = log.membership.invites.filter { Double($0.value.expiry) >= now }
        guard !open.isEmpty,
            let own = try CircleFailure.ofCircle({ () throws(CircleError) in
                log.membership.member(try circle.device.card.id())
            }), own.roles.isSponsor || own.roles.isOwner
        else { return [] }
        var mail = try CircleMail(joining: log.circle, on: server)
        var (actions, cards) = ([LogAction](), [Card]())
        for message in try mail.next() {
            guard let action = try? JoinToken.admission(for: message, in: log),
                case .admit(let card, let ground) = action,
                case .invite(let key, _) = ground, let id = try? Digest.sha256(of: key), open[id] != nil,
                !cards.contains(card), !actions.contains(where: { uses($0, key) })
            else { continue }
            cards.append(card)
            actions.append(action)
        }
        return actions
    }

    private static func uses(_ action: LogAction, _ key: [UInt8]) -> Bool {
        guard case .admit(_, .invite(let used, _)) = action else { return false }
        return used == key
    }
}
