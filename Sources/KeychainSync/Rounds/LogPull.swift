// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainRequest

/// Reads what is new in the log, and with it what this device may read and which keys it needs.
final class LogPull {
    private let context: RoundContext

    init(_ context: RoundContext) { self.context = context }

    /// One question for all chains: a round of a device that has everything asks no more.
    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let chains = [CircleChain.log] + context.readableViews.map { .heads($0) }
        return context.server(.newest(chains)) { [self] reply throws(CircleError) in
            guard case .newest(let ends) = reply, ends.count == chains.count else {
                return context.unexpectedFromServer()
            }
            for (chain, end) in zip(chains, ends) { context.newest[chain] = end.number }
            return try context.compareEnds(zip(chains, ends).map { ($0, $1) }[...]) {
                [self] () throws(CircleError) in
                let log = try context.log
                guard ends[0].number >= log.tip.number else {
                    context.raise(.wentBack(.log, mine: log.tip.number, newest: ends[0].number))
                    return try next()
                }
                guard ends[0].number > log.last || context.changedEnds.contains(.log) else { return try end(next) }
                return try read(next)
            }
        }
    }

    /// Reads what is behind the last entry; the server's entry at this device's tip has to be that tip.
    func read(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let (tip, limit) = (try context.log.tip.number, try limit)
        return context.bodies(of: .log, behind: tip == 0 ? 0 : tip - 1, limit: limit) {
            [self] bodies throws(CircleError) in
            if tip > 0 {
                guard let first = bodies.first, try context.log.isTip(first) else {
                    context.raise(.replaced(.log, tip))
                    return try next()
                }
            }
            // So much junk may lie behind the tip that nothing else came.
            let last = try context.log.last
            let isRead = bodies.count == limit && bodies.last?.number ?? 0 <= last
            return try isRead ? goOn(next) : take(bodies, of: limit, next)
        }
    }

    /// How many entries are asked for: few where many seem to be there, which are then jumped over.
    private var limit: Int {
        get throws(CircleError) {
            let (newest, last) = (context.newest[.log] ?? 0, try context.log.last)
            let isFar = newest > last && newest - last > UInt64(LogPull.most)
            return isFar && mayJump ? LogPull.few : LogPull.most
        }
    }

    private func goOn(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let limit = try limit
        return context.bodies(of: .log, behind: try context.log.last, limit: limit) {
            [self] bodies throws(CircleError) in
            try take(bodies, of: limit, next)
        }
    }

    private func take(
        _ bodies: [ChainBody], of limit: Int, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        let before = try context.log.last
        let events = try context.takeLog(bodies)
        for event in events {
            switch event {
            case .accepted(let entry):
                context.report.newEntries += 1
                context.note(entry)
                switch entry.action {
                // Owners who pass over an entry say so by one that changes nothing, and their snapshots take all others there.
                case .quorum: context.leavesSnapshot = true
                case .admit, .recover: context.newMembers.admitted += 1
                case .remove: context.newMembers.removed += 1
                default: break
                }
                if let body = bodies.first(where: { $0.number == entry.number })?.body {
                    context.newEntries.append(SyncHead(number: entry.number, body: body))
                }
            case .junk(let number, let who):
                context.report.junk.append(RoundReport.Junk(chain: .log, number: number, who: who))
            case .fork(let number, let author):
                return try passOver(number, bodies.first { $0.number == number }, next) {
                    [self] () throws(CircleError) in
                    context.raise(.forked(.log, number, author: author))
                    return try next()
                }
            case .later(let number):
                return try passOver(number, bodies.first { $0.number == number }, next) {
                    [context] () throws(CircleError) in
                    // With what was passed over before it, for there may be several.
                    try context.keepState { [context] () throws(CircleError) in
                        context.finished(.laterVersion(number))
                    }
                }
            }
        }
        let last = try context.log.last
        guard !context.isWhole(bodies, limit: limit), last > before else { return try end(next) }
        guard limit == LogPull.few else { return try goOn(next) }
        jumps += 1
        return try LogCatchUp(context, from: context.log) { [self] outcome throws(CircleError) in
            switch outcome {
            case .arrived(let log): try arrive(at: log)
            case .fork:
                context.raise(.forked(.log, try context.log.tip.number, author: nil))
                return try next()
            case .refused: mayJump = false
            }
            return try goOn(next)
        }.start()
    }

    /// Ends with `otherwise` at what a member signed and does not follow, and at what is of a later version, unless the owners have gone
    /// on from what this device has, and left it out: then it is junk.
    private func passOver(
        _ number: UInt64, _ body: ChainBody?, _ next: @escaping RoundContext.Next,
        otherwise: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        let junk = RoundReport.Junk(chain: .log, number: number, who: body?.who ?? "")
        if case .passOver(number) = context.goal, try context.membership.member(context.own)?.roles.isOwner ?? false {
            try context.change { (state) in state.log.passOver() }
            context.hasPassedOver = true
            context.report.junk.append(junk)
            return try goOn(next)
        }
        guard mayJump else { return try otherwise() }
        jumps += 1
        let entry = try body.flatMap { (body) throws(CircleError) in try CircleLog.place(of: body) }
        return try LogCatchUp(context, from: context.log, leavingOut: entry) { [self] outcome throws(CircleError) in
            guard case .arrived(let log) = outcome else { return try otherwise() }
            try arrive(at: log)
            context.report.junk.append(junk)
            return try goOn(next)
        }.start()
    }

    private func arrive(at log: CircleLog) throws(CircleError) {
        try context.change { (state) in state.log = log }
        context.report.newEntries += 1
    }

    /// So often a round looks for a snapshot.
    private var jumps = 0
    private var mayJump: Bool {
        get { jumps < LogPull.mostJumps }
        set { jumps = newValue ? jumps : LogPull.mostJumps }
    }

    private func end(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let log = try context.log
        if let expected = log.expected {
            context.raise(.wentBack(.log, mine: expected.number, newest: log.last))
        }
        return try next()
    }

    private static let most = 256
    private static let few = 16
    private static let mostJumps = 4
}

