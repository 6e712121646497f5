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

    init(_ options: Options) throws(CommandError) {
        let keychain = try Keychains.one(options)
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
            do throws(CircleFailure) { return try body() } catch { throw CircleTool.error(error) }
        }
    }

    /// This keychain's part in its circle; fails where it has none.
    func local() throws(CommandError) -> LocalCircle {
        guard let circle = try doing({ () throws(CircleFailure) in try LocalCircle.open(in: session) }) else {
            throw .notFound(
                "this keychain is in no circle; `llavero circle create` founds one, `llavero circle join` joins one")
        }
        return circle
    }

    func requireNoCircle() throws(CommandError) {
        if let circle = try doing({ () throws(CircleFailure) in try LocalCircle.open(in: session) }) {
            throw .duplicate(
                "this keychain is in the circle \(Hexadecimal.digits(of: circle.state.log.circle.bytes)) already; `llavero circle leave` ends that"
            )
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
        let address: ServerAddress
        do throws(AddressRefusal) { address = try ServerAddress(text) } catch { throw .failure(error.description) }
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

    func keep(_ server: CircleServer) throws(CommandError) {
        try doing { () throws(CircleFailure) in
            do throws(KeychainError) { try server.keep(in: session) } catch { throw .keychain(error) }
        }
    }

    /// This device's keys in the circle; made where there are none.
    func device() throws(CommandError) -> DeviceKeys {
        let kind = try keychain.state().enclave.kind
        return try doing { () throws(CircleFailure) in
            do throws(KeychainError) {
                if let keys = try DeviceKeys.stored(in: session) { return keys }
                return try DeviceKeys.make(in: session, of: kind)
            } catch { throw .keychain(error) }
        }
    }

    // MARK: Rounds

    /// Runs a round; its alarms are told on standard error.
    @discardableResult
    func round(
        _ task: SyncRound.Task = .synchronize, deletions: SyncRound.ManyDeletions = .wait,
        keeping words: Set<DeviceID> = [], follows: Bool = true
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
                _ = try snapshots.make(.restore, of: keychain)
            } catch {
                throw KeychainError(
                    relaying: .notAvailable, "no snapshot could be made, so nothing was deleted: \(error.description)",
                    subject: nil, code: nil, retryAfter: nil)
            }
        }
        let transport = try server().transport(circle.state.log.circle)
        let report = try doing { () throws(CircleFailure) in
            try CircleRunner(session, transport, surroundings).run(circle, options)
        }
        guard let report else { throw .failure("the round was ended") }
        if case .moved = report.end, !follows { return report }
        if case .moved(let sealed) = report.end, try follow(sealed, circle) {
            return try round(task, deletions: deletions, keeping: words)
        }
        try tell(report)
        guard case .synchronize = task else { return report }
        // One by one: what one does may be in the way of the next.
        let now = try local()
        if let id = try? now.device.card.id(), now.state.log.membership.member(id) == nil {
            Tool.say("no member of the circle has admitted this machine yet")
        }
        let admissions = try doing { () throws(CircleFailure) in
            try CircleDoor.admissions(for: now, on: transport, now: CircleTool.now())
        }
        for action in admissions {
            do throws(CommandError) {
                try round(.change([action]))
                Tool.say("admitted a machine that holds a token")
            } catch { Tool.say("a machine that holds a token was not admitted: \(error.description)") }
        }
        return report
    }

    /// Goes on at the server that the circle moved to; false where this machine is there already.
    private func follow(_ sealed: [UInt8], _ circle: LocalCircle) throws(CommandError) -> Bool {
        let before = try server()
        let moved = try local()
        guard !CircleMove.hasArrived(before, by: sealed, moved) else { return false }
        let server: CircleServer
        do throws(CircleMove.Refusal) { server = try CircleMove.server(sealed, of: moved, from: before).server } catch {
            throw .failure(error.text)
        }
        try keep(server)
        Tool.say("the circle has moved to \(PlainText.shown(server.text)); this machine follows")
        return true
    }

    /// Where this machine is, as a hash.
    private func place() throws(CommandError) -> [UInt8] { CirclePlace.bytes(folder: keychain.location) }

    static let now: @Sendable () -> Double = { Double(time(nil)) - 978_307_200 }

    /// What has to be told of a round, whatever it was for.
    private func tell(_ report: RoundReport) throws(CommandError) {
        for alarm in report.alarms {
            Tool.say("\(CircleWords.sentence(alarm)) \(alarm.remedy)")
        }
        for (_, seconds) in report.clocksAhead.sorted(by: { $0.value < $1.value }) {
            Tool.say(
                "a member's clock is \(seconds / 60) minutes ahead of this machine's, so its changes win over later ones"
            )
        }
        if !report.endedWords.isEmpty {
            Tool.say(
                "the words that this owner had made a member are none any more; `llavero recovery make` and `llavero circle words` make others"
            )
        }
        if report.wasPutBack { Tool.say("this keychain's folder was put back to an earlier state; it has caught up") }
        if let failure = CircleWords.failure(report.end) { throw .failure(failure) }
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
