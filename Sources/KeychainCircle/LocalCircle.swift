// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
package import KeychainSync

/// This keychain's part in a circle: who it is there, what it knows, the keys that it has.
package struct LocalCircle: Sendable {
    package let device: DeviceKeys
    package let read: ReadState
    /// The keys that its log has commitments to.
    package let keys: ViewKeyring
    /// All that the keychain keeps: also those of entries that are still to be read, or to be written.
    package let kept: ViewKeyring

    package var state: CircleState { read.state }

    /// That of a keychain that is in a circle; nil of any other.
    ///
    /// `known` is what was read before, if there is something.
    package static func open(
        in session: any KeychainSession, knowing known: ReadState? = nil
    ) throws(CircleFailure) -> LocalCircle? {
        let stored = try CircleFailure.ofKeychain { () throws(KeychainError) -> SyncState? in
            guard case .sync(.state(let stored)) = try session.perform(.sync(.state(knowing: known?.baseName))) else {
                throw KeychainError(.internalError, "the keychain answered another question")
            }
            return stored
        }
        guard let stored else { return nil }
        let read = try CircleFailure.ofCircle { () throws(CircleError) in
            try ReadState(decoding: stored, knowing: known)
        }
        let (device, kept) = try CircleFailure.ofKeychain { () throws(KeychainError) in
            guard let device = try DeviceKeys.stored(in: session) else {
                throw KeychainError(
                    .undecodable,
                    "this machine's keys to its circle are missing, or went with an old device key or passcode; `llavero circle leave` ends its place there, and says how it comes back"
                )
            }
            return (device, try CircleKeys(of: read.state.log.circle, in: session).ring())
        }
        return try CircleFailure.ofCircle { () throws(CircleError) in
            LocalCircle(
                device: device, read: read, keys: try kept.committed(in: read.state.log.membership), kept: kept)
        }
    }

    /// Makes the keychain one of a circle: its keys first, then the state, from which on changes are marked.
    package static func begin(
        _ state: CircleState, _ keys: [ViewKey], in session: any KeychainSession
    ) throws(CircleFailure) {
        let beginning = try CircleFailure.ofCircle { () throws(CircleError) in try state.beginning() }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            let kept = CircleKeys(of: state.log.circle, in: session)
            for key in keys { try kept.keep(key) }
            guard case .sync(.done) = try session.perform(.sync(beginning)) else {
                throw KeychainError(.internalError, "the keychain answered another question")
            }
        }
    }

    /// Makes the keychain one of a circle that it was told of: its keys are still to come, and what the server shows has to
    /// contain what it was told.
    package static func begin(
        _ joined: Joined, as device: DeviceKeys, in session: any KeychainSession
    ) throws(CircleFailure) {
        let state = try CircleFailure.ofCircle { () throws(CircleError) in
            var state = CircleState(device: try device.card.id(), log: joined.log)
            for head in joined.heads {
                var view = ViewState()
                view.expected = ViewState.HeadPlace(number: head.place.number, hash: head.place.hash)
                state.views[head.view] = view
            }
            return state
        }
        try begin(state, [], in: session)
    }

    /// Whether it can hand on the keys of a view: it has the newest.
    package func canHandOn(_ view: SyncView) -> Bool {
        guard let key = keys.newest(of: view), key.isOpen else { return false }
        return key.generation == state.log.membership.views[view]?.generation
    }

    /// Whether a key is missing that this device has a right to: what is sealed with that one waits.
    package var lacksKeys: Bool {
        let membership = state.log.membership
        guard let id = try? device.card.id(), let own = membership.member(id) else { return false }
        return membership.views.contains { view, known in
            membership.reads(own, view) && known.commitments.keys.contains { keys.key(of: view, generation: $0) == nil }
        }
    }

    /// Whether this machine has read something else than what the server has at the end of a chain.
    package func knowsAnother(
        _ end: ChainEnd, of chain: CircleChain, in session: any KeychainSession
    ) throws(CircleFailure) -> Bool {
        guard let view = state.memory(of: chain) else { return false }
        let known = try CircleFailure.ofKeychain { () throws(KeychainError) -> SyncHead? in
            let question = SyncRequest.heads(of: view, before: end.number + 1, limit: 1)
            guard case .sync(.heads(let heads)) = try session.perform(.sync(question)) else {
                throw KeychainError(.internalError, "the keychain answered another question")
            }
            return heads.first { $0.number == end.number }
        }
        return try CircleFailure.ofCircle { () throws(CircleError) in
            try known.map { (head) throws(CircleError) in try ChainEnd(of: head) != end } ?? false
        }
    }

    /// Where a circle moved to, as its log says; nil where the key of names is not here.
    package func address(in sealed: [UInt8]) -> String? {
        guard let bytes = try? keys.open(sealed, of: .invite([])) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// When members were last heard of, by their own clocks.
    ///
    /// That is when they said what they saw, when they were admitted, and when they wrote into the log or into a view that this device
    /// reads, as far as it is remembered here.
    package func lastHeardOf(in session: any KeychainSession) throws(CircleFailure) -> [DeviceID: Int64] {
        var heard = state.others.mapValues(\.time)
        func hear(_ device: DeviceID, _ time: Int64) { heard[device] = max(heard[device] ?? 0, time) }
        let membership = state.log.membership
        let admissions = Dictionary(membership.members.map { ($1.admittedAt, $0) }) { first, _ in first }
        for (number, entry) in try rememberedEntries(in: session) {
            hear(entry.author, entry.time)
            if let admitted = admissions[number] { hear(admitted, entry.time) }
        }
        for view in state.views.keys {
            for (_, body) in try remembered(view, in: session) {
                if let head = try? CircleHead(decoding: body.content) { hear(head.author, head.time) }
            }
        }
        return heard
    }

    /// The newest entries of the log that the keychain remembers.
    func rememberedEntries(
        in session: any KeychainSession
    ) throws(CircleFailure) -> [(number: UInt64, entry: LogEntry)] {
        guard let names = state.log.membership.namesView else { return [] }
        return try remembered(names, in: session).compactMap { number, body in
            (try? LogEntry(decoding: body.content)).map { (number, $0) }
        }
    }

    /// The newest heads of a view that the keychain remembers; of that of the names, the log's entries.
    private func remembered(
        _ view: SyncView, in session: any KeychainSession
    ) throws(CircleFailure) -> [(number: UInt64, body: SignedBody)] {
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            let reply = try session.perform(.sync(.heads(of: view, before: nil, limit: LocalCircle.mostRemembered)))
            guard case .sync(.heads(let heads)) = reply else {
                throw KeychainError(.internalError, "the keychain answered another question")
            }
            return heads.compactMap { head in (try? SignedBody(decoding: head.body)).map { (head.number, $0) } }
        }
    }

    private static let mostRemembered = 1000

    /// Leaves: the items stay, and what was kept of the circle goes.
    package static func leave(in session: any KeychainSession) throws(CircleFailure) {
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            _ = try session.perform(.sync(.end))
            try CircleItems(session).remove(beginning: "")
        }
    }
}

