// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Reads the heads of a view behind those that are known, and judges each: what follows counts, what nobody signed who may is
/// junk, and what a member signed that does not follow is an alarm.
final class HeadReader {
    private let context: RoundContext
    private let view: SyncView
    private let known: ViewState
    /// The heads that were accepted, oldest first.
    private(set) var heads: [SignedHead] = []
    /// The last number that was read.
    private(set) var last: UInt64
    /// Whether the server's head of this device's number was compared with its own.
    private(set) var hasMet = false
    private var hasReadLogAgain = false

    init(_ context: RoundContext, _ view: SyncView, behind known: ViewState) {
        (self.context, self.view, self.known) = (context, view, known)
        // What was passed over in an earlier round is judged again: a server may show junk once, and a head then.
        last = known.number
    }

    /// Of a view that is read for the first time those heads may be gone whose records were all superseded.
    private var isFirst: Bool { known.number == 0 }

    /// Reads all that there are; behind an alarm goes on with `otherwise`.
    func read(
        _ then: @escaping RoundContext.Next, otherwise: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        try fetch(behind: isFirst ? 0 : known.number - 1, then, otherwise: otherwise)
    }

    /// The state of a view after its newest head, by its heads alone; as it begins where there is none.
    ///
    /// Of a view that has an alarm they are all read again, as they are judged without those who leave.
    static func newest(
        _ context: RoundContext, _ view: SyncView, _ then: @escaping RoundContext.Then<ViewState>
    ) throws(CircleError) -> SyncRound.Effect {
        let reader = HeadReader(context, view, behind: ViewState())
        return try reader.read { () throws(CircleError) in
            var state = ViewState()
            if let newest = reader.heads.last { state.advance(to: newest.head, hash: newest.hash, at: context.now) }
            state.last = reader.last
            return try then(state)
        } otherwise: { () throws(CircleError) in
            context.finished(.impossible(.alarmed))
        }
    }

    private func fetch(
        behind number: UInt64, _ then: @escaping RoundContext.Next, otherwise: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        context.bodies(of: .heads(view), behind: number, limit: HeadReader.headsAtOnce) {
            [self] bodies throws(CircleError) in
            var rest = bodies[...]
            if number + 1 == known.number {
                guard let first = rest.popFirst(), try isKnown(first) else {
                    return try alarm(.replaced(.heads(view), known.number), otherwise)
                }
                hasMet = true
            }
            let isWhole = context.isWhole(bodies, limit: HeadReader.headsAtOnce)
            return try read(
                rest, end: bodies.last?.number ?? number, isLast: isWhole, then, otherwise: otherwise)
        }
    }

    private func isKnown(_ body: ChainBody) throws(CircleError) -> Bool {
        guard body.number == known.number, let signed = try? SignedBody(decoding: body.body) else { return false }
        return try CircleCoding.digest(of: signed.content) == known.hash
    }

    private func read(
        _ bodies: ArraySlice<ChainBody>, end: UInt64, isLast: Bool, _ then: @escaping RoundContext.Next,
        otherwise: @escaping RoundContext.Next
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
                    try read(rest, end: end, isLast: isLast, then, otherwise: otherwise)
                }
            case .alarm(let found): return try alarm(found, otherwise)
            }
            rest.removeFirst()
        }
        return isLast ? try then() : try fetch(behind: end, then, otherwise: otherwise)
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
        let wasWriter = membership.mayHaveWritten(head.author, view, at: head.logNumber)
        let mayHaveWritten =
            wasWriter || head.entries.isEmpty && membership.mayHaveSetBarrier(head.author, at: head.logNumber)
        let (number, hash, logNumber) = before
        let isKnownLog =
            head.logNumber <= log.tip.number && log.hash(at: head.logNumber).map { $0 == head.logHash } ?? true
        let isNext = body.number == last + 1
        // Of a view that is read for the first time heads may be gone whose records were all superseded, and anything may lie in their
        // places.
        let follows = head.previous == hash || isFirst && number + 1 < head.number
        if mayHaveWritten, follows, head.logNumber >= logNumber, isKnownLog, isNext || isFirst, number < head.number {
            if let expected = known.expected, expected.number == head.number, expected.hash != signed.hash {
                return .alarm(.replaced(.heads(view), head.number))
            }
            let ahead = head.time.clampedDifference(from: Int64(clamping: context.now))
            if ahead > HeadReader.clockTolerance { context.report.clocksAhead[head.author] = ahead }
            return .accepted(signed)
        }
        // Somebody who left may have left anything behind, and so may who was no writer then. What a present writer signed as such is a
        // history.
        guard wasWriter, membership.writer(head.author, of: view) != nil,
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

    private func alarm(_ alarm: Alarm, _ otherwise: RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        context.raise(alarm)
        context.trees[view] = nil
        return try otherwise()
    }

    /// However many that is, an answer ends behind `CircleLimit.answerSize`.
    private static let headsAtOnce = 1000
    private static let clockTolerance: Int64 = 3600
}
