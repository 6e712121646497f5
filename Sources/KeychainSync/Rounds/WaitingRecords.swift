// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Opens records of a view that waited, and takes them: their class was locked when they came, or their key not there.
final class WaitingRecords {
    private let context: RoundContext
    private let view: SyncView

    init(_ context: RoundContext, _ view: SyncView) { (self.context, self.view) = (context, view) }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        context.waiting[view] = nil
        return try look(behind: nil, [], next)
    }

    /// Which of them delete something, and which go on waiting.
    private func look(
        behind id: SyncRecordID?, _ found: [SyncRecordID], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        page(behind: id) { [self] records throws(CircleError) in
            var found = found
            var canOpen = false
            for record in records {
                let content = try context.open(record.body, record.leaf, of: view)
                if content.waits {
                    context.waiting[view, default: []].insert(record.leaf.id)
                } else {
                    canOpen = true
                }
                if content.isDeletion { found.append(record.leaf.id) }
            }
            // Most often there are none, or all are locked.
            if records.count == WaitingRecords.limit, let last = records.last?.leaf.id {
                return try look(behind: last, found, next)
            }
            guard canOpen || !found.isEmpty || id != nil else { return try next() }
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
            var batch = context.batch
            for record in records {
                let content = try context.open(record.body, record.leaf, of: view)
                guard !content.waits else { continue }
                batch.incoming.append(SyncIncoming(view: view, leaf: record.leaf, content: content))
            }
            let goOn: RoundContext.Next = { [self] () throws(CircleError) in
                records.count == WaitingRecords.limit ? try take(behind: last, next) : try next()
            }
            return batch.incoming.isEmpty ? try goOn() : try context.apply(batch, goOn)
        }
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
