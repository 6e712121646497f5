// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainEngine
package import KeychainModel
package import KeychainRequest

/// The keychain that the verbs are about: the daemon's where one runs, else the one that this process opens.
package struct ToolKeychain {
    package let host: HandoverHost
    /// Whether a daemon has the keychain, as far as it is known by now.
    package var hasDaemon: Bool { host.hasDaemon }

    /// The keychain that the environment names.
    package init() throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host() }
    }

    /// Another one, by its place.
    package init(at place: Place) throws(CommandError) {
        try self.init { () throws(KeychainError) in try ProcessHost.host(at: place) }
    }

    /// The one that `text` names, as people and scripts write keychains; nil stands for the usual one.
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
        ProcessHost.revive(by: DaemonRestart.revive)
        self.host = try ToolKeychain.translating(host)
    }

    /// Where it is.
    package var place: Place { host.embedded.place }

    /// The folder of its files; nil where the daemon has them, and in memory.
    package var folder: String? { hasDaemon ? nil : host.embedded.folder }

    /// Where its files are, also those that a daemon has; nil in memory, and where the daemon's keychain of that name is not
    /// the one that lies there.
    package var location: String? {
        guard hasDaemon else { return host.embedded.folder }
        return host.embedded.isHandedOver ? host.embedded.folder : nil
    }

    /// Whether there is one; asking it anything else might make it.
    package var isThere: Bool {
        get throws(CommandError) {
            try ToolKeychain.translating { () throws(KeychainError) in try host.isThere }
        }
    }

    package func requireThere() throws(CommandError) {
        if try isThere { return }
        throw .failure("there is no keychain yet in \(folder ?? "memory"); the first item or passcode makes it")
    }

    package func state() throws(CommandError) -> KeychainState {
        guard case .state(let state) = try perform(.state) else { throw ToolKeychain.otherReply }
        return state
    }

    @discardableResult
    package func perform(_ request: KeybagRequest) throws(CommandError) -> KeybagReply {
        try answering { () throws(KeychainError) in
            let keychain = try host.connection()
            return try keychain.keybag.perform(request, from: keychain.caller)
        }
    }

    /// Removes the keychain with everything in it; `preferences` are the caller's to mend.
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

    /// What the keychain refuses, in the words of the tools.
    package static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw CommandError(error) }
    }

    package static let otherReply = CommandError.failure("the keychain answered something else than was asked")
}

/// Items, for the verbs.
///
/// Where this process opens the keychain itself it says who it is; a daemon knows, whatever is said here.
extension ToolKeychain {
    /// What is there; nothing is no error here.
    package func match(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        do throws(CommandError) {
            return try unlocking { () throws(KeychainError) in
                try connected(owners) { (keychain, caller) throws(KeychainError) in
                    try keychain.service.match(request, from: caller)
                }
            }
        } catch {
            if case .keychain(let cause) = error, cause.reason == .itemNotFound { return [] }
            throw error
        }
    }

    /// The same with what matches and cannot be read.
    package func matchWithDamaged(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        try match(
            MatchRequest(
                predicate: request.predicate, returning: request.returning.union(.damaged), limit: request.limit),
            of: owners)
    }

    /// Adds an item; where it names no group, to the first one of its owners.
    @discardableResult
    package func add(_ request: AddRequest, of owners: ItemOwners) throws(CommandError) -> FoundItem? {
        var request = request
        if request.group == .everyGroupOfCaller { request.group = .named(owners.groups[0].name) }
        return try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.add(request, from: caller)
            }
        }
    }

    package func update(_ request: UpdateRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.update(request, from: caller)
            }
        }
    }

    package func delete(_ request: DeleteRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.delete(request, from: caller)
            }
        }
    }

    /// Everything else that whoever has the keychain can do.
    package func connected<Result>(
        _ owners: ItemOwners, _ body: (KeychainConnection, Caller) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let keychain = try host.connection()
        return try body(keychain, owners.caller(keychain.caller))
    }
}

