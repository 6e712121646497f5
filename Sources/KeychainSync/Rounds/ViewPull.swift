// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Takes what is new in a view: heads, then the root over what they list, then the records, then all of it at once.
///
/// Nothing of it is believed until the newest head's root is that over this device's leaves with the new ones. Where one
/// part is not as it has to be, an alarm is raised, and the view stays as it was.
final class ViewPull {
    private let context: RoundContext
    private let view: SyncView
    /// As it was before.
    private var known = ViewState()
    /// The heads that were accepted, oldest first.
    private var heads: [SignedHead] = []
    /// The last number that was read.
    private var last: UInt64 = 0
    /// Whether the server's head of this device's number was compared with its own.
    private var hasMet = false
    /// What the heads list last of each record.
    private var listing: [SyncRecordID: (place: SyncRecordPlace, digest: [UInt8])] = [:]
    private var tree: StateTree?
    /// The records to fetch, in the order of their places.
    private var missing: [(place: SyncRecordPlace, digest: [UInt8])] = []

    init(_ context: RoundContext, _ view: SyncView) { (self.context, self.view) = (context, view) }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        known = try context.state.views[view] ?? ViewState()
        let newest = context.newest[.heads(view)]
        if let newest, newest < max(known.number, known.expected?.number ?? 0) {
            context.raise(.wentBack(.heads(view), mine: max(known.number, known.expected?.number ?? 0), newest: newest))
            return try next()
        }
        guard newest.map({ $0 > known.last }) ?? true else { return try finish(next) }
        let reader = HeadReader(context, view, behind: known)
        return try reader.read { [self] () throws(CircleError) in
            (heads, last, hasMet) = (reader.heads, reader.last, reader.hasMet)
            return try afterHeads(next)
        } otherwise: { () throws(CircleError) in
            try next()
        }
    }

    /// The number of the newest head, with those that came.
    private var newest: UInt64 { heads.last?.head.number ?? known.number }

    private func afterHeads(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        if let expected = known.expected, newest < expected.number {
            return try alarm(.wentBack(.heads(view), mine: expected.number, newest: newest), next)
        }
        guard !heads.isEmpty else {
            try context.change { (state) in state.views[view, default: ViewState()].last = last }
            return try finish(next)
        }
        listing.reserveCapacity(heads.reduce(0) { $0 + $1.head.entries.count })
        for signed in heads {
            let head = signed.head
            for entry in head.entries {
                listing[entry.id] = (
                    SyncRecordPlace(head: head.number, chance: head.chance, id: entry.id), entry.digest
                )
            }
        }
        return try context.loadTree(of: view) { [self] () throws(CircleError) in try compare(next) }
    }

    // MARK: Records

    private func compare(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        // An alarm of its own was raised: its leaves are not those it had.
        guard var tree = context.trees[view], let newest = heads.last?.head else { return try next() }
        var replaced = 0
        for (id, entry) in listing {
            let leaf = SyncLeaf(id: id, head: entry.place.head, digest: entry.digest)
            let old = tree[id]
            // A part of these heads was applied before a crash.
            if old == leaf { continue }
            if old != nil { replaced += 1 }
            try tree.set(leaf)
            missing.append(entry)
        }
        listing = [:]
        let root = try tree.root()
        guard root == newest.root else {
            context.rightRoots[view] = root
            return try alarm(.wrongRoot(view, newest.number, author: newest.author), next)
        }
        self.tree = tree
        missing.sort { ($0.place.head, $0.place.id) < ($1.place.head, $1.place.id) }
        guard replaced > RoundContext.fewDeletions else { return try fetchRecords(from: 0, next) }
        return try countDeletions(from: 0, [], next)
    }

    /// The records from one of them on, each compared with what its head says of it.
    private func records(
        from start: Int, _ next: @escaping RoundContext.Next,
        _ then: @escaping ([(leaf: SyncLeaf, body: [UInt8])], _ end: Int) throws(CircleError) -> SyncRound.Effect
    ) throws(CircleError) -> SyncRound.Effect {
        let end = min(start + ViewPull.recordsAtOnce, missing.count)
        let wanted = missing[start..<end]
        guard !wanted.isEmpty else { return try then([], end) }
        return context.server(.records(view, wanted.map(\.place))) { [self] reply throws(CircleError) in
            guard case .records(let records) = reply else { return context.unexpectedFromServer() }
            var rest = records[...]
            let isFull = records.reduce(0) { $0 + $1.body.count } >= CircleLimit.answerSize
            var came: [(leaf: SyncLeaf, body: [UInt8])] = []
            for entry in wanted {
                // They come in the order in which they were asked for.
                guard let record = rest.first, record.place == entry.place else {
                    // The answer has no room for more: the rest is asked for next.
                    if isFull, !came.isEmpty { return try then(came, start + came.count) }
                    return try alarm(.missingRecord(view, head: entry.place.head), next)
                }
                rest = rest.dropFirst()
                guard try CircleCoding.digest(of: record.body) == entry.digest else {
                    return try alarm(.wrongRecord(view, head: entry.place.head), next)
                }
                came.append((SyncLeaf(id: entry.place.id, head: entry.place.head, digest: entry.digest), record.body))
            }
            return try then(came, end)
        }
    }

    /// Reads what comes in the place of other records once before it is taken, and counts what it deletes.
    private func countDeletions(
        from start: Int, _ found: [SyncRecordID], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        try records(from: start, next) { [self] came, end throws(CircleError) in
            var found = found
            for (leaf, body) in came where try context.open(body, leaf, of: view).isDeletion { found.append(leaf.id) }
            guard end == missing.count else { return try countDeletions(from: end, found, next) }
            return try context.brake(found, of: view, head: newest, otherwise: next) {
                [self] () throws(CircleError) in
                try fetchRecords(from: 0, next)
            }
        }
    }

    private func fetchRecords(
        from start: Int, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.progress = .receiving(start, of: missing.count)
        return try records(from: start, next) { [self] came, end throws(CircleError) in
            guard end < missing.count else { return try takeHeads(with: came, next) }
            return try context.apply(came, of: view) { [self] () throws(CircleError) in
                try fetchRecords(from: end, next)
            }
        }
    }

    /// Moves to the newest head with the last of its records, when all are there: also those that turn out to have to wait, for a
    /// keychain may be locked at any time.
    private func takeHeads(
        with came: [(leaf: SyncLeaf, body: [UInt8])], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.progress = nil
        guard let newest = heads.last else { return try next() }
        let advance: (inout CircleState) throws(CircleError) -> Void = { [self] state throws(CircleError) in
            var changed = state.views[view] ?? ViewState()
            changed.advance(to: newest.head, hash: newest.hash, at: context.now)
            changed.last = last
            state.views[view] = changed
        }
        let bodies = heads.map { SyncHead(number: $0.head.number, body: $0.body) }
        return try context.apply(came, of: view, heads: bodies, advance) { [self] () throws(CircleError) in
            context.report.newHeads += heads.count
            context.trees[view] = tree
            return try finish(next)
        }
    }

    private func finish(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        if !heads.isEmpty || hasMet { context.met.insert(view) }
        context.current.insert(view)
        return try next()
    }

    private func alarm(_ alarm: Alarm, _ next: RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        context.raise(alarm)
        // Parts of it may be in the keychain already.
        context.trees[view] = nil
        return try next()
    }

    private static let recordsAtOnce = 500
}
