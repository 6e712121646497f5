// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainRequest
package import KeychainSync

/// A circle as fourteen words open it, for a machine that has nothing else.
///
/// All that it knows is what the server shows now. Whether that is the newest, nothing can tell: who has words alone has seen
/// nothing before.
package struct CircleRecovery {
    package let log: CircleLog
    /// When its newest entry was made.
    package let newest: Int64
    private let words: RecoveryDevice
    private let keys: ViewKeyring
    private let server: any CircleTransport

    package static func open(
        _ circle: CircleID, with key: RecoveryKey, on server: any CircleTransport
    ) throws(CircleFailure) -> CircleRecovery {
        let history = try CircleHistory(of: circle, on: server)
        guard history.log.tip.number > 0 else {
            throw .server(
                .refused(
                    "It shows this role no circle of that ID: compare the ID; if it is right, the role has no right to the circle, which `circle sql --member ROLE --circle ID` gives."
                ))
        }
        return try CircleFailure.ofCircle { () throws(CircleError) in
            let words = try RecoveryDevice(key)
            guard try words.isMember(of: history.log) else { throw .refused(.unknownDevice) }
            return CircleRecovery(
                log: history.log, newest: history.newest, words: words, keys: ViewKeyring(circle: circle),
                server: server)
        }.withKeys()
    }

    /// The keys that lie there for the words.
    private func withKeys() throws(CircleFailure) -> CircleRecovery {
        let id = try CircleFailure.ofCircle { () throws(CircleError) in try words.card.id() }
        let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
            try server.perform(.shares(id))
        }
        guard case .shares(let shares) = reply else { throw CircleRecovery.unexpected }
        var keys = keys
        for row in shares {
            // What does not open was planted, or sent by nobody who might: another one may be the right one.
            guard let share = try? ViewShare(decoding: row, of: log.circle),
                let sender = log.membership.members[share.sender]?.card,
                let opened = try? share.open(
                    as: words, from: sender,
                    commitment: { log.membership.views[$0.view]?.commitments[$0.generation] })
            else { continue }
            for key in opened { keys.insert(key) }
        }
        return CircleRecovery(log: log, newest: newest, words: words, keys: keys, server: server)
    }

    /// Has the words admit this device as an owner, and makes the keychain one of the circle.
    ///
    /// Where several owners sign what owners do, the words can remove the others, and this device alone could not.
    /// Where that ended halfway, after the server had it and before the keychain did, the device is a member, and the rest is done.
    package func admit(
        _ device: DeviceKeys, named name: [UInt8], removingOthers: Bool, now: Double, in session: any KeychainSession
    ) throws(CircleFailure) {
        let own = keys.views.flatMap { view in
            keys.generations(of: view).compactMap { keys.key(of: view, generation: $0) }
        }
        let (grown, insertion) = try CircleFailure.ofCircle {
            () throws(CircleError) -> (CircleLog, CircleInsertion?) in
            var roles = Roles(isOwner: true, isSponsor: true)
            for view in log.membership.views.keys where view != log.membership.namesView { roles.views[view] = .writer }
            let id = try device.card.id()
            if log.membership.member(id) != nil { return (log, nil) }
            let sealedName = try keys.seal(name, of: .device(id))
            let body = try log.body(
                .admit(device.card, .word(roles, sealedName: sealedName)), by: words, now: now)
            var (grown, insertion) = (log, CircleInsertion())
            guard case .accepted? = try grown.take([body]).last else { throw .malformed }
            insertion.chains = [(chain: .log, body: body)]
            let held = try words.card.id()
            for (other, member) in log.membership.members where removingOthers && member.isPresent && other != held {
                let body = try grown.body(.remove(other), by: words, now: now)
                guard case .accepted? = try grown.take([body]).last else { throw .malformed }
                insertion.chains.append((chain: .log, body: body))
            }
            var given = GivenKeys(of: log.circle)
            for key in own { given.give(key, to: device.card, id) }
            insertion.shares = try given.shares(by: words, chance: CircleRandom.number)
            return (grown, insertion)
        }
        if let insertion {
            _ = try CircleFailure.ofServer { () throws(CircleServerError) in try server.perform(.insert(insertion)) }
        }
        let state = try CircleFailure.ofCircle { () throws(CircleError) in
            // Read anew, all that the server shows is remembered, and can be put back there.
            CircleState(device: try device.card.id(), log: CircleLog(circle: log.circle, expecting: grown.tip))
        }
        try LocalCircle.begin(state, own, in: session)
    }

    /// Where the circle moved to, as its log says; nil where it did not.
    package var address: String? {
        guard let sealed = log.membership.moved?.sealedAddress, let bytes = try? keys.open(sealed, of: .invite([]))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The member that the words are.
    package var member: DeviceID {
        get throws(CircleFailure) {
            try CircleFailure.ofCircle { () throws(CircleError) in try words.card.id() }
        }
    }

    private static let unexpected = CircleFailure.server(.broken("an answer to another question"))
}
