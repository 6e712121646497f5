// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Takes what is new in a view: heads, then the root over what they list, then the records, then all of it at once.
///
/// Nothing of it is believed until the newest head's root is that over this device's leaves with the new ones. Where one
/// part is not as it has to be, an alarm is raised, and the view stays as it was, but for whole parts of at most two thousand records
/// that were written before: they are of that root.
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
    private var tree: StateTree?
    /// The records to fetch, in the order of their places: each by the place of its head among `heads`, and of itself in what that one
    /// lists.
    ///
    /// There can be as many as a view has, and the heads are here anyway.
    private var missing: [(head: Int32, entry: Int32)] = []
    /// All of them, while only some are looked at.
    private var wholeMissing: [(head: Int32, entry: Int32)]?
    /// Whether records are asked for one by one: of a whole head something else came than it lists, which anybody may have put there.
    private var asksOneByOne = false

    init(_ context: RoundContext, _ view: SyncView) { (self.context, self.view) = (context, view) }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        known = try context.state.views[view] ?? ViewState()
        let newest = context.newest[.heads(view)]
        if let newest, newest < max(known.number, known.expected?.number ?? 0) {
            context.raise(.wentBack(.heads(view), mine: max(known.number, known.expected?.number ?? 0), newest: newest))
            return try next()
        }
        let isSame = newest == known.last && !context.changedEnds.contains(.heads(view))
        guard !isSame else { return try finish(next) }
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
        if let expected = known.expected {
            guard newest >= expected.number else {
                return try alarm(.wentBack(.heads(view), mine: expected.number, newest: newest), next)
            }
            guard try isMet(expected) else { return try alarm(.missingHead(view, expected.number), next) }
        }
        guard !heads.isEmpty else {
            try context.change { (state) in state.views[view, default: ViewState()].last = last }
            return try finish(next)
        }
        return try context.loadTree(of: view) { [self] () throws(CircleError) in try compare(next) }
    }

    /// Whether what came is of the history that this device was told of: a later head alone says nothing, for whoever was removed since
    /// can sign one that fits to the heads before the told one.
    private func isMet(_ expected: ViewState.HeadPlace) throws(CircleError) -> Bool {
        let membership = try context.membership
        return heads.contains { signed in
            let head = signed.head
            if head.number == expected.number { return signed.hash == expected.hash }
            // The keeper deletes a barrier of last year when something comes behind it: then the word of a writer stands for it, or a
            // barrier of who may end the view's history.
            let isPresent =
                membership.writer(head.author, of: view) != nil
                || head.entries.isEmpty && membership.mayEndHistories(head.author)
            return head.previous == expected.hash && isPresent
        }
    }

    // MARK: Records

    private func compare(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        // An alarm of its own was raised: its leaves are not those it had.
        guard var tree = context.trees[view], let newest = heads.last?.head else { return try next() }
        var replaced = 0
        var listed: Set<SyncRecordID> = []
        listed.reserveCapacity(heads.reduce(0) { $0 + $1.head.entries.count })
        // From the newest on: what a head lists is behind what a later one lists of the same name.
        for number in heads.indices.reversed() {
            let head = heads[number].head
            for index in head.entries.indices.reversed() {
                let entry = head.entries[index]
                guard listed.insert(entry.id).inserted else { continue }
                let leaf = SyncLeaf(id: entry.id, head: head.number, digest: entry.digest)
                switch try tree.set(leaf) {
                // A part of these heads was applied before a crash.
                case .same: continue
                case .another: replaced += 1
                case .nothing: break
                }
                missing.append((Int32(truncatingIfNeeded: number), Int32(truncatingIfNeeded: index)))
            }
        }
        missing.reverse()
        let root = try tree.root()
        guard root == newest.root else {
            context.rightRoots[view] = root
            return try alarm(.wrongRoot(view, newest.number, author: newest.author), next)
        }
        self.tree = tree
        // Of a view that is read for the first time, or anew, no item here is known as one of its records.
        if known.number == 0, missing.count > RoundContext.fewDeletions { return try countDeletionsOfOwn(next) }
        guard replaced > RoundContext.fewDeletions else { return try fetchRecords(from: 0, next) }
        return try countDeletions(from: 0, [], next)
    }

    /// Looks only at the records of what this device has: there may be all that a circle has, and nothing of it here.
    private func countDeletionsOfOwn(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        try context.unsent(of: view) { [self] own throws(CircleError) in
            let some = missing.filter { own.contains(heads[Int($0.head)].head.entries[Int($0.entry)].id) }
            guard some.count > RoundContext.fewDeletions else { return try fetchRecords(from: 0, next) }
            (missing, wholeMissing) = (some, missing)
            return try countDeletions(from: 0, [], next)
        }
    }

    /// The place of a missing record, and its leaf.
    private func listed(_ index: Int) -> (place: SyncRecordPlace, leaf: SyncLeaf) {
        let head = heads[Int(missing[index].head)].head
        let entry = head.entries[Int(missing[index].entry)]
        return (
            SyncRecordPlace(head: head.number, chance: head.chance, id: entry.id),
            SyncLeaf(id: entry.id, head: head.number, digest: entry.digest)
        )
    }

    /// The records from one of them on, each compared with what its head says of it.
    private func records(
        from start: Int, _ next: @escaping RoundContext.Next,
        _ then: @escaping ([ListedRecord], _ end: Int) throws(CircleError) -> SyncRound.Effect
    ) throws(CircleError) -> SyncRound.Effect {
        guard start < missing.count else { return try then([], start) }
        if let whole = wholeHeads(from: start) { return headRecords(whole, from: start, next, then) }
        let wanted = (start..<min(start + ViewPull.recordsAtOnce, missing.count)).map(listed)
        return context.server(.records(view, wanted.map(\.place))) { [self] reply throws(CircleError) in
            guard case .records(let records) = reply else { return context.unexpectedFromServer() }
            var rest = records[...]
            let isFull = records.reduce(0) { $0 + $1.body.count } >= CircleLimit.answerSize
            var came: [ListedRecord] = []
            for (place, leaf) in wanted {
                // They come in the order in which they were asked for.
                guard let record = rest.first, record.place == place else {
                    // The answer has no room for more: the rest is asked for next.
                    if isFull, !came.isEmpty { break }
                    guard givesUp else { return try alarm(.missingRecord(view, head: place.head), next) }
                    came.append((leaf, ViewPull.gap))
                    continue
                }
                rest = rest.dropFirst()
                guard try CircleCoding.digest(of: record.body) == leaf.digest else {
                    guard givesUp else { return try alarm(.wrongRecord(view, head: place.head), next) }
                    came.append((leaf, ViewPull.gap))
                    continue
                }
                came.append((leaf, record.body))
            }
            return try then(came, start + came.count)
        }
    }

    /// The heads to be asked for whole from one of the missing records on, and the first record behind theirs: as many as list so
    /// many records, if at least half of those are missing.
    private func wholeHeads(from start: Int) -> (request: CircleRequest, end: Int)? {
        guard !asksOneByOne else { return nil }
        var places: [SyncHeadPlace] = []
        var (end, listed, last) = (start, 0, -1)
        while end < missing.count {
            let number = Int(missing[end].head)
            if number != last {
                let head = heads[number].head
                listed += places.isEmpty ? head.entries.count - Int(missing[end].entry) : head.entries.count
                if !places.isEmpty, listed > ViewPull.recordsAtOnce { break }
                places.append(SyncHeadPlace(number: head.number, chance: head.chance))
                last = number
            }
            end += 1
        }
        guard 2 * (end - start) >= listed else { return nil }
        let (head, entry) = missing[start]
        let before = entry > 0 ? heads[Int(head)].head.entries[Int(entry) - 1].id : nil
        return (.headRecords(view, places, behind: before), end)
    }

    /// What was asked for, up to where the answer ends or is another than the heads' listings: from there on each record is asked for
    /// by its place.
    private func headRecords(
        _ whole: (request: CircleRequest, end: Int), from start: Int, _ next: @escaping RoundContext.Next,
        _ then: @escaping ([ListedRecord], _ end: Int) throws(CircleError) -> SyncRound.Effect
    ) -> SyncRound.Effect {
        context.server(whole.request) { [self] reply throws(CircleError) in
            guard case .records(let records) = reply else { return context.unexpectedFromServer() }
            var came: [ListedRecord] = []
            var (size, wantedSize) = (0, 0)
            var wanted: (place: SyncRecordPlace, leaf: SyncLeaf)?
            for record in records {
                size += record.body.count
                let index = start + came.count
                guard index < whole.end else { break }
                let (place, leaf) = wanted ?? listed(index)
                guard record.place == place else {
                    // A later version took its place, or nobody lists it.
                    wanted = (place, leaf)
                    continue
                }
                guard try CircleCoding.digest(of: record.body) == leaf.digest else {
                    if givesUp { break }
                    return try alarm(.wrongRecord(view, head: place.head), next)
                }
                came.append((leaf, record.body))
                wantedSize += record.body.count
                wanted = nil
            }
            // Where most of it is nobody's, the next answer would be as well.
            let isFull = size >= CircleLimit.headsSize && 2 * wantedSize >= size
            guard start + came.count < whole.end, !isFull else { return try then(came, start + came.count) }
            asksOneByOne = true
            // With what came: where one of these is missing, none of them is taken.
            return try self.records(from: start + came.count, next) { rest, end throws(CircleError) in
                try then(came + rest, end)
            }
        }
    }

    /// Reads what comes in the place of other records once before it is taken, and counts what it deletes.
    private func countDeletions(
        from start: Int, _ found: [SyncRecordID], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        try records(from: start, next) { [self] came, end throws(CircleError) in
            var found = found
            for ((leaf, _), content) in zip(came, try context.open(came, of: view)) where content.isDeletion {
                found.append(leaf.id)
            }
            guard end == missing.count else { return try countDeletions(from: end, found, next) }
            if let wholeMissing { (missing, self.wholeMissing, asksOneByOne) = (wholeMissing, nil, false) }
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
            let apply: RoundContext.Next = { [self] () throws(CircleError) in
                try context.apply(came, of: view) { [self] () throws(CircleError) in
                    try fetchRecords(from: end, next)
                }
            }
            // The server reads the next ones while these are opened and written.
            guard let soon = wholeHeads(from: end)?.request else { return try apply() }
            return context.after(.soon(soon), apply)
        }
    }

    /// Moves to the newest head with the last of its records, when all are there: also those that turn out to have to wait, for a
    /// keychain may be locked at any time.
    private func takeHeads(
        with came: [ListedRecord], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.progress = nil
        guard let newest = heads.last else { return try next() }
        let advance: (inout CircleState) throws(CircleError) -> Void = { [self] state throws(CircleError) in
            var changed = state.views[view] ?? ViewState()
            changed.advance(to: newest.head, hash: newest.hash, at: context.now)
            changed.last = last
            state.views[view] = changed
        }
        var bodies: [SyncHead] = []
        for head in heads { bodies.append(SyncHead(number: head.head.number, body: try head.body())) }
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

    /// Whether a person has said that what no machine can put back is given up: then the rest is taken without it.
    ///
    /// What the heads list of it stays in the root, so that it is missed, and healed, as what was lost here.
    private var givesUp: Bool { if case .healWithoutUnreadable = context.goal { true } else { false } }

    /// What is taken for a record that is not there as it was written: nothing that anybody could open.
    private static let gap: [UInt8] = []

    /// As many as one head can list, which go into the keychain in one transaction.
    private static let recordsAtOnce = CircleHead.greatestCount
}