extension RoundContext {
    /// Finds the chains that end at the number up to which this device has read, and not with what it read there: whoever healed a
    /// server that lost more than they knew of puts other heads under the same numbers.
    func compareEnds(
        _ ends: ArraySlice<(chain: CircleChain, end: ChainEnd)>, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        guard let (chain, end) = ends.first else { return try next() }
        guard let view = try state.memory(of: chain), end.number > 0, try end.number == state.reach(of: chain) else {
            return try compareEnds(ends.dropFirst(), next)
        }
        let question = SyncRequest.heads(of: view, before: end.number + 1, limit: 1)
        return keychain(question) { [unowned self] reply throws(CircleError) in
            guard case .heads(let heads) = reply else { return unexpectedFromKeychain() }
            let mine = try heads.first.map { (head) throws(CircleError) in try ChainEnd(of: head) }
            if mine != end { changedEnds.insert(chain) }
            return try compareEnds(ends.dropFirst(), next)
        }
    }

    /// Takes bodies into the log; an owner's device notes how it was at the last number for which there is to be a snapshot.
    func takeLog(_ bodies: [ChainBody]) throws(CircleError) -> [LogEvent] {
        var events: [LogEvent] = []
        try change { (state) throws(CircleError) in
            var rest = bodies[...]
            if let last = bodies.last?.number, state.log.membership.member(own)?.roles.isOwner == true {
                let interval = LogSnapshot.interval(of: state.log.membership)
                let boundary = last / interval * interval
                let first = bodies.prefix { $0.number <= boundary }
                if state.log.last < boundary, !first.isEmpty {
                    events = try state.log.take(Array(first))
                    guard state.log.last == boundary else { return }
                    snapshotLog = state.log
                    rest = bodies[first.endIndex...]
                }
            }
            events += try state.log.take(Array(rest))
        }
        return events
    }

    /// Notes whom an entry concerns who may lack keys: its author may have had none to give.
    func note(_ entry: LogEntry) {
        switch entry.action {
        case .admit(let card, _), .recover(let card, _): if let id = try? card.id() { newcomers.insert(id) }
        case .roles(let id, _): newcomers.insert(id)
        default: break
        }
    }

