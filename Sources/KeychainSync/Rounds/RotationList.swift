// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Finds the items whose secrets a device could read when it left: those that have not been changed since.
///
/// Each record says under which generation of keys its secret was first sealed. All records are read from the server: it
/// is asked for once in a while, by a person.
final class RotationList {
    private let context: RoundContext
    private let device: DeviceID
    private var chances: [UInt64: Int64] = [:]

    init(_ context: RoundContext, _ device: DeviceID) { (self.context, self.device) = (context, device) }

    func start() throws(CircleError) -> SyncRound.Effect {
        guard let member = try context.membership.members[device] else {
            return context.finished(.impossible(.refused(.unknownDevice)))
        }
        guard context.keys.isOpen else { return context.finished(.impossible(.locked)) }
        let views = context.readableViews.compactMap { view in
            member.lastGenerations[view].map { (view: view, generation: $0) }
        }
        return try list(views[...])
    }

    private func list(_ views: ArraySlice<(view: SyncView, generation: UInt32)>) throws(CircleError) -> SyncRound.Effect
    {
        guard let (view, generation) = views.first else { return try context.end() }
        let next: RoundContext.Next = { [self] () throws(CircleError) in try list(views.dropFirst()) }
        chances = [:]
        return try context.loadTree(of: view) { [self] () throws(CircleError) in
            guard let tree = context.trees[view], context.current.contains(view) else {
                return context.finished(.impossible(.alarmed))
            }
            return try readHeads(of: view, behind: 0) { [self] () throws(CircleError) in
                try read(tree.leaves[...], of: view, upTo: generation, next)
            }
        }
    }

    private func readHeads(
        of view: SyncView, behind number: UInt64, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.bodies(of: .heads(view), behind: number, limit: RotationList.headsAtOnce) {
            [self] bodies throws(CircleError) in
            for body in bodies {
                // A chance that is none leads to no record, which is noticed.
                guard let signed = try? SignedBody(decoding: body.body),
                    let head = try? CircleHead(decoding: signed.content)
                else { continue }
                chances[body.number] = head.chance
            }
            guard !context.isWhole(bodies, limit: RotationList.headsAtOnce), let last = bodies.last?.number else {
                return try next()
            }
            return try readHeads(of: view, behind: last, next)
        }
    }

    private func read(
        _ leaves: ArraySlice<SyncLeaf>, of view: SyncView, upTo generation: UInt32, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard !leaves.isEmpty else { return try next() }
        let part = leaves.prefix(RotationList.recordsAtOnce)
        let places = part.map { SyncRecordPlace(head: $0.head, chance: chances[$0.head] ?? 0, id: $0.id) }
        return context.server(.records(view, places)) { [self] reply throws(CircleError) in
            guard case .records(let records) = reply else { return context.unexpectedFromServer() }
            let bodies = Dictionary(records.map { ($0.place, $0.body) }) { first, _ in first }
            var came: [ListedRecord] = []
            for (leaf, place) in zip(part, places) {
                guard let body = bodies[place], try CircleCoding.digest(of: body) == leaf.digest else {
                    context.raise(.missingRecord(view, head: leaf.head))
                    return try context.end()
                }
                came.append((leaf, body))
            }
            for content in try context.open(came, of: view) {
                guard case .item(let item) = content, !item.isTombstone, item.secret != nil,
                    item.secretGeneration <= generation
                else { continue }
                context.report.toRotate.append(RoundReport.ToRotate(view: view, attributes: item.attributes))
            }
            return try read(leaves.dropFirst(RotationList.recordsAtOnce), of: view, upTo: generation, next)
        }
    }

    /// However many that is, an answer ends behind `CircleLimit.answerSize`.
    private static let headsAtOnce = 1000
    /// Whatever their size, they fit into one answer.
    private static let recordsAtOnce = CircleLimit.answerSize / CircleLimit.bodySize - 1
}
