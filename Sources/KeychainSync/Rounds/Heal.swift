// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Gives a server that lost something what this device remembers: entries of the log, heads, the records that are not
/// there any more, sealed anew under heads of their own, and the keys that members lack.
///
/// Only where the server's newest is something that this device remembers; else there are two histories, and no device can
/// put its own in the other's place.
final class Heal {
    private let context: RoundContext
    /// Whether lost records that this device cannot read are given up.
    private let givesUpUnreadable: Bool
    /// How many of those there are in all views, and how many in this one are given up.
    private var (unknown, givenUp) = (0, 0)

    init(_ context: RoundContext) {
        self.context = context
        if case .healWithoutUnreadable = context.goal { givesUpUnreadable = true } else { givesUpUnreadable = false }
    }

    /// After another process came first, marks of this device's first try may be left.
    func start() throws(CircleError) -> SyncRound.Effect {
        try takeMarksOff { [self] () throws(CircleError) in try begin() }
    }

    private func begin() throws(CircleError) -> SyncRound.Effect {
        let state = try context.state
        guard context.keys.isOpen else { return context.finished(.impossible(.locked)) }
        guard context.policies != nil else {
            let view = context.report.unreadablePolicies.first
            return context.finished(.impossible(view.map { .unreadablePolicy($0) } ?? .locked))
        }
        for promise in state.promises
        where promise.number > state.reach(of: promise.chain) && state.log.membership.member(promise.device) != nil {
            return context.finished(.impossible(.anotherKnowsMore(promise.device)))
        }
        guard let names = state.log.membership.namesView else { throw .malformed }
        return try history(of: .log, under: names) { [self] server, remembered throws(CircleError) in
            var insertion = CircleInsertion()
            insertion.chains = try lost(.log, server, remembered, upTo: context.log.last)
            // What is neither there nor remembered stays a hole, which nobody who comes reads over.
            let last = try context.log.last
            let first = remembered.keys.min() ?? last + 1
            var knowsAll = first <= 1 || (1..<first).allSatisfy { server[$0] != nil }
            for (_, body) in insertion.chains where knowsAll { knowsAll = try isKnown(body.number, remembered) }
            guard knowsAll else { return context.finished(.impossible(.notRemembered)) }
            let count = insertion.chains.count
            let next: RoundContext.Next = { [self] () throws(CircleError) in
                context.report.putBack.entries += count
                return try heal(context.readableViews[...])
            }
            return insertion.chains.isEmpty
                ? try next()
                : context.insert(
                    insertion, taken: { [context] () throws(CircleError) in try context.again(afterPause: true) }, next)
        }
    }

    private func heal(_ views: ArraySlice<SyncView>) throws(CircleError) -> SyncRound.Effect {
        guard let view = views.first else {
            // What could be put back is.
            return try MissingShares(context).startWithAll { [self] () throws(CircleError) in
                unknown > 0
                    ? context.finished(.impossible(.recordsUnknown(unknown))) : try context.synchronizeNow()
            }
        }
        let next: RoundContext.Next = { [self] () throws(CircleError) in try heal(views.dropFirst()) }
        guard try (context.state.views[view]?.number ?? 0) > 0 else { return try next() }
        return try context.loadTree(of: view) { [self] () throws(CircleError) in
            guard let tree = context.trees[view] else { return try next() }
            return try history(of: .heads(view), under: view) { [self] server, remembered throws(CircleError) in
                let chains = try lost(
                    .heads(view), server, remembered, upTo: context.state.views[view]?.last ?? 0)
                return try missing(of: view, tree.leaves[...], heads: server, []) { [self] ids throws(CircleError) in
                    try collect(ids, of: view) { [self] records throws(CircleError) in
                        records.isEmpty && chains.isEmpty ? try next() : try insert(chains, records, of: view, next)
                    }
                }
            }
        }
    }

    // MARK: Chains

    private typealias Bodies = [UInt64: [UInt8]]

