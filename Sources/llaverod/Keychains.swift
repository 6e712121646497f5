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

    /// The one of its user is taken over at once; the system's are opened when their users' programs come.
    init(_ options: Options, _ book: RuleBook) throws(KeychainError) {
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged, terminal: "")
        let authenticators = Authenticators.atSeats(surroundings)
        let work = CostlyWork.ofDaemon(isShared: options.isOfSystem)
        let told = ForkSafeMutex<Set<Place>>([])
        let quota = options.isOfSystem ? options.quota : nil
        served = UserKeychains(quota: quota) { (user, address) throws(KeychainError) in
            try Keychains.place(address, of: user, options)
        } _: { (user, place, makesIt) throws(KeychainError) in
            let isUsual = try place == Keychains.place(.usual, of: user, options)
            let host = try DaemonHost.takeOver(place, authenticators, work: work, makesItself: makesIt)
            do throws(KeychainError) {
                // One that was closed for a while is no news.
                if told.withLock({ $0.insert(place).inserted }) {
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

    /// Programs open what an agent had themselves again, until somebody starts the next one.
    func close() { for (_, keychain) in served.opened { keychain.end() } }

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