/// What `llavero` does about a keychain that is locked: where a person looks on it asks for the passcode, as `security` does.
///
/// A person looks on where standard error is a terminal: completion, scripts and what runs in the background are not to wait for
/// somebody.
extension ToolKeychain {
    func unlocking<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch {
            guard Tool.name == "llavero", Screen.complaints.isTerminal, wantsUnlock(error) else {
                throw CommandError(advising(error))
            }
        }
        try askToUnlock()
        return try answering(body)
    }

    /// What the keychain refuses, in the words of the tools.
    func answering<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw CommandError(advising(error)) }
    }

    private func wantsUnlock(_ error: KeychainError) -> Bool {
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil,
            let state = try? state().lockState
        else { return false }
        return state == .locked || state == .beforeFirstUnlock
    }

    private func askToUnlock() throws(CommandError) {
        let name = PlainText.shown(KeychainNames.name(of: place))
        do throws(CommandError) {
            try PasscodeInput.using(nil, "The keychain \(name) is locked.") { (passcode) throws(CommandError) in
                _ = try perform(.unlock(passcode))
            }
        } catch {
            // Who was asked and typed something wrong is told that; who typed nothing has a locked keychain.
            if case .keychain(let cause) = error, cause.reason == .authenticationFailed { throw error }
            throw .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, lockedSentence, subject: nil, code: nil, retryAfter: nil))
        }
        if !hasDaemon { Tool.say("it is unlocked for this command alone; `\(unlockCommand)` keeps it unlocked") }
    }
}

/// What people are told to type about this keychain, which they may not know to be another than the usual one.
extension ToolKeychain {
    /// What unlocks it, by the tool that they use.
    package var unlockCommand: String {
        if Tool.name == "security" {
            let isStandard = (try? KeychainPreferences(of: .current()).standard) == place
            return "security unlock-keychain"
                + (isStandard ? "" : " " + ShellWord.quoted(KeychainNames.name(of: place)))
        }
        return "llavero unlock" + option
    }

    /// ` --keychain NAME`; nothing of the one that verbs are about which are given none.
    package var option: String {
        let name = KeychainNames.name(of: place)
        if name == Place.usualName, place == (try? Place.named(by: .current())) { return "" }
        return " --keychain \(ShellWord.quoted(name))"
    }

    package var lockedSentence: String { "the keychain is locked; `\(unlockCommand)` unlocks it" }

    /// What moves it out of the way, so that a new one can be made.
    package var setAsideCommand: String {
        "llavero keychains set-aside \(ShellWord.quoted(KeychainNames.name(of: place)))"
    }

    /// Of a key that is not there, what to do instead of which one it is.
    func advising(_ error: KeychainError) -> KeychainError {
        if error.reason == .notAvailable, let loss = host.deviceLoss(), !loss.isExposed, !loss.hasRecoveryKey {
            return KeychainError(
                relaying: error.reason, "\(error.text); to begin anew: `\(setAsideCommand)`", subject: error.subject,
                code: error.code, retryAfter: error.retryAfter)
        }
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil
        else { return error }
        return KeychainError(
            relaying: error.reason, lockedSentence, subject: nil, code: nil, retryAfter: error.retryAfter)
    }
}

/// Whose items a tool is about.
package enum ItemOwners: Sendable {
    /// What people keep with the tools, first, and what programs keep that declare nothing.
    case person
    /// The same in the other order: new items are for programs that declare nothing.
    case programs
    /// Everybody's. A daemon lets only those see them whom its rules let.
    case everybody

    /// The first is where new items go.
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

/// What keychains are called: those beside each other by their name alone, others by their path.
package enum KeychainNames {
    package static func name(of place: Place) -> String {
        guard case .folder(let root, let name) = place else { return "memory" }
        guard let usual = try? Place.root(named: .current()), usual == root else { return "\(root)/\(name)" }
        return name
    }
}
