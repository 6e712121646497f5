// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCircle
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSyncPostgres
internal import KeychainSystem
internal import KeychainTools

/// What the verbs of a circle work with: the keychain, its part in the circle, the way to the server.
struct CircleTool {
    let keychain: ToolKeychain
    let session: any KeychainSession
    /// The server to keep where the one that a person names has not what this machine knows.
    var earlierServer: CircleServer?

    init(_ options: Options) throws(CommandError) { try self.init(of: try Keychains.one(options)) }

    init(of keychain: ToolKeychain) throws(CommandError) {
        self.keychain = keychain
        session = try keychain.answering { () throws(KeychainError) in
            try keychain.host.session(as: { own in
                var caller = CircleItems.caller
                caller.terminal = own.terminal
                return caller
            })
        }
    }

    /// Runs something about a circle, on an unlocked keychain where it takes one; a failure says what to do.
    func doing<Value>(_ body: () throws(CircleFailure) -> Value) throws(CommandError) -> Value {
        try keychain.unlocking { () throws(KeychainError) in
            do throws(CircleFailure) { return try body() } catch {
                if case .keychain(let cause) = error, cause.reason == .missingEntitlement, keychain.isOfSystem {
                    throw CircleTool.relayed(
                        .missingEntitlement,
                        "the system's daemon has this keychain: it takes part in no circle, and lets only those programs do so to which a file of root's gives `synchronizes` (Docs/Daemon.md)"
                    )
                }
                throw CircleTool.error(error)
            }
        }
    }

    var isInCircle: Bool {
        get throws(CommandError) { try localIfAny() != nil }
    }

    /// This keychain's part in its circle; fails where it has none.
    func local() throws(CommandError) -> LocalCircle {
        guard let circle = try localIfAny() else {
            let begun = try? doing { () throws(CircleFailure) in try CircleDraft.stored(in: session) }
            let way =
                begun.map {
                    "the circle \(Hexadecimal.digits(of: $0.circle.bytes)) is ready here, and the same `llavero circle create` as before gives it to the server"
                } ?? CircleTool.another(besides: keychain).map { "the keychain \($0.shownName) is in one:\($0.option)" }
                ?? "`llavero circle create` founds one, `llavero circle join` joins one"
            throw .notFound("the keychain \(keychain.shownName) is in no circle; \(way)")
        }
        return circle
    }

    /// One of the search list that is in a circle.
    static func another(besides keychain: ToolKeychain) -> ToolKeychain? {
        guard let others = try? SearchList().searched.filter({ $0.place != keychain.place }) else { return nil }
        return others.first { isInCircle($0) == true }
    }

    /// nil where that cannot be known without asking anybody.
    static func isInCircle(_ keychain: ToolKeychain) -> Bool? {
        var keychain = keychain
        keychain.asksToUnlock = false
        return try? CircleTool(of: keychain).isInCircle
    }

    /// Says, of an item that is for sharing, that its keychain shares it with nobody while another one is in a circle.
    static func tellOfNoCircle(_ name: String, in keychain: ToolKeychain, _ options: Options) {
        guard isInCircle(keychain) == false, let other = another(besides: keychain) else { return }
        options.tell(
            "\(PlainText.shown(name)) goes to no other machine: the keychain \(keychain.shownName) is in no circle, \(other.shownName) is"
        )
    }

    /// Says of new items that they stay here, where their keychain is in a circle: who has one may believe that it shares all there is.
    static func tellOfStaying(_ what: String, sharedBy way: String, in keychain: ToolKeychain, _ options: Options) {
        guard !options.has("--quiet"), isInCircle(keychain) == true else { return }
        Tool.say("\(what) on this machine; \(way) shares with the circle")
    }

    /// A question makes no keychain where there is none.
    func localIfAny() throws(CommandError) -> LocalCircle? {
        guard try keychain.isThere else { return nil }
        return try doing { () throws(CircleFailure) in try LocalCircle.open(in: session) }
    }