    /// What the server has of a chain, and what this device remembers of it.
    ///
    /// Of what the server has, the bodies of junk are empty, and those in the place of what is remembered: there can be any number, of
    /// any size.
    private func history(
        of chain: CircleChain, under view: SyncView,
        _ then: @escaping (_ server: Bodies, _ remembered: Bodies) throws(CircleError) -> SyncRound.Effect
    ) throws(CircleError) -> SyncRound.Effect {
        try remembered(view, before: nil, [:]) { [self] remembered throws(CircleError) in
            try onServer(chain, remembered, behind: 0, [:]) { server throws(CircleError) in
                try then(server, remembered)
            }
        }
    }

    /// Whether the server has something else than this device remembers, which is not just junk in a place that the keeper freed.
    ///
    /// Behind such a place the server has a head that names what was here.
    private static func isOtherHistory(_ chain: CircleChain, _ server: Bodies, _ remembered: Bodies) -> Bool {
        let met = server.keys.filter { remembered[$0] != nil }
        let others = met.filter { server[$0]?.isEmpty ?? true }
        guard let newest = others.max() else { return false }
        guard case .heads = chain else { return true }
        return newest > met.filter { server[$0]?.isEmpty == false }.max() ?? 0
    }

    private func reach(of chain: CircleChain) throws(CircleError) -> UInt64 {
        switch chain {
        case .log: try context.log.last
        case .heads(let view): try context.state.views[view]?.last ?? 0
        }
    }

    /// Whether it is a head that somebody signed who is or was a member.
    private func isHead(_ body: [UInt8], of view: SyncView, _ number: UInt64) throws(CircleError) -> Bool {
        let log = try context.log
        guard let signed = try? SignedHead(decoding: body, of: log.circle, view: view, number: number),
            let card = log.membership.members[signed.head.author]?.card
        else { return false }
        return try signed.isSigned(by: card)
    }

    /// Who signed it, where that is a member.
    private func author(of body: [UInt8], in chain: CircleChain, _ number: UInt64) throws(CircleError) -> DeviceID? {
        let log = try context.log
        switch chain {
        case .heads(let view):
            guard let signed = try? SignedHead(decoding: body, of: log.circle, view: view, number: number),
                let card = log.membership.writer(signed.head.author, of: view), try signed.isSigned(by: card)
            else { return nil }
            return signed.head.author
        case .log:
            guard let signed = try? SignedBody(decoding: body), let entry = try? LogEntry(decoding: signed.content),
                entry.circle == log.circle, entry.number == number,
                let card = log.membership.member(entry.author)?.card, try signed.isSigned(by: card)
            else { return nil }
            return entry.author
        }
    }

    private static func isSame(_ left: [UInt8], _ right: [UInt8]) throws(CircleError) -> Bool {
        guard let signed = try? SignedBody(decoding: right) else { return false }
        return try SignedBody(decoding: left).content == signed.content
    }

    private func remembered(
        _ view: SyncView, before number: UInt64?, _ found: Bodies,
        _ then: @escaping RoundContext.Then<Bodies>
    ) throws(CircleError) -> SyncRound.Effect {
        context.keychain(.heads(of: view, before: number, limit: Heal.limit)) { [self] reply throws(CircleError) in
            guard case .heads(let heads) = reply else { return context.unexpectedFromKeychain() }
            var found = found
            for head in heads { found[head.number] = head.body }
            guard let last = heads.last?.number else { return try then(found) }
            return try remembered(view, before: last, found, then)
        }
    }

