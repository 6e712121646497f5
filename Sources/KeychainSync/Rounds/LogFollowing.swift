// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest

/// Takes the server's log in place of this device's, when a person has decided that the server's is the circle.
///
/// Two histories are never joined. The server's is read anew from its first entry, by its own rules alone; this device leaves its own
/// altogether, with what that said of members, rights and keys, reads all views as a new device does, and sends what only it has.
final class LogFollowing {
    private let context: RoundContext
    private let agreed: LogPlace?
    private var theirs: CircleLog
    private var bodies: [SyncHead] = []
    private var jumps = 0

    init(_ context: RoundContext, _ agreed: LogPlace?) throws(CircleError) {
        (self.context, self.agreed) = (context, agreed)
        theirs = CircleLog(circle: try context.log.circle)
    }

    func start() throws(CircleError) -> SyncRound.Effect {
        context.server(.newest([.log])) { [self] reply throws(CircleError) in
            guard case .newest(let ends) = reply, ends.count == 1 else { return context.unexpectedFromServer() }
            context.newest[.log] = ends[0].number
            return try read()
        }
    }

    private func read() throws(CircleError) -> SyncRound.Effect {
        context.bodies(of: .log, behind: theirs.last, limit: LogFollowing.limit) { [self] bodies throws(CircleError) in
            let before = theirs.last
            for event in try theirs.take(bodies) {
                switch event {
                case .accepted(let entry):
                    if let body = bodies.first(where: { $0.number == entry.number })?.body {
                        self.bodies.append(SyncHead(number: entry.number, body: body))
                    }
                case .junk: continue
                case .fork(let number, _):
                    return try passOver(
                        bodies.first { $0.number == number }, otherwise: .impossible(.noHistory(number)))
                case .later(let number):
                    return try passOver(bodies.first { $0.number == number }, otherwise: .laterVersion(number))
                }
            }
            guard theirs.last == before || context.isWhole(bodies, limit: LogFollowing.limit) else {
                return try read()
            }
            return try compare()
        }
    }

    /// What follows nothing ends the history, and what is of a later version the reading, unless owners of this history have passed
    /// over it.
    private func passOver(_ body: ChainBody?, otherwise end: RoundReport.End) throws(CircleError) -> SyncRound.Effect {
        let entry = try body.flatMap { (body) throws(CircleError) in try CircleLog.place(of: body) }
        return try LogCatchUp(context, from: theirs, leavingOut: entry) { [self] outcome throws(CircleError) in
            guard case .arrived(let log) = outcome, jumps < LogFollowing.mostJumps else { return context.finished(end) }
            jumps += 1
            theirs = log
            return try read()
        }.start()
    }

    private func compare() throws(CircleError) -> SyncRound.Effect {
        guard let own = theirs.membership.member(context.own), own.erasure == nil else {
            return context.finished(.impossible(.notMember))
        }
        let mine = try context.log
        guard let agreed else {
            context.report.otherLog = OtherLog(theirs, instead: mine)
            return context.finished(.complete)
        }
        // What a person has seen is what is taken.
        guard agreed == theirs.tip else { return context.finished(.busy) }
        return try theirs.tip == mine.tip ? forgetPromises() : leave(mine)
    }

    /// The histories are one: what others say that they have seen, and that is not there, is lost.
    private func forgetPromises() throws(CircleError) -> SyncRound.Effect {
        try context.apply(context.batch) { (state) in
            state.promises = []
            state.lastSeen = 0
        } _: { [context] () throws(CircleError) in
            try context.synchronizeNow()
        }
    }

    private func leave(_ mine: CircleLog) throws(CircleError) -> SyncRound.Effect {
        guard context.keys.isOpen else { return context.finished(.impossible(.locked)) }
        _ = try context.readPolicies(of: mine.membership)
        let views = Membership.sorted(try context.state.views).map(\.key)
        return try openWaiting(of: views[...]) { [self] () throws(CircleError) in try forgetKeys() }
    }

