// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainEngine
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// The keychain that a verb works on: the daemon's where one runs, else opened by this process.
package struct ToolKeychain {
    package let host: HandoverHost
    /// Whether a locked keychain is asked about at once; a full-screen program asks in its own time.
    package var asksToUnlock = true
    /// Whether a daemon serves the keychain, as far as is known by now.
    package var hasDaemon: Bool { host.hasDaemon }
    /// Whether it is one of the system's daemon, whose files its user cannot read.
    package var isOfSystem: Bool { host.socket == DaemonSocket.system }

    /// The keychain that the environment names.
    package init() throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host() }
    }

    /// Another one, by its place.
    package init(at place: Place) throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host(at: place) }
    }

    /// The keychain that `text` names, as people and scripts write names; nil stands for the usual one.
    package init(written text: String?) throws(CommandError) {
        guard let text else {
            try self.init()
            return
        }
        try self.init(
            at: try ToolKeychain.translating { () throws(KeychainError) in
                try Place.written(text, in: .current())
            })
    }

    private init(_ host: () throws(KeychainError) -> HandoverHost) throws(CommandError) {
        ProcessHost.claimPasswords()
        ProcessHost.restartDaemons(by: DaemonRestart.restart)
        self.host = try ToolKeychain.translating(host)
    }

    /// Where it is.
    package var place: Place { host.embedded.place }

    /// Its name, for messages.
    package var shownName: String { PlainText.shown(KeychainNames.name(of: place)) }

    /// The folder of its files; nil where the daemon has them, and for a keychain in memory.
    package var folder: String? { hasDaemon ? nil : host.embedded.folder }

    /// The folder of its files, also where a daemon serves them; nil in memory, and where the daemon's keychain of that name is
    /// another one.
    package var location: String? {
        guard hasDaemon else { return host.embedded.folder }
        return host.embedded.isHandedOver ? host.embedded.folder : nil
    }

    /// Whether a damaged log was kept beside it: then what is read may be older than what was stored last.
    ///
    /// By the names of its files alone: every `get` asks, and a daemon has the database open already.
    package var mayMissChanges: Bool {
        guard !isOfSystem, let folder = host.embedded.folder else { return false }
        return !DamagedLog.kept(beside: "\(folder)/keychain.db").isEmpty
    }

    /// Whether it exists; other operations might create it.
    package var isThere: Bool {
        get throws(CommandError) {
            try ToolKeychain.translating { () throws(KeychainError) in try host.isThere }
        }
    }

    package func requireThere() throws(CommandError) {
        if try isThere { return }
        if let disappearance = host.disappearance { throw CommandError(disappearance) }
        let place = isOfSystem ? "with the system's daemon" : "in \(folder ?? "memory")"
        throw .failure("no keychain exists yet \(place); \(beginning)")
    }

    package func state() throws(CommandError) -> KeychainState {
        guard case .state(let state) = try perform(.state) else { throw ToolKeychain.otherReply }
        return state
    }

    @discardableResult
    package func perform(_ request: KeybagRequest) throws(CommandError) -> KeybagReply {
        try answering { () throws(KeychainError) in try host.session().perform(request) }
    }

    /// Removes the keychain with everything in it; the caller updates `preferences`.
    package func remove() throws(CommandError) {
        try answering { () throws(KeychainError) in try host.remove() }
    }

    package func settings() throws(CommandError) -> KeychainSettings {
        guard case .settings(let settings) = try perform(.settings) else { throw ToolKeychain.otherReply }
        return settings
    }

    /// What is wrong with it.
    package func check() throws(CommandError) -> [String] {
        try answering { () throws(KeychainError) in try host.check() }
    }

    package func audit(_ query: AuditQuery) throws(CommandError) -> AuditAnswer {
        try answering { () throws(KeychainError) in try host.audit(query) }
    }

    /// Turns a keychain error into the tools' error.
    package static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw CommandError(error) }
    }

    package static let otherReply = CommandError.failure("the keychain sent an unexpected reply")
}

/// Items, for the verbs.
///
/// Where this process opens the keychain itself, it names its access groups; a daemon determines them itself.
extension ToolKeychain {
    /// The matching items; no match is not an error.
    package func match(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        do throws(CommandError) {
            return try unlocking { () throws(KeychainError) in try session(of: owners).match(request) }
        } catch {
            if case .keychain(let cause) = error, cause.reason == .itemNotFound { return [] }
            throw error
        }
    }

    /// Also lists matching items that cannot be read.
    package func matchWithDamaged(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        try match(
            MatchRequest(
                predicate: request.predicate, returning: request.returning.union(.damaged), limit: request.limit),
            of: owners)
    }

    /// One part of a list; no match is an empty part.
    func match(_ request: MatchPageRequest, of owners: ItemOwners) throws(CommandError) -> MatchPage {
        try unlocking { () throws(KeychainError) in try session(of: owners).match(request) }
    }