    private func onServer(
        _ chain: CircleChain, _ remembered: Bodies, behind number: UInt64, _ found: Bodies,
        _ then: @escaping RoundContext.Then<Bodies>
    ) throws(CircleError) -> SyncRound.Effect {
        context.bodies(of: chain, behind: number, limit: Heal.bodiesAtOnce) { [self] bodies throws(CircleError) in
            var found = found
            for body in bodies {
                if let mine = remembered[body.number] {
                    found[body.number] = try Heal.isSame(mine, body.body) ? mine : []
                    continue
                }
                if body.number > (try reach(of: chain)), let author = try author(of: body.body, in: chain, body.number)
                {
                    let isOther = Heal.isOtherHistory(chain, found, remembered)
                    return context.finished(.impossible(isOther ? .notAnAncestor(chain) : .anotherKnowsMore(author)))
                }
                // Of a head that is not remembered any more it is to be known where its records lie.
                guard case .heads(let view) = chain, try isHead(body.body, of: view, body.number) else {
                    found[body.number] = []
                    continue
                }
                found[body.number] = body.body
            }
            guard !context.isWhole(bodies, limit: Heal.bodiesAtOnce), let last = bodies.last?.number else {
                if Heal.isOtherHistory(chain, found, remembered) {
                    return context.finished(.impossible(.notAnAncestor(chain)))
                }
                return try then(found)
            }
            return try onServer(chain, remembered, behind: last, found, then)
        }
    }

    /// What is to be put back, in order: where junk was, something that is none again, for numbers have no gaps.
    private func lost(
        _ chain: CircleChain, _ server: Bodies, _ remembered: Bodies, upTo last: UInt64
    ) throws(CircleError) -> [(chain: CircleChain, body: ChainBody)] {
        guard let first = remembered.keys.min(), first <= last else { return [] }
        return (first...last).filter { server[$0] == nil }.map { number in
            (chain: chain, body: ChainBody(number: number, body: remembered[number] ?? Heal.junk))
        }
    }

    /// Whether this device read what stood at a number of the log: entries say where the one before them is, and between is junk.
    ///
    /// What a snapshot was taken instead of it never read, and junk in its place would end the log for others.
    private func isKnown(_ number: UInt64, _ remembered: Bodies) throws(CircleError) -> Bool {
        guard remembered[number] == nil, try number <= context.log.tip.number else { return true }
        guard let above = remembered.keys.filter({ $0 > number }).min(), let body = remembered[above] else {
            return false
        }
        let entry = try LogEntry(decoding: SignedBody(decoding: body).content)
        return entry.previous.number < number
    }

    // MARK: Records

    /// The records that the server does not have as they were.
    private func missing(
        of view: SyncView, _ leaves: ArraySlice<SyncLeaf>, heads: Bodies, _ found: [SyncRecordID],
        _ then: @escaping RoundContext.Then<[SyncRecordID]>
    ) throws(CircleError) -> SyncRound.Effect {
        guard !leaves.isEmpty else { return try then(found) }
        var places: [(leaf: SyncLeaf, place: SyncRecordPlace)] = []
        var found = found
        for leaf in leaves.prefix(Heal.recordsAtOnce) {
            if let body = heads[leaf.head], let signed = try? SignedBody(decoding: body),
                let head = try? CircleHead(decoding: signed.content)
            {
                places.append((leaf, SyncRecordPlace(head: leaf.head, chance: head.chance, id: leaf.id)))
            } else {
                found.append(leaf.id)
            }
        }
        let rest = leaves.dropFirst(Heal.recordsAtOnce)
        guard !places.isEmpty else { return try missing(of: view, rest, heads: heads, found, then) }
        return context.server(.records(view, places.map(\.place))) { [self] reply throws(CircleError) in
            guard case .records(let records) = reply else { return context.unexpectedFromServer() }
            let bodies = Dictionary(records.map { ($0.place, $0.body) }) { first, _ in first }
            var found = found
            for (leaf, place) in places {
                if let body = bodies[place], try CircleCoding.digest(of: body) == leaf.digest { continue }
                found.append(leaf.id)
            }
            return try missing(of: view, rest, heads: heads, found, then)
        }
    }

    /// What goes into the place of a lost record.
    private enum Lost {
        case item(SyncChange)
        /// The circle had forgotten it.
        case void
        /// Its item belongs elsewhere by now, or nobody can say any more what it was. A void would remove the item where another device
        /// has it.
        case blank
    }

    private typealias LostRecord = (id: SyncRecordID, lost: Lost)

