// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Opens records of a view that waited, and takes them: their class was locked when they came, or their key not there.
final class WaitingRecords {
    private let context: RoundContext
    private let view: SyncView

    init(_ context: RoundContext, _ view: SyncView) { (self.context, self.view) = (context, view) }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        context.waiting[view] = nil
        return try look(behind: nil, [], false, next)
    }

    /// Which of them delete something, and which go on waiting.
    private func look(
        behind id: SyncRecordID?, _ found: [SyncRecordID], _ couldOpen: Bool, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        page(behind: id) { [self] records throws(CircleError) in
            var found = found
            var canOpen = couldOpen
            for (record, content) in zip(records, try open(records)) {
                if content.waits {
                    context.waiting[view, default: []].insert(record.leaf.id)
                } else {
                    canOpen = true
                }
                if content.isDeletion { found.append(record.leaf.id) }
            }
            // Pages end where they become large; behind the last one comes an empty one.
            if let last = records.last?.leaf.id { return try look(behind: last, found, canOpen, next) }
            guard canOpen else { return try next() }
            let head = try context.state.views[view]?.number ?? 0
            return try context.brake(found, of: view, head: head, otherwise: next) { [self] () throws(CircleError) in
                try take(behind: nil, next)
            }
        }
    }

    private func take(
        behind id: SyncRecordID?, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        page(behind: id) { [self] records throws(CircleError) in
            guard let last = records.last?.leaf.id else { return try next() }
            var came: [ListedRecord] = []
            for (record, content) in zip(records, try open(records)) where !content.waits {
                came.append((record.leaf, record.body))
            }
            return try context.apply(came, of: view) { [self] () throws(CircleError) in try take(behind: last, next) }
        }
    }

    private func open(_ records: [SyncWaiting]) throws(CircleError) -> [SyncIncoming.Content] {
        try context.open(records.map { ($0.leaf, $0.body) }, of: view)
    }

    private func page(
        behind id: SyncRecordID?, _ then: @escaping ([SyncWaiting]) throws(CircleError) -> SyncRound.Effect
    ) -> SyncRound.Effect {
        context.keychain(.waiting(in: view, behind: id, limit: WaitingRecords.limit)) {
            [self] reply throws(CircleError) in
            guard case .waiting(let records) = reply else { return context.unexpectedFromKeychain() }
            return try then(records)
        }
    }

    private static let limit = 200
}
