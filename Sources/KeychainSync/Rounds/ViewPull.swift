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
    /// The last number that was read, and whether heads may be missing: of a view that is read for the first time those
    /// are gone whose records were all superseded.
    private var last: UInt64 = 0
    private var isFirst = false
    private var hasReadLogAgain = false
    /// Whether the server's head of this device's number was compared with its own.
    private var hasMet = false
    /// What comes behind the heads, where that is not their records.
    private var afterLast: RoundContext.Next?
    /// What the heads list last of each record.
    private var listing: [SyncRecordID: (place: SyncRecordPlace, digest: [UInt8])] = [:]
    private var tree: StateTree?
    /// The records to fetch, in the order of their places.
    private var missing: [(place: SyncRecordPlace, digest: [UInt8])] = []

    init(_ context: RoundContext, _ view: SyncView) { (self.context, self.view) = (context, view) }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        known = try context.state.views[view] ?? ViewState()
        isFirst = known.number == 0
        // What was passed over in an earlier round is judged again: a server may show junk once, and a head then.
        last = known.number
        let newest = context.newest[.heads(view)]
        if let newest, newest < max(known.number, known.expected?.number ?? 0) {
            context.raise(.wentBack(.heads(view), mine: max(known.number, known.expected?.number ?? 0), newest: newest))
            return try next()
        }
        guard newest.map({ $0 > known.last }) ?? true else { return try finish(next) }
        return try fetch(behind: isFirst ? 0 : known.number - 1, next)
    }

    // MARK: Heads

    /// The state of a view after its newest head, by its heads alone; nil where there is none.
    ///
    /// Of a view that has an alarm
    /// they are all read again, as they are judged without those who leave.
    func heads(_ then: @escaping RoundContext.Then<ViewState?>) throws(CircleError) -> SyncRound.Effect {
        isFirst = true
        let next: RoundContext.Next = { [self] () throws(CircleError) in
            guard let newest = heads.last else { return try then(nil) }
            var state = ViewState()
            state.advance(to: newest.head, hash: newest.hash, at: context.now)
            state.last = last
            return try then(state)
        }
        afterLast = next
        return try fetch(behind: 0) { [context] () throws(CircleError) in context.finished(.impossible(.alarmed)) }
    }

    private func fetch(
        behind number: UInt64, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.bodies(of: .heads(view), behind: number, limit: ViewPull.headsAtOnce) {
            [self] bodies throws(CircleError) in
            var rest = bodies[...]
            if number + 1 == known.number {
                guard let first = rest.popFirst(), try isKnown(first) else {
                    return try alarm(.replaced(.heads(view), known.number), next)
                }
                hasMet = true
            }
            let isWhole = context.isWhole(bodies, limit: ViewPull.headsAtOnce)
            return try read(rest, end: bodies.last?.number ?? number, isLast: isWhole, next)
        }
    }

    private func isKnown(_ body: ChainBody) throws(CircleError) -> Bool {
        guard body.number == known.number, let signed = try? SignedBody(decoding: body.body) else { return false }
        return try CircleCoding.digest(of: signed.content) == known.hash
    }

    private func read(
        _ bodies: ArraySlice<ChainBody>, end: UInt64, isLast: Bool, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        var rest = bodies
        while let body = rest.first {
            switch try judge(body) {
            case .accepted(let head):
                heads.append(head)
                last = body.number
            case .junk:
                context.report.junk.append(
                    RoundReport.Junk(chain: .heads(view), number: body.number, who: body.who))
                // Behind a gap it takes no number that anybody would come to.
                if body.number == last + 1 { last = body.number }
            case .unknownLog:
                hasReadLogAgain = true
                return try LogPull(context).read { [self] () throws(CircleError) in
                    try read(rest, end: end, isLast: isLast, next)
                }
            case .alarm(let found): return try alarm(found, next)
            }
            rest.removeFirst()
        }
        return isLast ? try afterHeads(next) : try fetch(behind: end, next)
    }

    private enum Judgement {
        case accepted(SignedHead)
        case junk
        /// It speaks of an entry of the log that is not known yet.
        case unknownLog
        case alarm(Alarm)
    }

    private func judge(_ body: ChainBody) throws(CircleError) -> Judgement {
        let log = try context.log
        let membership = context.judge ?? log.membership
        guard let signed = try? SignedHead(decoding: body.body, of: log.circle, view: view, number: body.number) else {
            return .junk
        }
        let head = signed.head
        if head.logNumber > log.tip.number, !hasReadLogAgain { return .unknownLog }
        guard let card = membership.members[head.author]?.card, try signed.isSigned(by: card) else { return .junk }
        let mayHaveWritten =
            membership.mayHaveWritten(head.author, view, at: head.logNumber)
            || head.entries.isEmpty && membership.mayHaveSetBarrier(head.author, at: head.logNumber)
        let (number, hash, logNumber) = before
        let isKnownLog =
            head.logNumber <= log.tip.number && log.hash(at: head.logNumber).map { $0 == head.logHash } ?? true
        let isNext = body.number == last + 1
        // Of a view that is read for the first time heads may be gone whose records were all superseded.
        let follows = head.previous == hash || isFirst && !isNext
        if mayHaveWritten, follows, head.logNumber >= logNumber, isKnownLog, isNext || isFirst, number < head.number {
            if let expected = known.expected, expected.number == head.number, expected.hash != signed.hash {
                return .alarm(.replaced(.heads(view), head.number))
            }
            if head.time > Int64(clamping: context.now) + ViewPull.clockTolerance {
                context.report.clocksAhead[head.author] = head.time - Int64(clamping: context.now)
            }
            return .accepted(signed)
        }
        // Somebody who left may have left anything behind. What a present member signed is a history.
        guard membership.writer(head.author, of: view) != nil,
            membership.moved.map({ $0.number > head.logNumber }) ?? true
        else { return .junk }
        if head.logNumber > log.tip.number {
            return .alarm(.withheld(.log, head.logNumber, seenBy: head.author, at: head.time))
        }
        return .alarm(
            isNext || isFirst ? .forked(.heads(view), head.number, author: head.author) : .missingHead(view, last + 1))
    }

    /// What the next head has to follow.
    private var before: (number: UInt64, hash: [UInt8], logNumber: UInt64) {
        heads.last.map { ($0.head.number, $0.hash, $0.head.logNumber) } ?? (known.number, known.hash, known.logNumber)
    }

    private func afterHeads(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        if let afterLast { return try afterLast() }
        if let expected = known.expected, before.number < expected.number {
            return try alarm(.wentBack(.heads(view), mine: expected.number, newest: before.number), next)
        }
        guard !heads.isEmpty else {
            try context.change { (state) in state.views[view, default: ViewState()].last = last }
            return try finish(next)
        }
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
        let root = try tree.root()
        guard root == newest.root else {
            context.rightRoots[view] = root
            return try alarm(.wrongRoot(view, newest.number, author: newest.author), next)
        }
        self.tree = tree
        missing.sort { ($0.place.head, $0.place.id) < ($1.place.head, $1.place.id) }
        guard replaced > ViewPull.fewDeletions else { return try fetchRecords(from: 0, next) }
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
            let bodies = Dictionary(records.map { ($0.place, $0.body) }) { first, _ in first }
            let isFull = records.reduce(0) { $0 + $1.body.count } >= CircleLimit.answerSize
            var came: [(leaf: SyncLeaf, body: [UInt8])] = []
            for entry in wanted {
                guard let body = bodies[entry.place] else {
                    // The answer has no room for more: the rest is asked for next.
                    if isFull, !came.isEmpty { return try then(came, start + came.count) }
                    return try alarm(.missingRecord(view, head: entry.place.head), next)
                }
                guard try CircleCoding.digest(of: body) == entry.digest else {
                    return try alarm(.wrongRecord(view, head: entry.place.head), next)
                }
                came.append((SyncLeaf(id: entry.place.id, head: entry.place.head, digest: entry.digest), body))
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
            return try context.brake(found, of: view, head: before.number, otherwise: next) {
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
            try context.apply(came, of: view) { [self] () throws(CircleError) in
                end == missing.count ? try takeHeads(next) : try fetchRecords(from: end, next)
            }
        }
    }

    /// Moves to the newest head, when all its records are there: also those that turned out to have to wait, for a keychain
    /// may be locked at any time.
    private func takeHeads(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        context.progress = nil
        guard let newest = heads.last else { return try next() }
        let advance: (inout CircleState) throws(CircleError) -> Void = { [self] state throws(CircleError) in
            var changed = state.views[view] ?? ViewState()
            changed.advance(to: newest.head, hash: newest.hash, at: context.now)
            changed.last = last
            state.views[view] = changed
        }
        let bodies = heads.map { SyncHead(number: $0.head.number, body: $0.body) }
        return try context.apply([], of: view, heads: bodies, advance) { [self] () throws(CircleError) in
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

    private static let headsAtOnce = 100
    private static let recordsAtOnce = 500
    /// So many go without a question.
    static let fewDeletions = 50
    private static let clockTolerance: Int64 = 3600
}

// MARK: What parts share

extension RoundContext {
    /// Reads the leaves of a view, unless they are there from an earlier round, and compares their root with the state's.
    func loadTree(of view: SyncView, _ next: @escaping Next) throws(CircleError) -> Effect {
        let known = try state.views[view]
        if var tree = trees[view], try tree.root() == known?.root ?? [] { return try next() }
        trees[view] = nil
        return try loadLeaves(of: view, behind: nil, into: StateTree(), newest: 0, next)
    }

    private func loadLeaves(
        of view: SyncView, behind id: SyncRecordID?, into tree: StateTree, newest: UInt64,
        _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        keychain(.leaves(of: view, behind: id, limit: RoundContext.leavesAtOnce)) {
            [unowned self] reply throws(CircleError) in
            guard case .leaves(let leaves) = reply else { return unexpectedFromKeychain() }
            var tree = tree
            var newest = newest
            for leaf in leaves {
                try tree.set(leaf)
                newest = max(newest, leaf.head)
            }
            // Pages end where they become large; behind the last one comes an empty one.
            if let last = leaves.last?.id {
                return try loadLeaves(of: view, behind: last, into: tree, newest: newest, next)
            }
            let known = try state.views[view] ?? ViewState()
            // Leaves of later heads are there when a pull was cut off: the newest root then speaks for all.
            let wasCutOff = newest > known.number
            if !wasCutOff, known.number > 0, try tree.root() != known.root {
                raise(.damagedHere(view))
            } else {
                trees[view] = tree
            }
            return try next()
        }
    }

    /// Compares the server's head of this device's number with its own, unless that was done in this round: a server whose
    /// history is another one of the same length shows the same numbers.
    func meet(_ view: SyncView, _ next: @escaping Next) throws(CircleError) -> Effect {
        guard !met.contains(view), let known = try state.views[view], known.number > 0 else { return try next() }
        return server(.bodies(.heads(view), [known.number])) { [unowned self] reply throws(CircleError) in
            guard case .bodies(let bodies) = reply else { return unexpectedFromServer() }
            let signed = bodies.first.flatMap { $0.number == known.number ? try? SignedBody(decoding: $0.body) : nil }
            if let signed, try CircleCoding.digest(of: signed.content) == known.hash {
                met.insert(view)
            } else {
                raise(.replaced(.heads(view), known.number))
            }
            return try next()
        }
    }

    /// Gives records to the keychain; those that it cannot take now wait there.
    func apply(
        _ came: [(leaf: SyncLeaf, body: [UInt8])], of view: SyncView, heads: [SyncHead] = [],
        _ change: ((inout CircleState) throws(CircleError) -> Void)? = nil, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        guard !came.isEmpty || change != nil else { return try next() }
        // A keychain in another process takes so much in one message: the state goes with the last part.
        let (some, someHeads) = (RoundContext.fitting(came, \.body), RoundContext.fitting(heads, \.body))
        if some < came.count || someHeads < heads.count {
            var first = self.batch
            first.heads = heads.prefix(someHeads == heads.count ? 0 : someHeads).map { (view, $0) }
            return try apply(some == came.count ? [] : Array(came.prefix(some)), of: view, into: first) {
                [unowned self] () throws(CircleError) in
                try apply(
                    some == came.count ? came : Array(came.dropFirst(some)), of: view,
                    heads: someHeads == heads.count ? heads : Array(heads.dropFirst(someHeads)), change, next)
            }
        }
        var batch = batch
        batch.heads = heads.map { (view, $0) }
        return try apply(came, of: view, into: batch, change, next)
    }

    /// How many of them, from the first on, have so few bytes that they go together; at least one.
    private static func fitting<Element>(_ elements: [Element], _ body: (Element) -> [UInt8]) -> Int {
        var (count, size) = (0, 0)
        for element in elements {
            size += body(element).count
            if size > mostBytes, count > 0 { break }
            count += 1
        }
        return count
    }

    private func apply(
        _ came: [(leaf: SyncLeaf, body: [UInt8])], of view: SyncView, into batch: SyncBatch,
        _ change: ((inout CircleState) throws(CircleError) -> Void)? = nil, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        var batch = batch
        for (leaf, body) in came {
            let content = try open(body, leaf, of: view)
            if content.waits { waiting[view, default: []].insert(leaf.id) }
            batch.incoming.append(SyncIncoming(view: view, leaf: leaf, content: content))
        }
        return try apply(
            batch, change,
            outcomes: { [unowned self] outcomes throws(CircleError) in
                var locked = self.batch
                for ((leaf, body), outcome) in zip(came, outcomes) where outcome == .locked {
                    waiting[view, default: []].insert(leaf.id)
                    locked.incoming.append(SyncIncoming(view: view, leaf: leaf, content: .sealed(body)))
                }
                return locked.incoming.isEmpty ? try next() : try apply(locked, next)
            })
    }

    /// What a record is to this keychain.
    func open(_ body: [UInt8], _ leaf: SyncLeaf, of view: SyncView) throws(CircleError) -> SyncIncoming.Content {
        guard let policies else { return .sealed(body) }
        do throws(CircleError) {
            switch try SyncRecord.open(body, at: SyncRecord.Address(view: view, id: leaf.id, head: leaf.head), keys) {
            case .void: return .void
            case .item(let item):
                // Who writes one view could put items into another's groups otherwise.
                guard policies.view(of: item) == view else { break }
                return .item(item)
            }
        } catch {
            switch error {
            case .locked, .missingKey: return .sealed(body)
            case .malformed, .crypto(.authenticationFailed): break
            default: throw error
            }
        }
        let found = RoundReport.Unreadable(view: view, id: leaf.id, head: leaf.head)
        if !report.unreadable.contains(found) { report.unreadable.append(found) }
        return .unreadable
    }

    /// Asks whether so many deletions are to be taken.
    func brake(
        _ deletions: [SyncRecordID], of view: SyncView, head: UInt64, otherwise: @escaping Next, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        guard deletions.count > ViewPull.fewDeletions else { return try next() }
        return keychain(.live(of: view, among: deletions)) { [unowned self] reply throws(CircleError) in
            guard case .live(let count, let all) = reply else { return unexpectedFromKeychain() }
            guard count > ViewPull.fewDeletions, count > all / 5 else { return try next() }
            switch options.manyDeletions {
            case .snapshot: return after(.snapshot, next)
            case .wait:
                raise(.manyDeletions(view, head: head, deletions: count, of: all))
                trees[view] = nil
                return try otherwise()
            }
        }
    }

    private static let leavesAtOnce = 5000
    private static let mostBytes = 4 << 20
}

extension SyncIncoming.Content {
    var isDeletion: Bool {
        switch self {
        case .item(let item): item.isTombstone
        case .void: true
        case .sealed, .unreadable: false
        }
    }

    var waits: Bool {
        guard case .sealed = self else { return false }
        return true
    }
}
