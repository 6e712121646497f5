// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Says which program a peer is, and with what right.
package struct ProgramIdentifier: Sendable {
    private let table: EntitlementTable
    private let signers: SignerTable
    private let policy: IdentityPolicy
    private let digests: ImageDigests

    /// `digests` may be shared by all identifiers there ever are; it outlives a table that was read again.
    package init(
        table: EntitlementTable, signers: SignerTable = .empty, policy: IdentityPolicy, digests: ImageDigests
    ) {
        self.table = table
        self.signers = signers
        self.policy = policy
        self.digests = digests
    }

    /// The strongest rule that holds decides; weaker ones add nothing.
    package func identify(_ peer: Peer) throws(PeerError) -> ProgramIdentity {
        var matching = RuleMatching(peer, policy, digests)
        var failures: [(file: String, reason: String)] = []
        var holding: [EntitlementRule] = []
        for level in IdentityLevel.allCases.reversed() where holding.isEmpty {
            for rule in table.rules where rule.match.level == level {
                switch matching.verdict(on: rule.match) {
                case .holds: holding.append(rule)
                case .unrelated: break
                case .fails(let reason): failures.append((rule.file, reason))
                }
            }
        }
        // What a file says of some users goes before what one says of all.
        if holding.contains(where: { $0.match.users != nil }) { holding.removeAll { $0.match.users == nil } }
        // And what it says of one instance before what it says of the template.
        let isOfTemplate = { (rule: EntitlementRule) in rule.match.unit.map(SystemUnit.isTemplate) ?? false }
        if holding.contains(where: { $0.match.unit != nil && !isOfTemplate($0) }) {
            holding.removeAll(where: isOfTemplate)
        }
        // What the administrator wrote of a program goes before what its signer did, also when it does not hold: a file that
        // names it for other users, or with another digest, shuts it out.
        let isNamed = !holding.isEmpty || !failures.isEmpty
        let signature = isNamed ? .absent : matching.signature(signers, claimedElsewhere: table.identifiers)
        // What was looked up by number was this process's if it still runs, and the same program's if that is unchanged.
        try peer.recheckEverything()
        switch signature {
        case .holds(let granted, let signer):
            return ProgramIdentity(
                level: .imageBySignature, granted: granted, file: signer,
                explanation: "the signer in \(signer) signed the program (\(IdentityLevel.imageBySignature))")
        case .fails(let signer, let reason): failures.append((signer, reason))
        case .absent: break
        }
        guard let rule = holding.first else { return unlisted(peer, failures) }
        let gap = rule.match.level == .unit ? policy.tracing(peer.process) : nil
        let granted = gap == nil ? rule.granted : rule.grantedToSteerable
        guard holding.allSatisfy({ $0.granted == rule.granted }) else {
            return ProgramIdentity(
                level: .none, granted: .nothing, file: nil,
                explanation: "several entitlement files claim the program: \(ProgramIdentifier.list(holding))")
        }
        guard let gap else {
            return ProgramIdentity(
                level: rule.match.level, granted: granted, file: rule.file,
                explanation: "\(rule.file) names the program (\(rule.match.level))", unit: rule.match.unit,
                lack: ProgramIdentifier.lack(of: rule))
        }
        let explanation =
            "\(rule.file) names the program's unit, but \(gap); so it counts as a program that is known by its file, without * and administers-keys"
        return ProgramIdentity(
            level: .traceableUnit, granted: granted, file: rule.file, explanation: explanation, unit: rule.match.unit,
            // Tracing takes the groups from it that it has by * alone; the others are in no file of its own.
            lack: rule.keychainAccessGroups?.contains("*") == true ? nil : ProgramIdentifier.lack(of: rule),
            lackOfAdministration: rule.administersKeys && !granted.administersKeys ? explanation : nil)
    }

    private static func lack(of rule: EntitlementRule) -> String {
        "\(rule.file) names the program, and does not give it that group"
    }

    private func unlisted(_ peer: Peer, _ failures: [(file: String, reason: String)]) -> ProgramIdentity {
        let why =
            if let failure = failures.first {
                "\(failure.file) names the program, but \(failure.reason)"
            } else if let image = peer.evidence.image, peer.evidence.namespaces == .same {
                "no entitlement file names \(image.path)"
            } else {
                "no entitlement file names the program"
            }
        let refusal: String? =
            if peer.evidence.namespaces == .other, !policy.guardsNothing {
                "it runs in a container or in namespaces of its own (podman, toolbox, bubblewrap, unshare; a service by PrivateTmp=, ProtectSystem= and others), where the system's daemon cannot identify it, so it has no group; run it outside, or have root list the system unit that runs it, in /etc/llavero/entitlements.d"
            } else if !failures.isEmpty {
                // It would put what it meant for its own group where every program reads it.
                "it has no group"
            } else if !policy.guardsNothing, let report = table.reports.first {
                // What it reserves for its program is not known, so nobody else has it.
                "\(report.description), and until that is mended programs that no other file names have no group"
            } else if !policy.opensToUnlisted {
                "programs that are not listed have no group"
            } else if peer.evidence.namespaces == .hidden, !policy.guardsNothing {
                "the system's daemon is not allowed to identify it, so it has no group; the daemon requires the capability CAP_SYS_PTRACE, which its unit grants"
            } else {
                nil
            }
        if let refusal {
            return ProgramIdentity(level: .none, granted: .nothing, file: nil, explanation: "\(why); \(refusal)")
        }
        return ProgramIdentity(
            level: .none, granted: .open, file: nil,
            explanation:
                "\(why); it shares a group with all such programs, and a file of root's in /etc/llavero/entitlements.d gives it others"
        )
    }

    private static func list(_ rules: [EntitlementRule]) -> String {
        rules.map(\.file).joined(separator: ", ")
    }
}

