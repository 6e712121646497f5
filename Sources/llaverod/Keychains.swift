// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel

/// The keychains that this daemon has: the one of its user, or one for each user of the system.
final class Keychains: Sendable {
    let served: UserKeychains
    private let hosts: ForkSafeMutex<[UInt32: EmbeddedHost]>

    /// The one of its user is taken over at once; the system's are opened when their users' programs come.
    init(_ options: Options, _ book: RuleBook) throws(KeychainError) {
        let hosts = ForkSafeMutex<[UInt32: EmbeddedHost]>([:])
        self.hosts = hosts
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged, terminal: "")
        let authenticators = Authenticators.atSeats(surroundings)
        served = UserKeychains { (user) throws(KeychainError) in
            let host = try DaemonHost.takeOver(try Keychains.place(of: user, options), authenticators)
            try Keychains.tellOfUncovered(host, book, isClosed: options.isClosed)
            let audit = try DaemonAudit.open(host, isRequired: options.requiresAudit || options.isOfSystem)
            if let credential = options.credential {
                Unlocking.unlock(host, withCredential: options.isOfSystem ? "\(credential).\(user)" : credential)
            }
            hosts.withLock { $0[user] = host }
            return UserKeychain(host, audit: audit)
        }
        if !options.isOfSystem { _ = try served.keychain(of: geteuid()) }
    }

    /// The engines of the open keychains of one user, or of all.
    func engines(of user: UInt32?) -> [KeychainEngine] {
        let asked = hosts.withLock { hosts in hosts.filter { user == nil || $0.key == user }.map(\.value) }
        return asked.compactMap { try? $0.engine() }
    }

    func close() {
        for (_, keychain) in served.opened { DaemonAudit.close(keychain.audit) }
        for host in hosts.withLock({ Array($0.values) }) {
            host.forgetKeys()
            host.closeIdle()
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

    private static func place(of user: UInt32, _ options: Options) throws(KeychainError) -> Place {
        guard options.isOfSystem else { return try DaemonHost.place(root: options.root) }
        return .folder(root: "\(options.root ?? "/var/lib/llavero")/\(user)", name: "login")
    }
}