/// A circle that is made here and that the server may not have yet.
///
/// It is kept until the server has it: before that, an administrator may have to let this device's role in, by the circle's
/// name.
package struct CircleDraft: Sendable {
    package let circle: CircleID
    fileprivate let bodies: [ChainBody]
    fileprivate let view: SyncView

    private static let itemName = "draft"

    package static func stored(in session: any KeychainSession) throws(CircleFailure) -> CircleDraft? {
        let secret = try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).secret(itemName)
        }
        guard let secret else { return nil }
        let bytes = unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
        guard case .array(let parts)? = try? PropertyList(decoding: bytes), parts.count == 3,
            case .data(let name) = parts[0], let circle = CircleID(name), case .data(let view) = parts[1],
            let view = SyncView(view), case .array(let values) = parts[2]
        else { throw .keychain(damaged) }
        var bodies: [ChainBody] = []
        for value in values {
            guard case .data(let body) = value else { throw .keychain(damaged) }
            bodies.append(ChainBody(number: UInt64(bodies.count + 1), body: body))
        }
        return CircleDraft(circle: circle, bodies: bodies, view: view)
    }

    /// Founds one: its first owner is this device, and its first view has all items that are for synchronizing.
    package static func make(
        by device: DeviceKeys, named name: String, now: Double, in session: any KeychainSession
    ) throws(CircleFailure) -> CircleDraft {
        let (draft, keys) = try CircleFailure.ofCircle { () throws(CircleError) in
            let namesSecret = try CircleRandom.secret(ViewKey.size)
            let chance = try CircleRandom.bytes(Founding.chanceSize)
            let commitment = try ViewKey.commitment(toFirst: namesSecret)
            let circle = try Founding(card: device.card, chance: chance, commitment: commitment, sealedName: [])
                .circle()
            guard let names = circle.names, let view = SyncView(try CircleRandom.bytes(SyncView.size)) else {
                throw .malformed
            }
            var ring = ViewKeyring(circle: circle)
            let namesKey = try ViewKey(circle: circle, view: names, secret: namesSecret)
            let viewKey = try ViewKey(
                circle: circle, view: view, secret: try CircleRandom.secret(ViewKey.size))
            ring.insert(namesKey)
            let id = try device.card.id()
            var (log, first) = try CircleLog.found(
                by: device, named: ring.seal(Array(name.utf8), of: .device(id)), commitment: commitment, now: now,
                chance: chance)
            var bodies = [first]
            let policy = ViewPolicy(name: "everything", takesTheRest: true)
            for action in [
                LogAction.view(
                    view, sealedPolicy: try ring.seal(policy.encoded(), of: .policy(view)),
                    commitment: try viewKey.commitment()),
                .roles(id, Roles(isOwner: true, isSponsor: true, views: [view: .writer])),
            ] {
                let body = try log.body(action, by: device, now: now)
                _ = try log.take([body])
                bodies.append(body)
            }
            return (CircleDraft(circle: circle, bodies: bodies, view: view), [namesKey, viewKey])
        }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            let kept = CircleKeys(of: draft.circle, in: session)
            for key in keys { try kept.keep(key) }
            let coded = PropertyList.array([
                .data(draft.circle.bytes), .data(draft.view.bytes), .array(draft.bodies.map { .data($0.body) }),
            ])
            let bytes: [UInt8]
            do throws(CodingError) { bytes = try coded.encoded() } catch { throw damaged }
            try CircleItems(session).keep(SecretValue(copying: bytes), as: itemName, .afterFirstUnlock)
        }
        return draft
    }

    /// Gives it to the server, and makes the keychain one of it.
    ///
    /// Where that ends halfway, it is done again: an entry that is there already is this one.
    package func publish(
        by device: DeviceKeys, on server: some CircleTransport, in session: any KeychainSession
    ) throws(CircleFailure) {
        var insertion = CircleInsertion()
        insertion.chains = bodies.map { (chain: .log, body: $0) }
        do throws(CircleServerError) { _ = try server.perform(.insert(insertion)) } catch {
            guard error == .taken, try isThere(on: server) else { throw .server(error) }
        }
        let state = try CircleFailure.ofCircle { () throws(CircleError) in
            var log = CircleLog(circle: circle)
            _ = try log.take(bodies)
            return CircleState(device: try device.card.id(), log: log)
        }
        try LocalCircle.begin(state, [], in: session)
        if let names = state.log.membership.namesView { try remember(under: names, in: session) }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).remove(CircleDraft.itemName)
        }
    }

    /// Remembers the first entries as a round does with those that it reads: with them a server that lost all is healed.
    private func remember(under names: SyncView, in session: any KeychainSession) throws(CircleFailure) {
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            guard case .sync(.state(let stored?)) = try session.perform(.sync(.state())) else { return }
            var batch = SyncBatch(version: stored.version)
            batch.heads = bodies.map { (names, SyncHead(number: $0.number, body: $0.body)) }
            _ = try session.perform(.sync(.apply(batch)))
        }
    }

    private func isThere(on server: some CircleTransport) throws(CircleFailure) -> Bool {
        let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
            try server.perform(.chain(.log, behind: 0, limit: bodies.count))
        }
        guard case .bodies(let there) = reply else { return false }
        return there.map(\.body) == bodies.map(\.body)
    }

    private static let damaged = KeychainError(
        .undecodable,
        "the keychain's item with the circle that was begun is damaged; `llavero circle leave` removes it")
}
