// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

/// A record as its head lists it.
typealias ListedRecord = (leaf: SyncLeaf, body: [UInt8])

/// Records on their way into the keychain.
extension RoundContext {
    /// Gives records to the keychain; those that it cannot take now wait there.
    func apply(
        _ came: [ListedRecord], of view: SyncView, heads: [SyncHead] = [],
        _ change: ((inout CircleState) throws(CircleError) -> Void)? = nil, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        guard !came.isEmpty || change != nil else { return try next() }
        // A keychain in another process takes so much in one message: the state goes with the last part.
        let (some, someHeads) = (RoundContext.fitting(came) { $0.body }, RoundContext.fitting(heads) { $0.body })
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

    /// How many of them, from the first on, are so few and so small that they go together; at least one.
    private static func fitting<Element>(_ elements: [Element], _ body: (Element) -> [UInt8]) -> Int {
        var (count, size) = (0, 0)
        for element in elements {
            size += body(element).count
            if size > mostBytes, count > 0 { break }
            if count == SyncRequest.mostAtOnce { break }
            count += 1
        }
        return count
    }

    private func apply(
        _ came: [ListedRecord], of view: SyncView, into batch: SyncBatch,
        _ change: ((inout CircleState) throws(CircleError) -> Void)? = nil, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        var batch = batch
        let contents = try open(came, of: view)
        batch.incoming.reserveCapacity(came.count)
        for place in came.indices {
            if contents[place].waits { waiting[view, default: []].insert(came[place].leaf.id) }
            batch.incoming.append(SyncIncoming(view: view, leaf: came[place].leaf, content: contents[place]))
        }
        return try apply(
            batch, change,
            outcomes: { [unowned self] outcomes throws(CircleError) in
                var locked = self.batch
                for ((leaf, body), outcome) in zip(came, outcomes) where outcome == .locked {
                    waiting[view, default: []].insert(leaf.id)
                    locked.incoming.append(SyncIncoming(view: view, leaf: leaf, content: .sealed(body)))
                }
                guard !locked.incoming.isEmpty else { return try next() }
                // With what could not be written before they were there.
                guard change != nil else { return try apply(locked, next) }
                locked.heads = batch.heads
                return try apply(locked, { (_) throws(CircleError) in }, next)
            })
    }

    /// What records are to this keychain, in their order.
    ///
    /// Opening is most of what a long pull costs, and each record is opened by itself: of many, a second thread opens half.
    func open(_ came: [ListedRecord], of view: SyncView) throws(CircleError) -> [SyncIncoming.Content] {
        guard let policies else { return came.map { .sealed($0.body) } }
        let keys = keys
        // Each head names an entry of the log that this device has read: so a generation that is not there is no later one.
        let generations = Set((try membership.views[view]?.commitments ?? [:]).keys)
        let contents = try TwoThreads.map(came, fewest: RoundContext.fewRecords, "llv-records") {
            (records) throws(CircleError) in
            let opening = RecordOpening(keys)
            var contents: [SyncIncoming.Content] = []
            contents.reserveCapacity(records.count)
            for record in records {
                contents.append(try SyncIncoming.Content(record, of: view, opening, policies, generations))
            }
            return contents
        }
        // By index, so that no content is copied.
        for place in contents.indices {
            guard case .unreadable = contents[place], try !isBlank(came[place], of: view) else { continue }
            let leaf = came[place].leaf
            report.unreadable.insert(RoundReport.Unreadable(view: view, id: leaf.id, head: leaf.head))
        }
        return contents
    }

    /// Whether a member left it there in the place of a record that was lost: nobody has to be told of that again.
    private func isBlank(_ record: ListedRecord, of view: SyncView) throws(CircleError) -> Bool {
        let place = SyncRecord.Address(view: view, id: record.leaf.id, head: record.leaf.head)
        do throws(CircleError) {
            guard case .blank = try SyncRecord.open(record.body, at: place, keys) else { return false }
            return true
        } catch {
            switch error {
            case .locked, .missingKey, .malformed, .crypto: return false
            default: throw error
            }
        }
    }

    /// Asks whether so many deletions are to be taken.
    func brake(
        _ deletions: [SyncRecordID], of view: SyncView, head: UInt64, otherwise: @escaping Next, _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        guard deletions.count > RoundContext.fewDeletions else { return try next() }
        return keychain(.live(of: view, among: deletions)) { [unowned self] reply throws(CircleError) in
            guard case .live(let count, let all) = reply else { return unexpectedFromKeychain() }
            return try unsent(of: view) { [unowned self] own throws(CircleError) in
                let (count, all) = (max(count, deletions.count(where: own.contains)), max(all, own.count))
                guard count > RoundContext.fewDeletions, count > all / 5 else { return try next() }
                switch options.manyDeletions {
                case .snapshot: return after(.snapshot, next)
                case .wait:
                    raise(.manyDeletions(view, head: head, deletions: count, of: all))
                    trees[view] = nil
                    return try otherwise()
                }
            }
        }
    }

    /// The names of the records that this device's own items in a view are to be: of those that the keychain does not know as records
    /// of it, for they were never sent, or their history was forgotten.
    func unsent(of view: SyncView, _ then: @escaping Then<Set<SyncRecordID>>) throws(CircleError) -> Effect {
        try unsent(of: view, behind: 0, [], then)
    }

    private func unsent(
        of view: SyncView, behind mark: UInt64, _ found: Set<SyncRecordID>, _ then: @escaping Then<Set<SyncRecordID>>
    ) throws(CircleError) -> Effect {
        guard let policies, keys.newest(of: view) != nil else { return try then([]) }
        return keychain(.changes(behind: mark, limit: CircleHead.greatestCount)) {
            [unowned self] reply throws(CircleError) in
            guard case .changes(let changes, _) = reply else { return unexpectedFromKeychain() }
            guard let last = changes.last else { return try then(found) }
            var found = found
            for change in changes
            where !change.item.isTombstone && SyncRecord.keyClass(of: change.item) != nil
                && policies.view(of: change.item) == view
            { found.insert(try SyncRecord.id(of: change.item, in: view, keys)) }
            return try unsent(of: view, behind: last.mark, found, then)
        }
    }

    /// So many go without a question.
    static let fewDeletions = 50
    private static let mostBytes = 4 << 20
    /// So many are opened in less time than a thread takes to begin.
    private static let fewRecords = 64
}

extension SyncIncoming.Content {
    fileprivate init(
        _ record: ListedRecord, of view: SyncView, _ opening: RecordOpening, _ policies: ViewPolicies,
        _ generations: Set<UInt32>
    ) throws(CircleError) {
        let place = SyncRecord.Address(view: view, id: record.leaf.id, head: record.leaf.head)
        do throws(CircleError) {
            switch try opening.open(record.body, at: place) {
            case .void: self = .void
            case .blank: self = .unreadable
            // Who writes one view could put items into another's groups otherwise.
            case .item(let item): self = policies.view(of: item) == view ? .item(item) : .unreadable
            }
        } catch {
            switch error {
            case .locked: self = .sealed(record.body)
            // It waits for a key that there is.
            case .missingKey:
                let generation = try SyncRecord.header(of: record.body).generation
                self = generations.contains(generation) ? .sealed(record.body) : .unreadable
            case .malformed, .crypto(.authenticationFailed): self = .unreadable
            default: throw error
            }
        }
    }

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
