// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest

/// The keychains that this daemon has: the one of its user, or one for each user of the system.
final class Keychains: Sendable {
    let served: UserKeychains
    /// Whether what it took over is given back when it ends.
    private let givesBack: Bool
    /// What it took over, whether it is open now or not.
    private let taken: ForkSafeMutex<Set<Place>>

    /// The one of its user is taken over at once; the system's are opened when their users' programs come.
    ///
    /// A user's daemon asks that user by itself, the system's has agents ask.
    ///
    /// A daemon whose socket is the service manager's `isStartedAgain` by the next program that comes. Nobody starts another
    /// one: so a user's daemon that is told to end gives its keychains back.
    init(
        _ options: Options, _ book: RuleBook, _ agents: PromptAgents, isStartedAgain: Bool
    ) throws(KeychainError) {
        // An agent gives each one back when it closes it.
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
        self.taken = taken
        served = UserKeychains(quota: quota) { (user, address) throws(KeychainError) in
            try Keychains.place(address, of: user, options)
        } _: { (user, place, makesIt) throws(KeychainError) in
            let isUsual = try place == Keychains.place(.usual, of: user, options)
            let host = try DaemonHost.takeOver(place, authenticators, work: work, makesItself: makesIt)
            do throws(KeychainError) {
                // One that was closed for a while is no news.
                if taken.withLock({ $0.insert(place).inserted }) {
                    try Keychains.tellOfUncovered(host, book, isClosed: options.isClosed)
                }
                let audit = try DaemonAudit.open(host, isRequired: options.requiresAudit || options.isOfSystem)
                if isUsual, let credential = options.credential {
                    Unlocking.unlock(
                        host, withCredential: options.isOfSystem ? "\(credential).\(user)" : credential, of: user)
                }
                // What an agent has is its own only as long as it has it open: nobody starts the next one by itself.
                return UserKeychain(host, audit: audit, isGivenBack: options.isAgent)
            } catch {
                // One that cannot be used, as without its device key, is not kept from those who mend it.
                if options.isAgent { try? host.engine().giveBack() }
                host.end()
                throw error
            }
        }
        if !options.isOfSystem, !options.isAgent { _ = try served.keychain(.usual, of: geteuid(), makesIt: true) }
    }

    /// The end of the daemon: programs open the keychains themselves again that are given back.
    func close() {
        for (_, keychain) in served.opened { keychain.end() }
        guard givesBack else { return }
        for place in taken.withLock({ $0 }) where (try? place.exists) ?? true {
            do throws(KeychainError) { try DaemonHost.giveBack(place) } catch {
                Llaverod.say("a keychain cannot be given back: \(error.description); llaverod --give-back does it")
            }
        }
    }

    /// Says which items were somebody's as long as programs opened the keychain themselves, and are nobody's now.
    private static func tellOfUncovered(
        _ host: EmbeddedHost, _ book: RuleBook, isClosed: Bool
    ) throws(KeychainError) {
        let groups = book.uncovered(among: try host.engine().groupsInUse(), isClosed: isClosed)
        if groups.isEmpty { return }
        Llaverod.say("no entitlement file gives a program these groups, in which there are items:")
        for group in groups { Llaverod.say("  \(group.shown(bytes: 300))") }
    }

    /// Where the keychain is that one of a user's programs means; other folders only in the user's own daemon, which can
    /// read no others than the user.
    private static func place(
        _ address: KeychainAddress, of user: UInt32, _ options: Options
    ) throws(KeychainError) -> Place {
        guard options.isOfSystem else { return try Place(address, beside: try DaemonHost.place(root: options.root)) }
        if case .folder = address {
            throw KeychainError(
                .noSuchKeychain, "the system's daemon has no keychains in folders of its users; give it a name")
        }
        return try Place(
            address, beside: .folder(root: "\(options.root ?? "/var/lib/llavero")/\(user)", name: "login"))
    }
}

/// The log that the daemon keeps beside its keychain.
enum DaemonAudit {
    /// Opens it, and records that the daemon begins.
    ///
    /// Where recording is not required, one that cannot be written is told of and tried again.
    static func open(_ keychain: EmbeddedHost, isRequired: Bool) throws(KeychainError) -> AuditLog? {
        guard let folder = keychain.folder else { return nil }
        let secret = try keychain.engine().auditKey()
        do throws(AuditError) {
            let log = AuditLog(
                folder: folder + "/audit", key: try AuditKey(secret), policy: isRequired ? .required : .bestEffort,
                clock: ProcessHost.systemClock)
            do throws(AuditError) { try log.open() } catch {
                if isRequired { throw error }
                Llaverod.say("the audit log cannot be written for now: \(error)")
            }
            try log.record(AuditEntry(.start, by: nil))
            return log
        } catch {
            throw KeychainError(.notAvailable, "the audit log cannot be written", code: error.number)
        }
    }
}

/// Unlocks the keychain when the daemon starts, and nobody is there.
enum Unlocking {
    /// Tries once, and counts as any other try.
    ///
    /// What fails leaves a locked keychain, which is served all the same.
    static func unlock(_ keychain: EmbeddedHost, withCredential name: String, of user: UInt32) {
        do throws(KeychainError) {
            let passcode = try PasscodeSource.credential(named: name)
            try keychain.engine().unlock(with: passcode, WorkOrder(user: user) { true })
        } catch { Llaverod.say("the keychain stays locked: \(error.description)") }
    }
}

/// Locks the keychain when its user's session is locked, and before the machine sleeps.
enum SessionLock {
    /// The sessions of one user, or of everybody.
    static func watch(_ keychains: Keychains, of user: UInt32?, bus: String) -> SessionEvents {
        SessionEvents(user: user, bus: bus, report: tell) { event in
            // An unlocked session has shown us no passcode.
            guard event.kind != .unlock else { return }
            keychains.served.lockWithSessions(of: event.user) { error in
                Llaverod.say("the session was locked, and the keychain could not be: \(error.description)")
            }
        }
    }

    private static func tell(_ watch: SessionWatch) {
        switch watch {
        case .watching(delaysSleep: true): return
        case .watching(delaysSleep: false):
            Llaverod.say("logind does not let the daemon delay sleep: the keychain may be locked only after waking up")
        case .noLogind: Llaverod.say("there is no logind: the keychain is not locked together with sessions")
        case .noBus: Llaverod.say("there is no system bus: the keychain is not locked together with sessions")
        }
    }
}