    func requireNoCircle() throws(CommandError) {
        if let circle = try localIfAny() {
            throw .duplicate(
                "this keychain is in the circle \(Hexadecimal.digits(of: circle.state.log.circle.bytes)) already; `llavero circle leave` ends that"
            )
        }
    }

    /// The way to the server of the circle; fails where the keychain has none.
    private func transport() throws(CommandError) -> PostgresTransport {
        let circle = try local().state.log.circle
        return try server().transport(circle)
    }

    /// Whether the log has this machine as a member.
    func isAdmitted() throws(CommandError) -> Bool {
        let circle = try local()
        return try CircleTool.making { () throws(CircleError) in
            circle.state.log.membership.member(try circle.device.card.id()) != nil
        }
    }

    /// Why nobody will admit this machine by the token that it asked with; nil where somebody may.
    func tokenRefusal() throws(CommandError) -> String? {
        let (circle, transport) = (try local(), try transport())
        return try doing { () throws(CircleFailure) in
            try AskedToken.refusal(for: circle, on: transport, in: session, now: CircleTool.now())
        }
    }

    func server() throws(CommandError) -> CircleServer {
        let stored = try doing { () throws(CircleFailure) in
            do throws(KeychainError) { return try CircleServer.stored(in: session) } catch { throw .keychain(error) }
        }
        guard let stored else {
            throw .notFound("this keychain has no server for its circle; `llavero circle server ADDRESS` sets it")
        }
        return stored
    }

    /// The server that an address names, with its password, which is asked for where one is needed.
    func server(_ text: String, _ options: Options) throws(CommandError) -> CircleServer {
        let address = try CircleTool.address(text)
        let descriptor = try PasscodeInput.descriptor(options, "--password-fd")
        var password: SecretValue?
        switch (address.passwordNeed, descriptor) {
        case (.none, .some): throw .usage("a server at this address asks for no password")
        case (.none, nil), (.allowed, nil): break
        case (_, let descriptor?): password = try SecretInput.all(from: descriptor, line: true)
        case (.needed, nil):
            password = try SecretInput.ask(
                "The password of the role \(PlainText.shown(address.user)) at \(PlainText.shown(address.hosts.first?.name ?? "")).",
                prompt: "Password:", confirms: false, otherwise: "use --password-fd N")
        }
        do throws(AddressRefusal) { return try CircleServer(text, password: password) } catch {
            throw .failure(error.description)
        }
    }

    static func address(_ text: String) throws(CommandError) -> ServerAddress {
        do throws(AddressRefusal) { return try ServerAddress(text) } catch { throw .failure(error.description) }
    }

    func keep(_ server: CircleServer) throws(CommandError) {
        try doing { () throws(CircleFailure) in
            do throws(KeychainError) { try server.keep(in: session) } catch { throw .keychain(error) }
        }
    }

    /// This device's keys in the circle; made where there are none.
    func device() throws(CommandError) -> DeviceKeys {
        func keys<Keys>(_ body: () throws(KeychainError) -> Keys) throws(CommandError) -> Keys {
            try doing { () throws(CircleFailure) in
                do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
            }
        }
        // Before anything that begins a keychain, which nobody wants who is refused.
        if let stored = try keys({ () throws(KeychainError) in try DeviceKeys.stored(in: session) }) { return stored }
        let kind = try keychain.state().enclave.kind
        return try keys { () throws(KeychainError) in try DeviceKeys.make(in: session, of: kind) }
    }

    // MARK: Rounds

    /// Runs a round; its alarms are told on standard error.
    ///
    /// What more owners have to sign is proposed, and fails with the words of how it goes on. Where the place that the log names cannot be
    /// gone to, one that `stays` goes on at the server that it has, as the person said who named that.
    @discardableResult
    func round(
        _ task: SyncRound.Task = .synchronize, deletions: SyncRound.ManyDeletions = .wait,
        keeping words: Set<DeviceID> = [], follows: Bool = true, stays: Bool = false
    ) throws(CommandError) -> RoundReport {
        let transport = try transport()
        let report = try run(task, deletions, keeping: words, on: transport)
        if case .moved = report.end, !follows { return report }
        if case .moved(let sealed) = report.end {
            try follow(sealed, stays: stays)
            return try round(task, deletions: deletions, keeping: words)
        }
        if case .synchronize = task, case .removed(let erasure?) = report.end { try destroy(erasure, on: transport) }
        try tellOverruled(report)
        if let text = try proposed(report) { throw .failure(text) }
        try tell(report)
        if case .synchronize = task { try attend(report, on: transport) }
        return report
    }