    /// Adds an item; without a group it goes to the first group of its owners.
    @discardableResult
    package func add(_ request: AddRequest, of owners: ItemOwners) throws(CommandError) -> FoundItem? {
        var request = request
        if request.group == .everyGroupOfCaller { request.group = .named(owners.groups[0].name) }
        return try unlocking { () throws(KeychainError) in try session(of: owners).add(request) }
    }

    package func update(_ request: UpdateRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in try session(of: owners).update(request) }
    }

    package func delete(_ request: DeleteRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in try session(of: owners).delete(request) }
    }

    /// What can be done with earlier versions of items.
    @discardableResult
    package func perform(_ request: KeybagRequest, of owners: ItemOwners) throws(CommandError) -> KeybagReply {
        try unlocking { () throws(KeychainError) in try session(of: owners).perform(request) }
    }

    /// Everything else that the keychain's owner can do with items.
    package func session(of owners: ItemOwners) throws(KeychainError) -> any KeychainSession {
        try host.session(as: { owners.caller($0) })
    }
}

/// Unlocking on demand: `llavero` on a terminal asks for the passcode of a locked keychain, as `security` does, and so does the
/// askpass, which is there to ask.
extension ToolKeychain {
    /// Whether a person waits here: completion, scripts and background jobs must not wait for one.
    ///
    /// So `llavero` asks only when standard error is a terminal; who calls an askpass waits for a person.
    private var mayAskHere: Bool {
        guard asksToUnlock else { return false }
        return Tool.name == "llavero" ? Screen.complaints.isTerminal : Tool.name == "llavero-askpass"
    }

    package func unlocking<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try ForkGate.operation(body) } catch {
            guard mayAskHere, wantsUnlock(error) else { throw CommandError(advising(error)) }
        }
        try askToUnlock()
        return try answering(body)
    }

    /// Turns a keychain error into the tools' error.
    package func answering<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try ForkGate.operation(body) } catch { throw CommandError(advising(error)) }
    }

    /// Has a locked keychain unlocked before anything begins that needs it, or refuses; whether somebody gave its passcode.
    @discardableResult
    package func requireUnlocked() throws(CommandError) -> Bool {
        guard try isThere, [.locked, .beforeFirstUnlock].contains(try state().lockState) else { return false }
        guard mayAskHere else { throw lockedError }
        try askToUnlock()
        return true
    }

    private func wantsUnlock(_ error: KeychainError) -> Bool {
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil,
            let state = try? state().lockState
        else { return false }
        return state == .locked || state == .beforeFirstUnlock
    }

    private var lockedError: CommandError {
        .keychain(
            KeychainError(
                relaying: .interactionNotAllowed, lockedSentence, subject: nil, code: nil, retryAfter: nil))
    }

    private func askToUnlock() throws(CommandError) {
        let name = PlainText.shown(KeychainNames.name(of: place))
        do throws(CommandError) {
            try PasscodeInput.using(nil, "The keychain \(name) is locked.") { (passcode) throws(CommandError) in
                _ = try perform(.unlock(passcode))
            }
        } catch {
            // A wrong passcode is reported as such; without an answer the keychain counts as locked.
            if case .keychain(let cause) = error, cause.reason == .authenticationFailed { throw error }
            throw lockedError
        }
        Tool.say(
            hasDaemon
                ? "unlocked; `llavero lock\(option)` locks it again"
                : "unlocked for this command only; `\(unlockCommand)` keeps it unlocked")
    }
}

/// Commands about this keychain for messages; they name the keychain unless it is the usual one.
extension ToolKeychain {
    /// The command of the current tool that unlocks it.
    package var unlockCommand: String {
        if Tool.name == "security" {
            let isStandard = (try? KeychainPreferences(of: .current()).standard) == place
            return "security unlock-keychain"
                + (isStandard ? "" : " " + ShellWord.quoted(KeychainNames.name(of: place)))
        }
        return "llavero unlock" + option
    }

    /// ` --keychain NAME`; empty for the keychain `login` where that is the default one: commands are pasted elsewhere, too.
    package var option: String {
        let name = KeychainNames.name(of: place)
        let standard = (try? KeychainPreferences(of: .current()).standard) ?? (try? Place.named(by: .current()))
        if name == Place.usualName, place == standard { return "" }
        return " --keychain \(ShellWord.quoted(name))"
    }

    /// Whether its first item or passcode makes it, as it does the one that programs use which name none.
    package var beginsByItself: Bool { place == (try? Place.named(by: .current())) }

    /// What makes it, as the rest of a sentence.
    package var beginning: String {
        beginsByItself ? "the first item or passcode creates it" : "`\(creationCommand)` creates it"
    }

    /// What is said where the environment names it and it is not there, for the name may be mistyped; nil for any other.
    package var namedInVain: String? {
        guard case .folder(_, let name) = place, !name.hasSameBytes(as: Place.usualName),
            let preferences = try? KeychainPreferences(of: .current()), preferences.isNamed,
            preferences.standard == place, let isThere = try? isThere, !isThere
        else { return nil }
        return
            "LLAVERO_KEYCHAIN names the keychain \(PlainText.shown(name)), which does not exist; `\(creationCommand)` creates it"
    }

