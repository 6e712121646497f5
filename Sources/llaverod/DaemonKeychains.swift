// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

/// The keychains that this daemon serves: its user's, or one for each user of the system.
final class DaemonKeychains: Sendable {
    let served: UserKeychains
    /// Whether the daemon gives its keychains back when it ends.
    private let givesBack: Bool
    /// The keychains that it took over, open or not.
    private let taken: ForkSafeMutex<Set<Place>>

    /// A user's daemon takes its keychain over at once, where there is one; the system's daemon opens a keychain when a program of
    /// its user connects.
    ///
    /// A user's daemon shows prompts itself; the system's daemon sends them to agents.
    ///
    /// A daemon whose socket belongs to the service manager `isStartedAgain` by the next connection. Any other user's daemon is not,
    /// so it gives its keychains back when it is told to end.
    init(
        _ options: DaemonOptions, _ book: RuleBook, _ agents: PromptAgents, isStartedAgain: Bool
    ) throws(KeychainError) {
        // An agent gives each keychain back when it closes it.
        givesBack = !options.isOfSystem && !options.isAgent && !isStartedAgain
        let authenticators =
            options.isOfSystem
            ? Authenticators.throughAgents(agents)
            : .atSeats(
                PromptEnvironment(
                    variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged, terminal: ""))
        let work = CostlyWork.ofDaemon(isShared: options.isOfSystem)
        let quota = options.isOfSystem ? options.quota : nil
        let taken = ForkSafeMutex<Set<Place>>([])
        let troubles = ForkSafeMutex<[Place: String]>([:])
        self.taken = taken
        served = UserKeychains(quota: quota) { (user, address) throws(KeychainError) in
            try DaemonKeychains.place(address, of: user, options)
        } _: { (user, place, makesIt) throws(KeychainError) in
            let isUsual = try place == DaemonKeychains.place(.usual, of: user, options)
            let host = try DaemonKeychains.reporting(at: place, troubles) { () throws(KeychainError) in
                try DaemonHost.takeOver(place, authenticators, work: work, makesItself: makesIt)
            }
            do throws(KeychainError) {
                // A keychain that was only closed for a while was reported before.
                if taken.withLock({ $0.insert(place).inserted }) {
                    try DaemonKeychains.tellOfUncovered(host, book, isClosed: options.isClosed)
                }
                let audit = try DaemonKeychains.reporting(at: place, troubles) { () throws(KeychainError) in
                    try DaemonAudit.open(host, isRequired: options.requiresAudit)
                }
                var machine: MachineUnlock?
                if isUsual, let credential = options.credential {
                    let name = options.isOfSystem ? "\(credential).\(user)" : credential
                    machine = MachineUnlock { CredentialUnlock.unlock(host, withCredential: name, of: user) }
                }
                // An agent keeps a keychain only while it is open: no service manager starts the next agent.
                return UserKeychain(host, audit: audit, isGivenBack: options.isAgent, machine: machine)
            } catch {
                // A keychain that cannot be used, as without its device key, stays free for the tools that repair it.
                if options.isAgent { try? host.engine().giveBack() }
                host.end()
                throw error
            }
        }
        guard !options.isOfSystem, !options.isAgent else { return }
        do throws(KeychainError) { _ = try served.keychain(.usual, of: geteuid(), makesIt: false) } catch {
            switch error.reason {
            // Nobody has put anything into one yet: an empty one would hide what its user has with the system's daemon.
            case .noSuchKeychain: return
            // One whose folder is gone may come back, and each program that wants it is told.
            case .vanishedKeychain: Llaverod.say(error.description)
            default: throw error
            }
        }
    }

    /// Says why a keychain cannot be opened: once, until that changes, however many programs ask.
    private static func reporting<Value>(
        at place: Place, _ troubles: borrowing ForkSafeMutex<[Place: String]>,
        _ body: () throws(KeychainError) -> Value
    ) throws(KeychainError) -> Value {
        do throws(KeychainError) { return try body() } catch {
            // One that nobody made yet is no trouble.
            if error.reason != .noSuchKeychain {
                let text = error.description
                let isNew = troubles.withLock { $0.updateValue(text, forKey: place) != text }
                if isNew { Llaverod.say("the keychain \(place.path ?? "in memory") cannot be opened: \(text)") }
            }
            throw error
        }
    }

    /// Closes all keychains when the daemon ends; programs open those given back themselves again.
    func close() {
        for (_, keychain) in served.opened { keychain.end() }
        guard givesBack else { return }
        for place in taken.withLock({ $0 }) where (try? place.exists) ?? true {
            do throws(KeychainError) { try DaemonHost.giveBack(place) } catch {
                Llaverod.say("cannot give a keychain back: \(error.description); run `llaverod --give-back`")
            }
        }
    }

    /// Reports access groups that have items and that no program may use while this daemon serves the keychain.
    private static func tellOfUncovered(
        _ host: EmbeddedHost, _ book: RuleBook, isClosed: Bool
    ) throws(KeychainError) {
        let groups = book.uncovered(among: try host.engine().groupsInUse(), isClosed: isClosed)
        if groups.isEmpty { return }
        Llaverod.say("no entitlement file grants these access groups, which have items:")
        for group in groups { Llaverod.say("  \(group.shown(bytes: 300))") }
    }