    /// Writes entries into the log; what more owners have to sign is proposed, and the text says how it goes on.
    func change(_ actions: [LogAction]) throws(CommandError) -> String? {
        let transport = try transport()
        let report = try run(.change(actions), .wait, on: transport)
        try tellOverruled(report)
        if let text = try proposed(report) { return text }
        try tell(report)
        return nil
    }

    /// How many secrets a removed device could read that were not changed since.
    func toRotate(of device: DeviceID) throws(CommandError) -> Int {
        let transport = try transport()
        return try run(.listToRotate(device), .wait, on: transport).toRotate.count
    }

    private func proposed(_ report: RoundReport) throws(CommandError) -> String? {
        guard case .impossible(let reason) = report.end, let proposal = report.proposal else { return nil }
        let text = try propose(proposal)
        // Then it has all signatures, and somebody else writes it.
        return reason == .lacksKeys ? CircleWords.failure(report.end) : text
    }

    private func run(
        _ task: SyncRound.Task, _ deletions: SyncRound.ManyDeletions, keeping words: Set<DeviceID> = [],
        on transport: PostgresTransport
    ) throws(CommandError) -> RoundReport {
        let circle = try local()
        var options = SyncRound.Settings()
        options.task = task
        options.manyDeletions = deletions
        options.place = try place()
        options.keptWords = words
        let keychain = keychain
        let surroundings = CircleRunner.Surroundings(now: CircleTool.now) { milliseconds in
            usleep(UInt32(clamping: milliseconds) * 1000)
            return true
        } snapshot: { () throws(KeychainError) in
            do throws(CommandError) {
                guard let snapshots = Snapshots(of: keychain) else {
                    throw .failure("the keychain's folder is not yours, so no snapshot can be made")
                }
                _ = try snapshots.make(.deletion, of: keychain)
            } catch {
                throw KeychainError(
                    relaying: .notAvailable, "no snapshot could be made, so nothing was deleted: \(error.description)",
                    subject: nil, code: nil, retryAfter: nil)
            }
        }
        var (receiving, sending) = (ProgressBar("receiving"), ProgressBar("sending"))
        defer {
            receiving.end()
            sending.end()
        }
        let report = try doing { () throws(CircleFailure) in
            try CircleRunner(session, transport, surroundings).run(circle, options) { far in
                switch far {
                case .receiving(let done, let total): receiving.step(to: done, of: total)
                case .sending(let done): sending.count(done)
                }
            }
        }
        guard let report else { throw .failure("the round was ended") }
        return report
    }

    /// What a member does for others after a round.
    private func attend(_ report: RoundReport, on transport: PostgresTransport) throws(CommandError) {
        // One by one: what one does may be in the way of the next.
        let now = try local()
        try doing { () throws(CircleFailure) in
            if (try? now.device.card.id()).flatMap({ now.state.log.membership.member($0) }) == nil {
                _ = try CircleKnock.go(on: now, in: session, on: transport)
            } else if report.newEntries > 0 {
                try CircleKnock.end(in: session)
            }
        }
        if let proposal = try doing({ () throws(CircleFailure) in
            try CircleProposal.complete(for: now, on: transport, session)
        }
        ) {
            try sign(proposal)
            Tool.say(
                "enough owners signed what was proposed here; done: \(PlainText.shown(CircleNames(of: now).proposed(proposal.entry.action)))"
            )
        }
        let present = try local()
        let visit = try doing { () throws(CircleFailure) in
            try CircleDoor.visit(for: present, in: session, on: transport, now: CircleTool.now())
        }
        for action in visit.admissions {
            do throws(CommandError) {
                try round(.change([action]))
                Tool.say("admitted \(CircleWords.machine(in: action))")
            } catch { Tool.say("\(CircleWords.machine(in: action)) was not admitted: \(error.description)") }
        }
    }