    /// What came sealed and could not be opened then may be nowhere else, and its keys go.
    private func openWaiting(
        of views: ArraySlice<SyncView>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let view = views.first else { return try next() }
        return try WaitingRecords(context, view).start { [self] () throws(CircleError) in
            // So many deletions want a person's word first, and what came beside them waits with them.
            guard !context.report.alarms.contains(where: { $0.isOfManyDeletions(in: view) }) else {
                return context.finished(.impossible(.alarmed))
            }
            return try openWaiting(of: views.dropFirst(), next)
        }
    }

    private func forgetKeys() throws(CircleError) -> SyncRound.Effect {
        var foreign: [ViewKey] = []
        for view in context.keys.views {
            for generation in context.keys.generations(of: view) {
                guard let key = context.keys.key(of: view, generation: generation) else { continue }
                let commitment = theirs.membership.views[view]?.commitments[generation]
                let own = try key.commitment()
                if own != commitment { foreign.append(key) }
            }
        }
        // The keys first: with them left, and the other log, something could be sealed for those whom it does not know.
        return try context.forget(foreign) { [self] () throws(CircleError) in try take() }
    }

    private func take() throws(CircleError) -> SyncRound.Effect {
        var batch = context.batch
        guard let names = theirs.membership.namesView else { throw .malformed }
        batch.forgotten = Array(try context.state.views.keys) + [names]
        batch.heads = bodies.suffix(LogFollowing.mostRemembered).map { (names, $0) }
        let become: (inout CircleState) throws(CircleError) -> Void = { [self] state throws(CircleError) in
            state.log = theirs
            state.views = state.views.mapValues { _ in ViewState() }
            (state.promises, state.alarms, state.choice, state.lastSeen) = ([], [], [], 0)
        }
        context.trees = [:]
        return try context.apply(batch, become) { [context] () throws(CircleError) in try context.synchronizeNow() }
    }

    private static let limit = 256
    private static let mostRemembered = 4096
    private static let mostJumps = 16
}

/// What another log than this device's says, in what a person has to know before it is taken.
package struct OtherLog: Sendable, Equatable {
    package let tip: LogPlace
    /// How many numbers of this device's log it does not have as this device has them, as far as that is remembered.
    package let lost: UInt64
    /// Removed here, members there: they can read again what is stored from then on.
    package let comeBack: [DeviceID]
    /// Members there of whom this device has never heard.
    package let strangers: [DeviceID]
    /// Members here, not there.
    package let gone: [DeviceID]
    /// Members here and there, who may do more there.
    package let raised: [DeviceID]
    /// Views that go back to earlier keys, which those who come back have.
    package let rekeyed: [SyncView]

    init(_ theirs: CircleLog, instead mine: CircleLog) {
        tip = theirs.tip
        var common = min(theirs.tip.number, mine.tip.number)
        while common > 0, mine.hash(at: common) == nil || mine.hash(at: common) != theirs.hash(at: common) {
            common -= 1
        }
        lost = mine.tip.number - common
        let (own, other) = (mine.membership, theirs.membership)
        let present = other.members.filter(\.value.isPresent).keys.sorted()
        comeBack = present.filter { own.members[$0].map { !$0.isPresent } ?? false }
        strangers = present.filter { own.members[$0] == nil }
        gone = own.members.filter { $0.value.isPresent && other.member($0.key) == nil }.keys.sorted()
        raised = present.filter { id in
            guard let before = own.member(id)?.roles, let after = other.member(id)?.roles else { return false }
            return after.isOwner && !before.isOwner || after.isSponsor && !before.isSponsor
                || after.views.contains { view, access in
                    before.views[view] == nil || access == .writer && before.views[view] == .reader
                }
        }
        rekeyed = own.views.filter { view, known in
            other.views[view].map { $0.generation < known.generation } ?? true
        }.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