    /// The place of the keychain that a user's program names; other folders only in the user's own daemon, which can read
    /// nothing that the user cannot.
    private static func place(
        _ address: KeychainAddress, of user: UInt32, _ options: DaemonOptions
    ) throws(KeychainError) -> Place {
        guard options.isOfSystem else { return try Place(address, beside: try DaemonHost.place(root: options.root)) }
        if case .folder = address {
            throw KeychainError(
                .noSuchKeychain,
                "the system's daemon opens no keychains in its users' folders; use a keychain name instead of a path")
        }
        return try Place(
            address, beside: .folder(root: "\(options.root ?? DaemonSocket.systemStore)/\(user)", name: "login"))
    }
}

/// The log that the daemon keeps beside its keychain.
enum DaemonAudit {
    /// Opens it, and records that the daemon begins.
    ///
    /// Where recording is not required, a log that cannot be written is reported and tried again.
    static func open(_ keychain: EmbeddedHost, isRequired: Bool) throws(KeychainError) -> AuditLog? {
        guard let folder = keychain.folder else { return nil }
        let secret = try keychain.engine().auditKey()
        do throws(AuditError) {
            let log = AuditLog(
                folder: folder + "/audit", key: try AuditKey(secret), policy: isRequired ? .required : .bestEffort,
                clock: ProcessHost.systemClock)
            do throws(AuditError) { try log.open() } catch {
                if isRequired { throw error }
                Llaverod.say("the audit log cannot be written now: \(error); the daemon tries again")
            }
            try log.record(AuditEntry(.start, by: nil))
            return log
        } catch {
            if [.system(ENOSPC), .system(EDQUOT)].contains(error) {
                throw KeychainError(
                    .notAvailable, "the audit log cannot be written, for its disk is full: free some space",
                    subject: folder,
                    code: error.number)
            }
            throw KeychainError(.notAvailable, "the audit log cannot be written", subject: folder, code: error.number)
        }
    }
}

/// Unlocks the keychain when the daemon starts, with a passcode from a credential.
enum CredentialUnlock {
    /// Tries once, and says what came of it; the attempt counts like any other.
    ///
    /// After a failure the daemon serves the keychain locked.
    static func unlock(
        _ keychain: EmbeddedHost, withCredential name: String, of user: UInt32
    ) -> MachineUnlock.Outcome {
        do throws(KeychainError) {
            let engine = try keychain.engine()
            guard try engine.lockState() != .noPasscode else {
                // Of many users of the system's daemon few have one.
                if (try? PasscodeSource.credential(named: name)) != nil {
                    Llaverod.say(
                        "the keychain of the user \(user) has no passcode, so the credential \(name) unlocks nothing")
                }
                return .failed
            }
            let passcode = try PasscodeSource.credential(named: name)
            // A wrong one that begins a delay is not tried again: after some of them the keys are erased.
            let wait = try engine.state().attempts.wait
            guard wait == 0 else {
                Llaverod.say(
                    "the keychain of the user \(user) stays locked for \(wait) seconds, for somebody had guessed: \(name) is tried by the first call after that"
                )
                return .delayed(seconds: wait)
            }
            try engine.unlock(with: passcode, WorkOrder(user: user) { true })
            return .unlocked
        } catch {
            Llaverod.say("the keychain of the user \(user) stays locked: \(error.description)")
            return .failed
        }
    }
}

/// Locks the keychain when its user's session is locked, when the last one ends, and before the machine sleeps.
enum SessionLock {
    /// The sessions of one user, or of all users.
    static func watch(_ keychains: DaemonKeychains, of user: UInt32?, bus: String) -> SessionEvents {
        SessionEvents(user: user, bus: bus, report: tell) { event in
            // Unlocking a session gives the daemon no passcode.
            guard event.kind != .unlock else { return }
            // No session is behind what a credential unlocked: neither its end nor what nobody heard of says anything of that.
            let sparesMachines = event.kind == .end || event.kind == .absence
            let count = keychains.served.lockWithSessions(of: event.user, sparesMachines: sparesMachines) { error in
                Llaverod.say("\(cause(event.kind)), but the keychain could not be locked: \(error.description)")
            }
            if event.kind == .absence, count > 0 { tellOfAbsence(count) }
        }
    }

    private static func cause(_ kind: SessionEvent.Kind) -> String {
        switch kind {
        case .lock, .unlock: "the session was locked"
        case .absence: "logind was away"
        case .end: "the session ended"
        case .sleep: "the machine is about to sleep"
        }
    }

    private static func tellOfAbsence(_ count: Int) {
        let what = count == 1 ? "the keychain is" : "\(count) keychains are"
        Llaverod.say(
            "logind was away, and nobody could say meanwhile that a session was locked: \(what) locked; `llavero unlock` unlocks, and `llavero settings --lock-with-session no` keeps a keychain unlocked the next time"
        )
    }

    private static func tell(_ watch: SessionWatch) {
        switch watch {
        case .watching(let delaysSleep, let seesEnds):
            if !delaysSleep {
                Llaverod.say("logind does not allow delaying sleep: the keychain may be locked only after waking up")
            }
            if !seesEnds {
                Llaverod.say(
                    "/run/systemd/sessions cannot be watched (it is missing, or the user has no inotify watches left: sysctl fs.inotify): the end of a session in which something still runs locks the keychain up to a minute late"
                )
            }
        case .noLogind: Llaverod.say("logind is not available: the keychain is not locked with sessions")
        case .noBus: Llaverod.say("the system bus is not available: the keychain is not locked with sessions")
        }
    }
}