    /// Destroys what the circle told this machine to, and ends with the words that say so.
    private func destroy(_ erasure: Erasure, on transport: PostgresTransport) throws(CommandError) -> Never {
        let circle = try local()
        let (name, snapshots) = (keychain.shownName, Snapshots(of: keychain))
        guard erasure == .all, !keychain.isOfSystem else {
            // Of a keychain of the system's daemon this is all that its user can destroy.
            let receipt = CircleErasure.Receipt(circle, .circle, now: CircleTool.now())
            try destroyItems()
            // They have the circle's items, too; one of what stays takes their place.
            let hadSnapshots = snapshots.map { $0.removeAll() > 0 } ?? false
            if hadSnapshots { _ = try? snapshots?.make(.daily, of: keychain) }
            tellOfReceipt(receipt, on: transport)
            try doing { () throws(CircleFailure) in try LocalCircle.leave(in: session) }
            guard erasure == .all else {
                throw .failure(
                    "the circle had this machine destroy what it had of it\(hadSnapshots ? ", and the snapshots that had it" : ""); its other items stay"
                )
            }
            throw .failure(
                "the circle had this machine destroy what it had of it; its keychain is the system's daemon's: an administrator stops that, and deletes its folder in /var/lib/llavero"
            )
        }
        let receipt = CircleErasure.Receipt(circle, .all, now: CircleTool.now())
        // The device key first, on which all else hangs.
        do throws(CommandError) { try keychain.remove() } catch {
            guard keychain.hasDaemon else { throw error }
            // Its own thread removes what it serves.
            throw .failure(
                "the circle has this machine destroy its keychain \(name): the daemon that has it does so within minutes, and says it in its log; one that runs with --no-sync has to be stopped first"
            )
        }
        snapshots?.remove()
        tellOfReceipt(receipt, on: transport)
        throw .failure(
            "the circle had this machine destroy its keychain \(name): its device key first, then its files")
    }

    private func destroyItems() throws(CommandError) {
        let everything = try keychain.answering { () throws(KeychainError) in
            try keychain.host.session(as: { own in
                var caller = Caller(groups: [], seesEveryGroup: true, administersKeys: true, program: nil)
                caller.terminal = own.terminal
                return caller
            })
        }
        try doing { () throws(CircleFailure) in
            do throws(KeychainError) { try CircleErasure.destroyItems(through: everything) } catch {
                throw .keychain(error)
            }
        }
    }

    private func tellOfReceipt(_ receipt: CircleErasure.Receipt?, on transport: PostgresTransport) {
        if receipt?.leave(on: transport) != true {
            Tool.say("no receipt could be left on the server; what the circle asked for was done all the same")
        }
    }

    /// Goes on at the server that the circle moved to, if this machine is not there already.
    private func follow(_ sealed: [UInt8], stays: Bool) throws(CommandError) {
        let before = try server()
        let moved = try local()
        let arrival = try doing { () throws(CircleFailure) in
            do throws(KeychainError) { return try CircleMove.arrival(of: moved, in: session) } catch {
                throw .keychain(error)
            }
        }
        guard arrival == nil else { return }
        let server: CircleServer
        do throws(CircleMove.MoveRefusal) {
            server = try CircleMove.server(sealed, of: moved, from: before).server
        } catch {
            guard stays else { throw .failure(error.text) }
            return try stay(at: before, moved, CircleWords.ended(error.why))
        }
        try keep(server)
        Tool.say("the circle has moved to \(PlainText.shown(server.text)); this machine follows")
    }