    /// What is to be put back for the lost records of a view, as far as this device has it.
    private func collect(
        _ ids: [SyncRecordID], of view: SyncView, _ then: @escaping RoundContext.Then<[LostRecord]>
    ) throws(CircleError) -> SyncRound.Effect {
        guard !ids.isEmpty else { return try then([]) }
        let lost = Set(ids)
        var found: [SyncRecordID: Lost] = [:]
        var unsent: Set<UInt64> = []
        return try eachItem { [context] (change) throws(CircleError) in
            guard SyncRecord.keyClass(of: change.item) != nil, context.keys.newest(of: view) != nil else { return }
            let id = try SyncRecord.id(of: change.item, in: view, context.keys)
            // Its record stayed where it was when the policy changed.
            guard context.policies?.view(of: change.item) == view else {
                if lost.contains(id) { found[id] = .blank }
                return
            }
            if lost.contains(id) {
                found[id] = .item(change)
            } else if context.trees[view]?[id] == nil {
                unsent.insert(change.mark)
            }
        } next: { [self] () throws(CircleError) in
            // Of what has no record yet a mark says so.
            context.marksForNothing.removeAll(where: unsent.contains)
            return try takeMarksOff { [self] () throws(CircleError) in
                // What is here of a record that waits is older.
                for id in context.waiting[view] ?? [] { found[id] = nil }
                return try addVoids(ids.filter { found[$0] == nil }[...], of: view, to: found) {
                    [self] found throws(CircleError) in
                    try then(withoutUnknown(ids, found))
                }
            }
        }
    }

    /// What is known of lost records; the rest is counted, or given up where a person has said so.
    private func withoutUnknown(_ ids: [SyncRecordID], _ found: [SyncRecordID: Lost]) -> [LostRecord] {
        var records: [LostRecord] = []
        for id in ids {
            if let lost = found[id] {
                records.append((id, lost))
            } else if givesUpUnreadable {
                records.append((id, .blank))
                givenUp += 1
            } else {
                unknown += 1
            }
        }
        return records
    }

    /// Shows all items, for which each is marked.
    private func eachItem(
        _ body: @escaping (SyncChange) throws(CircleError) -> Void, next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.keychain(.markAll) { [self] reply throws(CircleError) in
            guard case .marked(let behind, let upTo) = reply, behind <= upTo else {
                return context.unexpectedFromKeychain()
            }
            context.marksForNothing = Array(behind..<upTo).map { $0 + 1 }[...]
            return try eachChange(behind: 0, body, next)
        }
    }

    private func eachChange(
        behind mark: UInt64, _ body: @escaping (SyncChange) throws(CircleError) -> Void,
        _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.keychain(.changes(behind: mark, limit: CircleHead.greatestCount)) { [self] reply throws(CircleError) in
            guard case .changes(let changes, let someAreLocked) = reply else { return context.unexpectedFromKeychain() }
            // It was locked since the round began.
            guard !someAreLocked else {
                return try takeMarksOff { [context] () throws(CircleError) in context.finished(.impossible(.locked)) }
            }
            guard let last = changes.last else { return try next() }
            for change in changes { try body(change) }
            return try eachChange(behind: last.mark, body, next)
        }
    }

    /// Takes off the marks that were put on for nothing, in parts: a keychain in another process takes only so many at once.
    ///
    /// By their numbers: what changed before has its own, and what changes meanwhile gets a higher one.
    private func takeMarksOff(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let some = context.marksForNothing.prefix(CircleHead.greatestCount)
        guard !some.isEmpty else { return try next() }
        var batch = context.batch
        batch.sent = some.map { SyncSent(mark: $0, leaf: nil) }
        return try context.apply(batch) { [self] () throws(CircleError) in
            context.marksForNothing = context.marksForNothing.dropFirst(some.count)
            return try takeMarksOff(next)
        }
    }

