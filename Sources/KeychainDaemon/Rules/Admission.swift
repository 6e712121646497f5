// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest

/// Whom a daemon is there for.
package enum Audience: Sendable {
    /// One user's programs: these could read the files themselves, so each may administer the keys.
    case user(UInt32)
    /// An administrator, as the user of the system's daemon, whose files all keychains are: each program has all groups.
    case administrator(UInt32)
    /// Every user's, each with a keychain of its own that only the daemon can read.
    case everybody

    /// Whether what the daemon has is its programs' anyway, so that rules only keep order among them.
    var guardsNothing: Bool { user != nil }

    /// The one whose programs alone are served.
    var user: UInt32? {
        switch self {
        case .user(let user), .administrator(let user): user
        case .everybody: nil
        }
    }
}

extension DaemonRules {
    /// The rules for programs as the book says of them.
    ///
    /// A program that it does not know is in the group of all such programs, or in none when `isClosed`.
    package static func of(
        _ audience: Audience, _ book: RuleBook, isClosed: Bool, agents: PromptAgents? = nil
    ) -> DaemonRules {
        let policy = IdentityPolicy(opensToUnlisted: !isClosed, guardsNothing: audience.guardsNothing)
        let digests = ImageDigests()
        let admit: @Sendable (Peer) -> AdmittedProgram? = { peer in
            if let user = audience.user, peer.process.user != user { return nil }
            let edition = book.edition
            let identifier = ProgramIdentifier(
                table: edition.entitlements, signers: edition.signers, policy: policy, digests: digests)
            guard let identity = try? identifier.identify(peer) else { return nil }
            // In namespaces of its own a program chooses what its path says.
            let image = peer.evidence.namespaces == .same ? peer.evidence.image?.path : nil
            var caller = audience.program(identity.granted).caller(program: image)
            caller.lack = identity.lack
            caller.lackOfAdministration = identity.lackOfAdministration
            let admitted = caller
            // Who has users of its own could be any number of them to us, each with its share.
            let isElsewhere =
                !audience.guardsNothing && peer.evidence.namespaces == .other && identity.granted == .nothing
            let isServedAnyway = audience.guardsNothing || edition.namesUnit(in: identity.file)
            let refusal: String? =
                isElsewhere
                ? identity.explanation : isServedAnyway ? nil : DynamicUser.refusal(of: peer.process.user)
            let isOpen = identity.granted == .open
            let tools = isOpen ? [AccessGroup.passwords, .secretService] : []
            let reservations = edition.reservations(
                among: tools, isElsewhere: peer.evidence.namespaces == .other)
            return AdmittedProgram(
                level: identity.level, image: image, unit: identity.unit, explanation: identity.explanation,
                edition: edition.number,
                claimable: tools.filter { reservations[$0] == nil }, reservations: reservations,
                mayClaimSynchronization: audience.guardsNothing && isOpen,
                answersQuestions: identity.granted.answersQuestions,
                refusal: refusal.map {
                    KeychainError(relaying: .missingEntitlement, $0, subject: nil, code: nil, retryAfter: nil)
                }
            ) { admitted }
        }
        var limits = DaemonLimits()
        if audience.guardsNothing { limits.largeMessagesOfUser = limits.largeMessages }
        return DaemonRules(
            limits: limits, agents: agents, mayHide: audience.guardsNothing, edition: { book.edition.number },
            isStillKnown: { policy.stillHolds($1.level, for: $0) }, admit: admit)
    }
}

extension RuleBook.Edition {
    /// Of these groups of the tools', those that a file gives to another program and so takes from them; what to say of each.
    ///
    /// A service of the system's that may use people's passwords, too, is a program more that has the group. Nobody who could
    /// call the tools is kept from it for that.
    ///
    /// Of one in namespaces of its own (`isElsewhere`) no file can be about.
    fileprivate func reservations(among groups: [AccessGroup], isElsewhere: Bool) -> [AccessGroup: String] {
        var reservations: [AccessGroup: String] = [:]
        for group in groups {
            let rule = entitlements.rules.first { $0.match.unit == nil && $0.granted.names.contains(group.name) }
            guard let rule else { continue }
            reservations[group] =
                isElsewhere
                ? "\(rule.file) gives \(group.name) to programs that it names, and this one runs in a container or in namespaces of its own, as those do that rootless podman starts; there nothing tells which program it is; a file that names its unit of the system's gives it the group (Docs/Daemon.md)"
                : "\(rule.file) gives \(group.name) to another program; a tool has it then only where an entitlement file gives it to the tool, too"
        }
        return reservations
    }

    /// Whether the file is about a unit.
    fileprivate func namesUnit(in file: String?) -> Bool {
        entitlements.rules.contains { $0.file == file && $0.match.unit != nil }
    }
}

/// Users whom systemd makes up for as long as a service with `DynamicUser=` runs.
///
/// Their numbers go to other services afterwards, and the system's daemon keeps keychains by the numbers of users.
enum DynamicUser {
    /// Why no keychain is kept for the number; nil for one that is an account's for good.
    static func refusal(of user: UInt32) -> String? {
        guard numbers.contains(user) else { return nil }
        // The manager's own note, for as long as it lends the number.
        if unsafe access("\(notes)/\(user)", F_OK) == 0 || errno != ENOENT {
            return "systemd lends the user number \(user) to a service (DynamicUser=), \(consequence)"
        }
        switch Environment.account(of: user) {
        case .known: return nil
        case .unknown:
            return
                "no account has the user number \(user), which is one of those that systemd lends to services (DynamicUser=), \(consequence). If it is an account's of a directory, try again when that answers"
        case .unanswered(let error):
            return
                "the user database did not answer (errno \(error)) whose the user number \(user) is, which is one of those that systemd lends to services (DynamicUser=); try again when it answers"
        }
    }

    private static let consequence =
        "and it may lend it to another one later, which would then have the keychain of this one; give the service a user of its own (User= without DynamicUser=), or name its unit in a file in /etc/llavero/entitlements.d, and set StateDirectory= so that it has the same number again"

    private static let notes = "/run/systemd/dynamic-uid"
    /// The numbers that systemd takes them from (https://systemd.io/UIDS-GIDS).
    private static let numbers: ClosedRange<UInt32> = 61_184...65_519
}

extension Audience {
    fileprivate func program(_ granted: GrantedEntitlements) -> ProgramEntitlements {
        let isAdministrator = if case .administrator = self { true } else { false }
        var program = ProgramEntitlements(
            keychainAccessGroups: isAdministrator
                ? (granted.keychainAccessGroups ?? []) + ["*"] : granted.keychainAccessGroups,
            applicationIdentifier: granted.applicationIdentifier,
            associatedApplicationIdentifiers: granted.associatedApplicationIdentifiers,
            applicationGroups: granted.applicationGroups,
            honoursWildcard: granted.honoursWildcard || isAdministrator)
        program.synchronizes = granted.synchronizes
        // Who has no group at all was shut out by the administrator.
        let isShutOut = granted == .nothing
        if case .everybody = self {
            program.administersKeys = granted.administersKeys
        } else if isShutOut {
            program.administersKeys = false
        }
        return program
    }
}
