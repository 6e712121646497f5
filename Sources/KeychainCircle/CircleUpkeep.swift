// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainRequest
internal import KeychainSync
internal import KeychainSyncPostgres
package import KeychainSystem

/// Keeps a keychain up with its circle, for somebody who has it open all the time.
///
/// What it remembers of a round makes the next one cheap: the way to the server stays open, and no leaf is read twice. One thread uses it.
package final class CircleUpkeep {
    /// What a round came to.
    package enum Outcome: Sendable, Equatable {
        /// The keychain is in no circle.
        case noCircle
        /// Its first passcode was not given yet since it was opened, so nothing of the circle opens.
        case beforeFirstUnlock
        /// It ran; `isExpecting` while somebody with a token may come.
        case done(isExpecting: Bool)
        /// It did not, as was said.
        case failed
        /// The circle has removed this machine.
        case removed
        /// The circle asks that everything is destroyed; a receipt lies there.
        case toDestroy
        /// It was told to end.
        case ended
    }

    private let session: any KeychainSession
    private let items: any KeychainSession
    private let place: [UInt8]
    /// The keychain's folder; nil in memory.
    private let folder: String?
    private let now: @Sendable () -> Double
    private let say: (String) -> Void
    private let cancellation: Cancellation
    private var way: (circle: CircleID, server: CircleServer, transport: PostgresTransport)?
    private var memory = CircleRunner.Memory()
    private var saidAlarms: Set<Alarm> = []
    private var saidPolicies: [SyncView] = []
    private var saidFailure: String?
    /// When a machine was last asked to prove itself by its TPM, or this one asked, or answered.
    private var challenged = -Double.infinity

    /// Begins with a session of `CircleItems.caller`.
    ///
    /// Through `items` go those that a removed machine has to destroy; `say` hears what a person should know, each thing once.
    package init(
        _ session: any KeychainSession, items: any KeychainSession, folder: String?,
        now: @escaping @Sendable () -> Double,
        cancellation: Cancellation, say: @escaping (String) -> Void
    ) {
        (self.session, self.items, self.now, self.say) = (session, items, now, say)
        self.cancellation = cancellation
        self.folder = folder
        place = CirclePlace.bytes(folder: folder)
    }

    /// Has the server read anew: it may be another one, or its password.
    package func forgetServer() { way = nil }

    /// Closes the connection until the next round.
    package func closeConnection() { way?.transport.close() }

    /// Whether something waits here to be sent.
    package var hasChanges: Bool {
        guard case .sync(.changes(let changes, _))? = try? session.perform(.sync(.changes(behind: 0, limit: 1))) else {
            return false
        }
        return !changes.isEmpty
    }

    package func round() -> Outcome {
        do throws(CircleFailure) { return try attempt() } catch {
            if cancellation.isTripped { return .ended }
            switch error {
            case .keychain(let error) where error.reason == .interactionNotAllowed: return .beforeFirstUnlock
            case .circle(.locked): return .beforeFirstUnlock
            case .keychain(let error): return failed(error.description)
            case .circle(let error): return failed(CircleWords.sentence(error))
            case .server(let error): return failed(CircleWords.sentence(error))
            }
        }
    }

    private func attempt() throws(CircleFailure) -> Outcome {
        guard let circle = try LocalCircle.open(in: session, knowing: memory.read) else {
            (way, memory, saidAlarms, saidPolicies, saidFailure) = (nil, CircleRunner.Memory(), [], [], nil)
            return .noCircle
        }
        guard let transport = try transport(circle.state.log.circle) else {
            return failed("the keychain has no server for its circle; `llavero circle server ADDRESS` sets it")
        }
        guard let report = try round(circle, .synchronize, on: transport) else { return .ended }
        tell(report)
        switch report.end {
        case .complete, .impossible: break
        case .notInCircle: return .noCircle
        // The others' changes come with the next round.
        case .busy: return .done(isExpecting: false)
        case .moved(let address): return try move(to: address, circle)
        case .removed(let erasure): return try leave(circle, erasure, on: transport)
        case .keychain(.interactionNotAllowed, _): return .beforeFirstUnlock
        case .server, .keychain, .laterVersion:
            if cancellation.isTripped { return .ended }
            return failed(CircleWords.failure(report.end) ?? "")
        }
        worked()
        var present = report.newEntries > 0 ? try LocalCircle.open(in: session, knowing: memory.read) ?? circle : circle
        if let proposal = try CircleProposal.complete(for: present, on: transport, session) {
            guard let report = try round(present, .sign(proposal.body), on: transport) else { return .ended }
            tell(report)
            present = try LocalCircle.open(in: session, knowing: memory.read) ?? present
        }
        return try attendDoor(present, report, on: transport)
    }

    private func round(
        _ circle: LocalCircle, _ task: SyncRound.Task, on transport: PostgresTransport
    ) throws(CircleFailure) -> RoundReport? {
        var options = SyncRound.Settings()
        options.task = task
        options.place = place
        let cancellation = cancellation
        let surroundings = CircleRunner.Surroundings(now: now) { milliseconds in
            do throws(WaitFailure) {
                try Deadline(seconds: nil, cancellation).pause(milliseconds: Int32(clamping: milliseconds))
                return true
            } catch { return false }
        } snapshot: { () throws(KeychainError) in
            // Only what a person asked for takes one.
            throw KeychainError(.notAvailable, "the daemon makes no snapshots; run `llavero sync`")
        }
        return try CircleRunner(session, transport, surroundings).run(circle, options, keeping: &memory)
    }

    private func transport(_ circle: CircleID) throws(CircleFailure) -> PostgresTransport? {
        if let way, way.circle == circle { return way.transport }
        let server = try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleServer.stored(in: session)
        }
        guard let server else { return nil }
        let transport = server.transport(circle, cancellation: cancellation)
        way = (circle, server, transport)
        return transport
    }

    // MARK: Who waits at the door

    private func attendDoor(
        _ circle: LocalCircle, _ report: RoundReport, on transport: PostgresTransport
    ) throws(CircleFailure) -> Outcome {
        let membership = circle.state.log.membership
        guard let own = (try? circle.device.card.id()).flatMap({ membership.member($0) }) else {
            do throws(CircleFailure) {
                if try CircleKnock.go(on: circle, in: session, on: transport) { challenged = now() }
                return .done(isExpecting: isChallenged)
            } catch {
                guard case .circle(let error) = error, error != .locked else { throw error }
                return failed("the circle does not let this machine in by its TPM: \(CircleWords.sentence(error))")
            }
        }
        if report.newEntries > 0 { try CircleKnock.end(in: session) }
        let visit = try CircleDoor.visit(for: circle, in: session, on: transport, now: now())
        if visit.challenges > 0 { challenged = now() }
        // One by one: what one does may be in the way of the next.
        for action in visit.admissions {
            guard let present = try LocalCircle.open(in: session, knowing: memory.read),
                let report = try round(present, .change([action]), on: transport)
            else { return .ended }
            tell(report)
            // Where another process changed the state meanwhile, the round tries again what it has done: what counts is the log.
            let log = try LocalCircle.open(in: session, knowing: memory.read)?.state.log
            if case .admit(let card, _) = action, let id = try? card.id(), log?.membership.member(id) != nil {
                say("admitted \(CircleWords.machine(in: action))")
            } else if let failure = CircleWords.failure(report.end) {
                say("\(CircleWords.machine(in: action)) was not admitted: \(failure)")
            }
        }
        let time = now()
        return .done(
            isExpecting: own.roles.isSponsor && membership.invites.values.contains { $0.expiry > Int64(time) }
                || isChallenged)
    }

    private var isChallenged: Bool { (challenged...challenged + CircleUpkeep.patience).contains(now()) }

    // MARK: A circle that is elsewhere, or goes on without this machine

    /// Follows to another server, if it has the circle already.
    private func move(to sealed: [UInt8], _ before: LocalCircle) throws(CircleFailure) -> Outcome {
        // With the entry, and with the keys that came with it.
        let circle = try LocalCircle.open(in: session, knowing: memory.read) ?? before
        let arrival = try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleMove.arrival(of: circle, in: session)
        }
        guard arrival == nil else { return .done(isExpecting: false) }
        let (server, transport): (CircleServer, PostgresTransport)
        do throws(CircleMove.MoveRefusal) {
            (server, transport) = try CircleMove.server(
                sealed, of: circle, from: way?.server, cancellation: cancellation)
        } catch { return failed(error.text) }
        try CircleFailure.ofKeychain { () throws(KeychainError) in try server.keep(in: session) }
        way = (circle.state.log.circle, server, transport)
        say("the circle has moved to \(server.text); this machine follows")
        saidFailure = nil
        return .done(isExpecting: false)
    }

    /// Does what is asked of a machine that was removed.
    private func leave(
        _ circle: LocalCircle, _ erasure: Erasure?, on transport: PostgresTransport
    ) throws(CircleFailure) -> Outcome {
        guard let erasure else {
            _ = failed(
                "this machine was removed from the circle; its items stay, and `llavero circle leave` ends its part")
            return .removed
        }
        let receipt = CircleErasure.Receipt(circle, erasure, now: now())
        if erasure == .circle {
            try CircleFailure.ofKeychain { () throws(KeychainError) in try CircleErasure.destroyItems(through: items) }
            // The snapshots have them, too; the tools make one of what stays when one is due.
            if let folder { SnapshotFolder.empty(beside: folder) }
        }
        if receipt?.leave(on: transport) != true {
            say("no receipt could be left on the server; what the circle asked for is done all the same")
        }
        // Which the daemon does at once.
        guard erasure == .circle else { return .toDestroy }
        try LocalCircle.leave(in: session)
        (way, memory) = (nil, CircleRunner.Memory())
        say("the circle has this machine destroy what it has of it: done")
        return .noCircle
    }

    /// For so many seconds the answer of a TPM is waited for.
    private static let patience: Double = 120

    // MARK: What people are told

    private func tell(_ report: RoundReport) {
        let alarms = Set(report.alarms)
        for alarm in report.alarms where !saidAlarms.contains(alarm) {
            say("\(CircleWords.sentence(alarm)) \(alarm.remedy)")
        }
        saidAlarms = alarms
        for view in report.unreadablePolicies where !saidPolicies.contains(view) {
            say(CircleWords.unreadablePolicy(of: Hexadecimal.digits(of: view.bytes)))
        }
        saidPolicies = report.unreadablePolicies
        if let unreadable = CircleWords.unreadable(report.unreadable) { say(unreadable) }
        if report.wasPutBack { say("this keychain's folder was put back to an earlier state; it has caught up") }
    }

    private func failed(_ text: String) -> Outcome {
        if saidFailure != text { say("no synchronization: \(text)") }
        saidFailure = text
        return .failed
    }

    private func worked() {
        if saidFailure != nil { say("synchronization goes on") }
        saidFailure = nil
    }
}