    /// Adds those of some records that this device took as void.
    ///
    /// An item that is damaged here, or was refused, is found no more than a void is, and another device has it.
    private func addVoids(
        _ ids: ArraySlice<SyncRecordID>, of view: SyncView, to found: [SyncRecordID: Lost],
        _ then: @escaping RoundContext.Then<[SyncRecordID: Lost]>
    ) throws(CircleError) -> SyncRound.Effect {
        let some = Array(ids.prefix(SyncRequest.mostAtOnce))
        guard !some.isEmpty else { return try then(found) }
        return context.keychain(.voids(of: view, among: some)) { [self] reply throws(CircleError) in
            guard case .voids(let voids) = reply else { return context.unexpectedFromKeychain() }
            var found = found
            for id in voids where context.waiting[view]?.contains(id) != true { found[id] = .void }
            return try addVoids(ids.dropFirst(some.count), of: view, to: found, then)
        }
    }

    /// Inserts what was lost, with new heads for the records, in one transaction: nobody sees a part of it.
    private func insert(
        _ chains: [(chain: CircleChain, body: ChainBody)], _ records: [LostRecord],
        of view: SyncView, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard try context.membership.writer(context.own, of: view) != nil, var tree = context.trees[view] else {
            return context.finished(.impossible(.noRight))
        }
        var insertion = CircleInsertion()
        insertion.chains = chains
        var known = try context.state.views[view] ?? ViewState()
        var rest = records[...]
        while !rest.isEmpty {
            var leaves: [SyncLeaf] = []
            var bodies: [[UInt8]] = []
            for record in rest.prefix(CircleHead.greatestCount) {
                let body = try seal(record, of: view, head: known.next)
                let leaf = SyncLeaf(id: record.id, head: known.next, digest: try CircleCoding.digest(of: body))
                try tree.set(leaf)
                leaves.append(leaf)
                bodies.append(body)
            }
            rest = rest.dropFirst(CircleHead.greatestCount)
            let head = try context.head(
                behind: known, of: view, leaves.map { CircleHead.Entry(id: $0.id, digest: $0.digest) },
                root: tree.root(),
                oldestTombstone: known.oldestTombstone, log: context.log.tip)
            insertion.chains.append(
                (.heads(view), ChainBody(number: head.number, body: try head.signed(by: context.device))))
            for (leaf, body) in zip(leaves, bodies) {
                let place = SyncRecordPlace(head: head.number, chance: head.chance, id: leaf.id)
                insertion.records.append((view, RecordBody(place: place, body: body)))
            }
            known.advance(to: head, hash: try head.hash(), at: context.now)
        }
        // What was inserted is read back as everybody reads it.
        let done: RoundContext.Next = { [self, insertion] () throws(CircleError) in
            context.report.putBack.heads += insertion.chains.count
            context.report.putBack.records += insertion.records.count
            context.report.putBack.blanks += givenUp
            givenUp = 0
            return try next()
        }
        return context.insert(
            insertion, taken: { [context] () throws(CircleError) in try context.again(afterPause: true) }, done)
    }

    private func seal(_ record: LostRecord, of view: SyncView, head: UInt64) throws(CircleError) -> [UInt8] {
        let nonce = try context.randomness(SyncRecord.nonceSize)
        let place = SyncRecord.Address(view: view, id: record.id, head: head)
        switch record.lost {
        case .item(let change):
            let item = context.outgoing(change.item, to: view)
            return try SyncRecord.seal(item, in: view, head: head, nonce: nonce, context.keys).body
        case .void: return try SyncRecord.sealVoid(at: place, nonce: nonce, context.keys)
        case .blank: return try SyncRecord.sealBlank(at: place, nonce: nonce, context.keys)
        }
    }

    private static let limit = 100
    /// However many that is, an answer ends behind `CircleLimit.answerSize`.
    private static let bodiesAtOnce = 1000
    /// Whatever their size, they fit into one answer.
    private static let recordsAtOnce = CircleLimit.answerSize / CircleLimit.bodySize - 1
    private static let junk: [UInt8] = [0]
}
