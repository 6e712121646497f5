// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Sends what changed here: a head for each view, with the records that it lists, in one transaction.
///
/// Only into views that are as new as the server's, so everything that others sent has been merged here before.
final class Push {
    private let context: RoundContext

    init(_ context: RoundContext) { self.context = context }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        try changes(behind: 0) { [self] () throws(CircleError) in
            try retire(views: context.readableViews[...], next)
        }
    }

    // MARK: Changes

    private func changes(
        behind mark: UInt64, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.keychain(.changes(behind: mark, limit: CircleHead.greatestCount)) { [self] reply throws(CircleError) in
            guard case .changes(let changes, let someAreLocked) = reply else {
                return context.unexpectedFromKeychain()
            }
            context.report.someAreLocked = someAreLocked
            guard let last = changes.last, let policies = context.policies else { return try next() }
            var byView: [SyncView: [SyncChange]] = [:]
            var batch = context.batch
            for change in changes {
                if SyncRecord.keyClass(of: change.item) != nil, let view = policies.view(of: change.item) {
                    byView[view, default: []].append(change)
                } else {
                    // It stays here.
                    batch.sent.append(SyncSent(mark: change.mark, leaf: nil))
                }
            }
            // Pages end where they become large; behind the last one comes an empty one.
            let goOn: RoundContext.Next = { [self] () throws(CircleError) in
                try self.changes(behind: last.mark, next)
            }
            let parts = byView.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
            let toViews: RoundContext.Next = { [self] () throws(CircleError) in try send(parts[...], goOn) }
            return batch.sent.isEmpty ? try toViews() : try context.apply(batch, toViews)
        }
    }

    private func send(
        _ parts: ArraySlice<(key: SyncView, value: [SyncChange])>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let part = parts.first else { return try next() }
        return try send(part.value, to: part.key) { [self] () throws(CircleError) in
            try send(parts.dropFirst(), next)
        }
    }

    private func send(
        _ changes: [SyncChange], to view: SyncView, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard try context.canWrite(view) else {
            context.report.keptBack += changes.count
            return try next()
        }
        return try context.meet(view) { [self] () throws(CircleError) in
            try context.loadTree(of: view) { [self] () throws(CircleError) in try sealAndSend(changes, to: view, next) }
        }
    }

    private func sealAndSend(
        _ changes: [SyncChange], to view: SyncView, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard context.trees[view] != nil, try context.canWrite(view) else {
            context.report.keptBack += changes.count
            return try next()
        }
        let held = context.waiting[view] ?? []
        let number = try context.state.views[view]?.next ?? 1
        var commit = Commit(view: view)
        for change in changes {
            let nonce = try context.randomness(SyncRecord.nonceSize)
            let record: (id: SyncRecordID, body: [UInt8])
            do throws(CircleError) {
                record = try SyncRecord.seal(
                    context.outgoing(change.item, to: view), in: view, head: number, nonce: nonce, context.keys)
            } catch {
                switch error {
                // Too large to be shared, or locked meanwhile: it stays here for now.
                case .locked, .malformed:
                    context.report.keptBack += 1
                    continue
                default: throw error
                }
            }
            // What waits is not merged yet. And one name has one record in a head.
            guard !held.contains(record.id), commit.add(record.id, record.body, mark: change.mark) else {
                context.report.keptBack += 1
                continue
            }
            if change.item.isTombstone { commit.note(tombstone: change.item.attributes[.modificationDate]) }
        }
        return try context.send(commit, next)
    }

    // MARK: Tombstones

    /// Makes void what tombstones have said for ninety days.
    private func retire(
        views: ArraySlice<SyncView>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let view = views.first else { return try next() }
        let goOn: RoundContext.Next = { [self] () throws(CircleError) in try retire(views: views.dropFirst(), next) }
        let end = context.now - Push.tombstoneLife
        let oldest = try context.state.views[view]?.oldestTombstone ?? 0
        // While a class is locked its tombstones are not seen, and the date of the oldest would be wrong.
        guard oldest != 0, Double(oldest) < end, context.keys.isOpen, try context.canWrite(view) else {
            return try goOn()
        }
        return context.keychain(.tombstones(of: view, before: .infinity, limit: CircleHead.greatestCount)) {
            [self] reply throws(CircleError) in
            guard case .tombstones(let tombstones) = reply else { return context.unexpectedFromKeychain() }
            return try context.meet(view) { [self] () throws(CircleError) in
                try context.loadTree(of: view) { [self] () throws(CircleError) in
                    try retire(tombstones, of: view, before: end, goOn)
                }
            }
        }
    }

    private func retire(
        _ tombstones: [SyncTombstone], of view: SyncView, before end: Double, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let tree = context.trees[view], try context.canWrite(view) else { return try next() }
        let number = try context.state.views[view]?.next ?? 1
        let held = context.waiting[view] ?? []
        var commit = Commit(view: view)
        commit.oldestTombstone = 0
        for tombstone in tombstones {
            guard tombstone.date < end, tree[tombstone.id] != nil, !held.contains(tombstone.id) else {
                commit.note(tombstone: .date(tombstone.date))
                continue
            }
            let place = SyncRecord.Address(view: view, id: tombstone.id, head: number)
            let body = try SyncRecord.sealVoid(at: place, nonce: context.randomness(SyncRecord.nonceSize), context.keys)
            _ = commit.add(tombstone.id, body, mark: nil)
        }
        if tombstones.count == CircleHead.greatestCount, let last = tombstones.last {
            commit.note(tombstone: .date(last.date))
        }
        context.report.voided += commit.records.count
        return try context.send(commit, next)
    }

    private static let tombstoneLife = 90.0 * 24 * 3600
}

