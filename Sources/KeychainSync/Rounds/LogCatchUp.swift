// SPDX-License-Identifier: Apache-2.0

/// Takes a snapshot that owners left on the server, instead of all entries of the log between here and there.
///
/// The newest that the server may have is looked for first; where none of those can be taken, further and further back.
final class LogCatchUp {
    enum Outcome {
        /// The log at a snapshot; behind it entries are read as ever.
        case arrived(CircleLog)
        /// Owners vouch for a history that this device's is no part of.
        case fork
        /// There is none that can be taken.
        case refused
    }

    private let context: RoundContext
    private let log: CircleLog
    private let leftOut: LogPlace?
    private let then: RoundContext.Then<Outcome>
    /// Behind that no snapshot is of use.
    private var end: UInt64 = 0

    /// `leftOut` is an entry that must be none of the snapshot's history.
    init(
        _ context: RoundContext, from log: CircleLog, leavingOut leftOut: LogPlace? = nil,
        _ then: @escaping RoundContext.Then<Outcome>
    ) {
        (self.context, self.log, self.leftOut, self.then) = (context, log, leftOut, then)
    }

    func start() throws(CircleError) -> SyncRound.Effect {
        end = context.newest[.log] ?? 0
        // One that was told of an entry knows nobody whose later word would count.
        if let told = log.expected { end = min(end, told.number) }
        guard end > log.last else { return try then(.refused) }
        return try look(back: LogCatchUp.nearest)
    }

    /// Looks at the snapshots of the entries so far before the end, and behind it.
    private func look(back distance: UInt64) throws(CircleError) -> SyncRound.Effect {
        let isLast = distance >= end - log.last
        let start = CircleLog.mailNumber(ofSnapshotAt: isLast ? log.last : end - distance)
        return context.server(.mail(try log.snapshots(), behind: start, limit: LogCatchUp.limit)) {
            [self] reply throws(CircleError) in
            guard case .mail(let mail) = reply, mail.count <= LogCatchUp.limit else {
                return context.unexpectedFromServer()
            }
            let jump = try LogJump(from: log, over: mail.map(\.body), leavingOut: leftOut)
            return try go(jump, []) { [self] () throws(CircleError) in
                // From a number that somebody planted it can be a long way back.
                let (further, isTooFar) = distance.multipliedReportingOverflow(by: 8)
                return try isLast ? then(.refused) : look(back: isTooFar ? .max : further)
            }
        }
    }

    private func go(
        _ jump: LogJump, _ bodies: [ChainBody], otherwise: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        var jump = jump
        switch try jump.take(bodies) {
        case .needs(let numbers):
            return context.server(.bodies(.log, numbers)) { [self] reply throws(CircleError) in
                guard case .bodies(let bodies) = reply, bodies.count <= numbers.count else {
                    return context.unexpectedFromServer()
                }
                return try go(jump, bodies, otherwise: otherwise)
            }
        case .arrived(let log): return try then(.arrived(log))
        case .fork: return try then(.fork)
        case .refused: return try otherwise()
        }
    }

    private static let nearest: UInt64 = 128
    private static let limit = 64
}

extension RoundContext {
    /// Leaves a snapshot on the server, where this device is an owner's and has read so far that there is to be one.
    func postSnapshot(_ next: @escaping Next) throws(CircleError) -> Effect {
        guard let log = leavesSnapshot ? try log : snapshotLog,
            let mail = try log.snapshot(by: device, always: leavesSnapshot)
        else { return try next() }
        (snapshotLog, leavesSnapshot) = (nil, false)
        var insertion = CircleInsertion()
        insertion.mail = [mail]
        // Where one lies already it is this one, or another owner's of the same entry.
        return insert(insertion, taken: next, next)
    }
}