    package var creationCommand: String {
        let name = ShellWord.quoted(KeychainNames.name(of: place))
        return Tool.name == "security" ? "security create-keychain \(name)" : "llavero keychains create \(name)"
    }

    package var lockedSentence: String { "the keychain is locked; `\(unlockCommand)` unlocks it" }

    /// The command that moves it out of the way, so that a new one can be created.
    package var setAsideCommand: String {
        "llavero keychains set-aside \(ShellWord.quoted(KeychainNames.name(of: place)))"
    }

    /// The commands that begin anew where nothing opens the keychain any more; `quote` stands around each.
    package func startingOver(_ quote: String = "`") -> String {
        "\(quote)\(setAsideCommand)\(quote) moves the keychain away, and \(quote)llavero restore FILE\(option)\(quote) makes a new one of a backup"
    }

    /// What to do about a forgotten passcode.
    package func forgottenAdvice(hasRecoveryKey: Bool, _ quote: String = "`") -> String {
        "if it is forgotten, "
            + (hasRecoveryKey
                ? "\(quote)llavero recovery use\(option)\(quote) sets a new one"
                : "nothing else opens the keychain, and its items are lost: \(startingOver(quote))")
    }

    /// The same text with the keychain's name in its commands: what opened the keychain does not know what it is called.
    private func naming(_ text: String) -> String {
        guard !option.isEmpty else { return text }
        return ["llavero repair", "llavero check", "llavero recovery use"].reduce(text) { text, command in
            text.replacing("`\(command)`", with: "`\(command)\(option)`")
        }
    }

    /// Its state for advice on an error; nil where it fails, too, as it may for the same reason, and without end.
    private var plainState: KeychainState? {
        let answer = try? ForkGate.operation { () throws(KeychainError) in try host.session().perform(.state) }
        guard case .state(let state)? = answer else { return nil }
        return state
    }

    /// Adds to an error what to do about it, where that depends on the keychain.
    func advising(_ error: KeychainError) -> KeychainError {
        var advice: String?
        if error.reason == .notAvailable, let loss = host.deviceLoss(), loss.hindrance == nil, !loss.hasRecoveryKey {
            advice = "to start over, \(startingOver())"
        }
        // What vanished is another error, with an advice of its own; a name that the person gave may be mistyped.
        if error.reason == .noSuchKeychain, error.subject == place.path,
            place == (try? KeychainPreferences(of: .current()).standard)
        {
            let other = Tool.name == "security" ? "security default-keychain -s NAME" : "llavero keychains default NAME"
            advice = "`\(creationCommand)` creates it, and `\(other)` chooses another default keychain"
        }
        // It alone names neither a file nor a chip.
        if error.reason == .notAvailable, error.subject == nil, let state = plainState, state.attempts.isErased,
            !state.hasRecoveryKey
        {
            advice = "to start over, \(startingOver())"
        }
        // Only behind the attempts that are free: until then it was mistyped.
        if Tool.name == "llavero", error.reason == .authenticationFailed, error.retryAfter != nil,
            let state = plainState
        {
            advice = forgottenAdvice(hasRecoveryKey: state.hasRecoveryKey)
        }
        let text = naming(error.text)
        if let advice {
            return KeychainError(
                relaying: error.reason, "\(text); \(advice)", subject: error.subject, code: error.code,
                retryAfter: error.retryAfter)
        }
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil
        else {
            guard text != error.text else { return error }
            return KeychainError(
                relaying: error.reason, text, subject: error.subject, code: error.code, retryAfter: error.retryAfter)
        }
        return KeychainError(
            relaying: error.reason, lockedSentence, subject: nil, code: nil, retryAfter: error.retryAfter)
    }
}

/// The access groups that a tool works with.
package enum ItemOwners: Sendable {
    /// The tools' own group first, then the group of programs that declare none.
    case person
    /// The same in the other order: new items go to programs that declare no group.
    case programs
    /// All groups. A daemon shows them only to programs that its rules allow.
    case everybody

    /// New items go to the first one.
    fileprivate var groups: [AccessGroup] {
        if case .programs = self { [.open, .passwords] } else { [.passwords, .open] }
    }

    fileprivate func caller(_ own: Caller) -> Caller {
        var caller = Caller(
            groups: groups, seesEveryGroup: self == .everybody, administersKeys: own.administersKeys,
            program: own.program)
        caller.terminal = own.terminal
        return caller
    }
}

/// Display names of keychains: the name for those in the usual folder, the path for others.
package enum KeychainNames {
    package static func name(of place: Place) -> String {
        guard case .folder(let root, let name) = place else { return "memory" }
        guard let usual = try? Place.root(named: .current()), usual == root else { return "\(root)/\(name)" }
        return name
    }
}