/// Who a peer is taken for, what that grants it, and why.
package struct ProgramIdentity: Sendable, Equatable {
    package let level: IdentityLevel
    package let granted: GrantedEntitlements
    /// The entitlement file it was found in; nil for an unlisted program.
    package let file: String?
    /// One sentence for diagnostics and the audit log; no right hangs on it.
    package let explanation: String
    /// Why it has not got a group that it asks for; for people, as the explanation is.
    package let lack: String
    /// Why it may not manage keys, though its file says so; nil where its file does not, or it may.
    package let lackOfAdministration: String?
    /// The unit that its file names, and whose program it is.
    package let unit: String?

    init(
        level: IdentityLevel, granted: GrantedEntitlements, file: String?, explanation: String, unit: String? = nil,
        lack: String? = nil, lackOfAdministration: String? = nil
    ) {
        (self.level, self.granted, self.file, self.explanation) = (level, granted, file, explanation)
        (self.unit, self.lackOfAdministration) = (unit, lackOfAdministration)
        self.lack = lack ?? explanation
    }
}

/// How well it is known which program a peer is.
package enum IdentityLevel: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    /// No file lists it: any program of its user could be it.
    case none
    /// It executes a file that only root can change, and that a signer who is believed has signed for these rights.
    case imageBySignature
    /// It executes a file that only root can change, at a listed path. Its user can still steer it (LD_PRELOAD, ptrace).
    case imageByPath
    /// Such a file with a listed SHA-256.
    case imageByHash
    /// It belongs to a service that systemd started for the system, and its user's other programs may steer it by ptrace:
    /// worth no more than an image.
    case traceableUnit
    /// It belongs to such a service, and the kernel keeps its user's other programs from tracing it.
    case unit
    /// The kernel gave it a group for its file's sake, and keeps its user out of it.
    case kernel

    package static func < (left: IdentityLevel, right: IdentityLevel) -> Bool { left.rawValue < right.rawValue }

    package var description: String {
        switch self {
        case .none: "none"
        case .imageBySignature: "image by signature"
        case .imageByPath: "image by path"
        case .imageByHash: "image by hash"
        case .traceableUnit: "unit that can be traced"
        case .unit: "unit"
        case .kernel: "kernel"
        }
    }
}

/// What an administrator decides about programs, and where the evidence comes from.
package struct IdentityPolicy: Sendable {
    /// Whether an unlisted program is in the one open group; else it has no group.
    package let opensToUnlisted: Bool
    /// Whether the rules only keep order among programs whose user has all that is here anyway, as with the user's own
    /// daemon.
    ///
    /// Then an unlisted program may be in other namespaces than ours, as in a container, or in some that we cannot see, though
    /// no file of theirs ever counts as an image; and a group is believed of a program whose file we cannot see.
    package let guardsNothing: Bool
    /// Whose files are relied on.
    package let owners: TrustedOwners
    /// The text of a process's /proc/PID/cgroup.
    package let controlGroups: @Sendable (PeerProcess) -> String?
    /// Why other programs of its user can steer a service's process; nil when they cannot.
    package let tracing: @Sendable (PeerProcess) -> String?
    /// Who is in which group of the system.
    package let groups: GroupDirectory

    package init(
        opensToUnlisted: Bool = true, guardsNothing: Bool = false, owners: TrustedOwners = .root,
        groups: GroupDirectory = .system,
        controlGroups: @escaping @Sendable (PeerProcess) -> String? = { $0.text(of: "cgroup") },
        tracing: @escaping @Sendable (PeerProcess) -> String? = { TracingProtection.gap(of: $0) }
    ) {
        self.opensToUnlisted = opensToUnlisted
        self.guardsNothing = guardsNothing
        self.owners = owners
        self.groups = groups
        self.controlGroups = controlGroups
        self.tracing = tracing
    }

    /// Whether a peer that was known at this level still is: a service's process may be traced since.
    package func stillHolds(_ level: IdentityLevel, for peer: Peer) -> Bool {
        level != .unit || tracing(peer.process) == nil
    }
}