    /// Goes on at the server that a person named, which has the circle as this machine knows it.
    private func stay(at server: CircleServer, _ circle: LocalCircle, _ why: String) throws(CommandError) {
        let goesOn = try doing { () throws(CircleFailure) in try CircleMove.stay(at: server, circle, in: session) }
        guard goesOn else {
            var start = ""
            if let earlierServer {
                try keep(earlierServer)
                start = "nothing was changed: "
            }
            throw .failure(
                "\(start)\(why) \(PlainText.shown(server.text)) does not have what this machine knows of the log, so it cannot go on there either; `llavero circle heal` fills a database at the place that the circle has moved to, where its tables and roles are"
            )
        }
        Tool.say(
            "\(why) This machine goes on at \(PlainText.shown(server.text)) until an owner says with `llavero circle move` where the circle is; who is elsewhere does not see what it writes"
        )
    }

    /// Where this machine is, as a hash.
    private func place() throws(CommandError) -> [UInt8] { CirclePlace.bytes(folder: keychain.location) }

    static let now: @Sendable () -> Double = { Double(time(nil)) - 978_307_200 }

    /// Who is removed has no say that there is more of the log, and may have said the truth.
    private func tellOverruled(_ report: RoundReport) throws(CommandError) {
        guard !report.overruled.isEmpty else { return }
        if case .impossible = report.end, report.proposal == nil { return }
        let names = CircleNames(of: try local())
        for id in report.overruled.sorted() {
            Tool.say(PlainText.shown(CircleWords.overruled(names.member(id))))
        }
    }

    /// What has to be told of a round, whatever it was for.
    private func tell(_ report: RoundReport) throws(CommandError) {
        if !report.alarms.isEmpty || !report.clocksAhead.isEmpty {
            let names = CircleNames(of: try local())
            for alarm in report.alarms {
                Tool.say(
                    "\(PlainText.shown(CircleWords.sentence(alarm, names.chain, names.member))) \(alarm.remedy)")
            }
            for (id, seconds) in report.clocksAhead.sorted(by: { $0.value < $1.value }) {
                Tool.say(
                    "the clock of \(PlainText.shown(names.member(id))) is \(seconds / 60) minutes ahead of this machine's, so its changes win over later ones"
                )
            }
        }
        if !report.unreadablePolicies.isEmpty {
            let names = CircleNames(of: try local())
            for view in report.unreadablePolicies {
                Tool.say(CircleWords.unreadablePolicy(of: PlainText.shown(names.view(view))))
            }
        }
        if let unreadable = CircleWords.unreadable(report.unreadable) { Tool.say(unreadable) }
        if !report.endedWords.isEmpty {
            Tool.say(
                "the words that this owner had made a member are none any more; `llavero recovery make` and `llavero circle words` make others"
            )
        }
        if report.wasPutBack { Tool.say("this keychain's folder was put back to an earlier state; it has caught up") }
        guard let failure = CircleWords.failure(report.end) else { return }
        // Nobody may be left at the place that it has moved to.
        guard case .server = report.end, try local().state.log.membership.moved != nil else { throw .failure(failure) }
        throw .failure(
            "\(CircleWords.ended(failure)) If the circle is elsewhere, `llavero circle server ADDRESS` sets where")
    }

    // MARK: Failures

    /// Runs something that makes a part of a circle's; a failure is said.
    static func making<Value: ~Copyable>(
        _ body: () throws(CircleError) -> Value
    ) throws(CommandError) -> Value {
        do throws(CircleError) { return try body() } catch { throw .failure(CircleWords.sentence(error)) }
    }

    static func error(_ failure: CircleFailure) -> KeychainError {
        switch failure {
        case .keychain(let error): error
        case .circle(.locked):
            KeychainError(.interactionNotAllowed, "the keychain is locked", subject: "ak")
        case .circle(let error): relayed(.notAvailable, CircleWords.sentence(error))
        case .server(let error): relayed(.notAvailable, CircleWords.sentence(error))
        }
    }

    static func relayed(_ reason: KeychainError.Reason, _ text: String) -> KeychainError {
        KeychainError(relaying: reason, text, subject: nil, code: nil, retryAfter: nil)
    }
}

extension ToolKeychain {
    /// Whether there are words already, which others would make invalid; false where nobody can tell.
    var hasRecoveryWords: Bool { (try? state().hasRecoveryKey) ?? false }
}
