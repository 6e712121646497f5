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
    /// A head behind numbers that are missing, in a view that somebody wrote into within the year: it counts if another member went on
    /// from it.
    private var doubted: Doubt?
    /// The latest time that a head here says.
    private var newestTime: Int64?

    private struct Doubt {
        /// Its place among `heads`.
        let index: Int
        let who: String
        /// The last number that was read before it.
        let last: UInt64
    }

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
    /// They are judged again, without those who leave. Behind what this device has nothing of theirs counts that follows nothing; only
    /// of a view that it does not read, or whose history on the server is another one, all heads are read.
    static func newest(
        _ context: RoundContext, _ view: SyncView, behind known: ViewState,
        _ then: @escaping RoundContext.Then<ViewState>
    ) throws(CircleError) -> SyncRound.Effect {
        let reader = HeadReader(context, view, behind: known)
        return try reader.read { () throws(CircleError) in
            var state = known
            if let newest = reader.heads.last { state.advance(to: newest.head, hash: newest.hash, at: context.now) }
            state.last = reader.last
            return try then(state)
        } otherwise: { () throws(CircleError) in
            guard known.number > 0, !reader.hasMet else { return context.finished(.impossible(.alarmed)) }
            return try newest(context, view, behind: ViewState(), then)
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
                try take(head, who: body.who)
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
        guard isLast else { return try fetch(behind: end, then, otherwise: otherwise) }
        if let found = try endDoubt() { return try alarm(found, otherwise) }
        return try then()
    }

    private func take(_ signed: SignedHead, who: String) throws(CircleError) {
        let head = signed.head
        if let doubted {
            // Another member, who stays, has read it where it stood.
            let author = heads[doubted.index].head.author
            let isNext = head.previous == heads.last?.hash && head.author != author
            if isNext, try members.member(head.author) != nil { self.doubted = nil }
        } else if leavesGap(head) {
            doubted = Doubt(index: heads.count, who: who, last: last)
        }
        heads.append(signed)
        newestTime = max(newestTime ?? head.time, head.time)
        last = head.number
    }

    /// Whether numbers are missing before a head that the keeper cannot have freed: it deletes what is older than a year.
    private func leavesGap(_ head: CircleHead) -> Bool {
        guard head.number > last + 1, let newestTime else { return false }
        return newestTime > Int64(clamping: context.now - HeadReader.keeperAge)
    }

    /// Leaves out a head that nobody went on from, with what its author put behind it: of a present writer it is an alarm, as it is for
    /// those who knew the heads before it.
    private func endDoubt() throws(CircleError) -> Alarm? {
        guard let doubted else { return nil }
        let head = heads[doubted.index].head
        guard try members.writer(head.author, of: view) == nil else { return .missingHead(view, doubted.last + 1) }
        context.report.junk.append(RoundReport.Junk(chain: .heads(view), number: head.number, who: doubted.who))
        heads.removeSubrange(doubted.index...)
        (last, self.doubted) = (doubted.last, nil)
        return nil
    }

    /// Those by whom heads are judged.
    private var members: Membership {
        get throws(CircleError) {
            if let judge = context.judge { return judge }
            return try context.membership
        }
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
        let membership = try members
        let isNext = body.number == last + 1
        // Nobody comes to such a number, and behind it there would soon be none.
        guard isNext || body.number < HeadReader.firstOfNobody,
            let signed = try? SignedHead(decoding: body.body, of: log.circle, view: view, number: body.number)
        else { return .junk }
        let head = signed.head
        if head.logNumber > log.tip.number, !hasReadLogAgain { return .unknownLog }
        guard let card = membership.members[head.author]?.card, try signed.isSigned(by: card) else { return .junk }
        let wasWriter = membership.mayHaveWritten(head.author, view, at: head.logNumber)
        let mayHaveWritten =
            wasWriter || head.entries.isEmpty && membership.mayHaveSetBarrier(head.author, at: head.logNumber)
        let (number, hash, logNumber) = before
        let isKnownLog =
            head.logNumber <= log.tip.number && log.hash(at: head.logNumber).map { $0 == head.logHash } ?? true
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
    /// So old is what the keeper deletes at least, in seconds.
    private static let keeperAge = 365.0 * 24 * 3600
    /// A number of the tables is below 2^63.
    private static let firstOfNobody: UInt64 = 1 << 62
}
