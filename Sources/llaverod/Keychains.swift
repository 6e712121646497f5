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
    init(_ options: Options) throws(KeychainError) {
        let hosts = ForkSafeMutex<[UInt32: EmbeddedHost]>([:])
        self.hosts = hosts
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged, terminal: "")
        let authenticators = Authenticators.atSeats(surroundings)
        served = UserKeychains { (user) throws(KeychainError) in
            let host = try DaemonHost.takeOver(try Keychains.place(of: user, options), authenticators)
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

    private static func place(of user: UInt32, _ options: Options) throws(KeychainError) -> Place {
        guard options.isOfSystem else { return try DaemonHost.place(root: options.root) }
        return .folder(root: "\(options.root ?? "/var/lib/llavero")/\(user)", name: "login")
    }
}