    /// The views that this device reads, as far as it knows, in one order.
    var readableViews: [SyncView] {
        guard let membership = try? membership, let roles = membership.member(own)?.roles else { return [] }
        return roles.views.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// What a log that was read means for this device.
    func afterLog() throws(CircleError) -> Effect {
        let membership = try membership
        guard let member = membership.members[own] else { return try goOn() }
        // One that is to destroy something takes and sends nothing more, removed or not.
        guard member.isPresent, member.erasure == nil else {
            return try keepState { [unowned self] () throws(CircleError) in finished(.removed(member.erasure)) }
        }
        // Also for the way to where the circle has moved: the address may be under a key that came with a removal, and its shares lie here.
        return try fetchKeys { [unowned self] () throws(CircleError) in
            if let moved = membership.moved, moved.number != options.arrivedAt {
                return try keepState { [unowned self] () throws(CircleError) in
                    finished(.moved(sealedAddress: moved.sealedAddress))
                }
            }
            return try Welcome.take(self) { [unowned self] () throws(CircleError) in try choose() }
        }
    }

    /// Fetches the keys that the log speaks of and this device lacks, and has them kept.
    private func fetchKeys(_ next: @escaping Next) throws(CircleError) -> Effect {
        let membership = try membership
        try compareKeys()
        var wanted: [ViewGeneration: [UInt8]] = [:]
        for view in readableViews + [membership.namesView].compactMap({ $0 }) {
            for (generation, commitment) in membership.views[view]?.commitments ?? [:]
            where keys.key(of: view, generation: generation) == nil {
                wanted[ViewGeneration(view: view, generation: generation)] = commitment
            }
        }
        guard !wanted.isEmpty else { return try next() }
        return server(.shares(own)) { [unowned self] reply throws(CircleError) in
            guard case .shares(let bodies) = reply else { return unexpectedFromServer() }
            var came: [ViewKey] = []
            for body in bodies where body.device == own && !wanted.isEmpty {
                guard let share = try? ViewShare(decoding: body, of: membership.circle),
                    share.keys.contains(where: { wanted[$0] != nil }),
                    let sender = membership.members[share.sender]?.card
                else { continue }
                // Anybody who may insert can plant shares; one that is none is passed over.
                let opened: [ViewKey]
                do throws(CircleError) {
                    opened = try share.open(as: device, from: sender) { wanted[$0] }
                } catch {
                    switch error {
                    case .malformed, .crypto: continue
                    default: throw error
                    }
                }
                for key in opened where wanted.removeValue(forKey: key.name) != nil { came.append(key) }
            }
            return try keep(came, next)
        }
    }

    /// Has all items looked at anew when the policies are others than before.
    ///
    /// Rights do not count there: what a device may not send keeps its mark until it may. One that writes nothing looks when it may
    /// write, or all that it has of others would be a change of its own until then.
    private func choose() throws(CircleError) -> Effect {
        let membership = try membership
        guard try readPolicies(of: membership) else { return try goOn() }
        var bytes: [UInt8] = []
        for (view, known) in membership.views.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            bytes += view.bytes + known.sealedPolicy
        }
        let choice = try CircleCoding.digest(of: bytes)
        let known = try state.choice
        let writes = membership.member(own)?.roles.views.values.contains(.writer) ?? false
        guard known != choice, writes || known.isEmpty else { return try goOn() }
        return keychain(.markAll) { [unowned self] reply throws(CircleError) in
            guard case .marked = reply else { return unexpectedFromKeychain() }
            try change { (state) in state.choice = choice }
            return try goOn()
        }
    }

    /// False where it is not known what belongs where, without the key of names or with a policy that nobody can read: nothing is sent
    /// then, nothing is opened, and an owner can set another policy.
    func readPolicies(of membership: Membership) throws(CircleError) -> Bool {
        policies = nil
        do throws(CircleError) {
            let read = try ViewPolicies(of: membership, keys)
            report.unreadablePolicies = read.unreadable
            if read.unreadable.isEmpty { policies = read }
        } catch {
            guard case .missingKey = error else { throw error }
        }
        return policies != nil
    }

    private func goOn() throws(CircleError) -> Effect {
        try keepState { [unowned self] () throws(CircleError) in try task() }
    }
}