/// What one head brings.
struct Commit {
    let view: SyncView
    private(set) var records: [(id: SyncRecordID, body: [UInt8], mark: UInt64?)] = []
    /// The oldest tombstone that will be left; nil leaves that as it was, but for those that are added.
    var oldestTombstone: Int64?
    private var addedTombstone: Int64?
    private var names: Set<SyncRecordID> = []

    init(view: SyncView) { self.view = view }

    /// A record; one without a mark says that there is no item any more.
    ///
    /// False when the name is taken.
    mutating func add(_ id: SyncRecordID, _ body: [UInt8], mark: UInt64?) -> Bool {
        guard names.insert(id).inserted else { return false }
        records.append((id, body, mark))
        return true
    }

    mutating func note(tombstone date: AttributeValue?) {
        guard case .date(let seconds)? = date else { return }
        // 0 stands for none.
        addedTombstone = min(addedTombstone ?? .max, max(1, Int64(clamping: seconds)))
    }

    func oldest(with known: Int64) -> Int64 {
        let before = oldestTombstone ?? known
        guard let addedTombstone else { return before }
        return before == 0 ? addedTombstone : min(before, addedTombstone)
    }
}

extension Int64 {
    /// The whole seconds of a time, however far off that is.
    init(clamping seconds: Double) {
        self = Int64(exactly: seconds.rounded(.down)) ?? (seconds > 0 ? .max : .min)
    }

    /// The seconds since another time: as many as there are numbers for, where one of the two is far off.
    package func clampedDifference(from other: Int64) -> Int64 {
        let (difference, isTooFar) = subtractingReportingOverflow(other)
        return isTooFar ? (self > other ? .max : .min) : difference
    }
}

extension RoundContext {
    /// An item as it goes out: a secret that first went under a key of a history that was left goes as a new one.
    func outgoing(_ item: SyncItem, to view: SyncView) -> SyncItem {
        var item = item
        if item.secretGeneration > keys.newest(of: view)?.generation ?? 0 { item.secretGeneration = 0 }
        return item
    }

    func canWrite(_ view: SyncView) throws(CircleError) -> Bool {
        let membership = try membership
        guard current.contains(view), !isHalted(view), membership.writer(own, of: view) != nil else { return false }
        // With an older key it would be sealed for those who were removed.
        return keys.newest(of: view).map { $0.generation == membership.views[view]?.generation } ?? false
    }

    /// The head that brings records behind those that are known; `root` is that over all leaves then.
    func head(
        behind known: ViewState, of view: SyncView, _ entries: [CircleHead.Entry], root: [UInt8],
        oldestTombstone: Int64,
        log place: LogPlace
    ) throws(CircleError) -> CircleHead {
        let state = try state
        let chance = try randomness(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return CircleHead(
            circle: state.log.circle, view: view, number: known.next, previous: known.hash, logNumber: place.number,
            logHash: place.hash, generation: state.log.membership.views[view]?.generation ?? 0, chance: chance,
            entries: entries, root: root, oldestTombstone: oldestTombstone, time: Int64(clamping: now), author: own)
    }

    /// Inserts a head with its records, and notes here that it went.
    func send(_ commit: Commit, _ next: @escaping Next) throws(CircleError) -> Effect {
        guard !commit.records.isEmpty, var tree = trees[commit.view] else { return try next() }
        let view = commit.view
        let known = try state.views[view] ?? ViewState()
        var leaves: [SyncLeaf] = []
        for record in commit.records {
            let leaf = SyncLeaf(id: record.id, head: known.next, digest: try CircleCoding.digest(of: record.body))
            try tree.set(leaf)
            leaves.append(leaf)
        }
        let head = try head(
            behind: known, of: view, leaves.map { CircleHead.Entry(id: $0.id, digest: $0.digest) }, root: tree.root(),
            oldestTombstone: commit.oldest(with: known.oldestTombstone), log: log.tip)
        let body = try head.signed(by: device)
        let hash = try head.hash()
        var insertion = CircleInsertion()
        insertion.chains = [(.heads(view), ChainBody(number: head.number, body: body))]
        for record in commit.records {
            let place = SyncRecordPlace(head: head.number, chance: head.chance, id: record.id)
            insertion.records.append((view, RecordBody(place: place, body: record.body)))
        }
        let taken: Next = { [unowned self] () throws(CircleError) in try again(afterPause: true) }
        return insert(insertion, taken: taken) { [unowned self] () throws(CircleError) in
            var batch = batch
            var voids: [SyncIncoming] = []
            for (record, leaf) in zip(commit.records, leaves) {
                // No change has the mark 0: of a tombstone that goes the leaf alone is noted.
                batch.sent.append(
                    SyncSent(mark: record.mark ?? 0, leaf: (view, leaf), generation: head.generation))
                guard record.mark == nil else { continue }
                voids.append(SyncIncoming(view: view, leaf: leaf, content: .void))
            }
            batch.heads = [(view, SyncHead(number: head.number, body: body))]
            report.sent += leaves.count
            progress = .sending(report.sent)
            let advance: (inout CircleState) throws(CircleError) -> Void = { [unowned self] state throws(CircleError) in
                state.views[view, default: ViewState()].advance(to: head, hash: hash, at: now)
            }
            return try apply(batch, advance) { [unowned self] () throws(CircleError) in
                trees[view] = tree
                met.insert(view)
                guard !voids.isEmpty else { return try next() }
                // One that cannot go now is found again.
                var end = self.batch
                end.incoming = voids
                return try apply(end, next)
            }
        }
    }
}
