// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// Which program may what, as the files of the administrator say now.
package final class RuleBook: Sendable {
    /// What they said at one time.
    struct Edition: Sendable {
        let number: UInt64
        let entitlements: EntitlementTable
        let signers: SignerTable
    }

    private let entitlements: EntitlementFolder?
    private let signers: SignerFolder
    private let watch: FolderWatch
    private let current: ForkSafeMutex<Edition>
    private let tell: @Sendable (String) -> Void

    /// What the files in these folders say; `tell` is told of each that grants nothing because of a fault.
    ///
    /// Without a folder of entitlements no program is limited by any.
    package init(entitlements: String?, signers: String, tell: @escaping @Sendable (String) -> Void = { _ in }) {
        self.tell = tell
        self.entitlements = entitlements.map { EntitlementFolder(path: $0) }
        self.signers = SignerFolder(path: signers)
        // Before the files are read: what changes meanwhile is read again.
        watch = FolderWatch([entitlements, signers].compactMap(\.self))
        current = ForkSafeMutex(
            Edition(
                number: 1, entitlements: self.entitlements?.load() ?? .empty, signers: self.signers.load()))
        current.withLock { report($0) }
    }

    private func report(_ edition: Edition) {
        for report in edition.entitlements.reports + edition.signers.reports { tell(report.description) }
    }

    var edition: Edition {
        current.withLock { current in
            if watch.hasChanged() {
                current = Edition(
                    number: current.number + 1, entitlements: entitlements?.load() ?? .empty, signers: signers.load())
                report(current)
            }
            return current
        }
    }

    /// Those of the groups that no file gives any program: items in them can no longer be found.
    package func uncovered(among groups: Set<String>, isClosed: Bool) -> [String] {
        let edition = edition
        let rules = edition.entitlements.rules
        let prefixes = edition.signers.signers.flatMap(\.prefixes)
        // What a rule by unit opens, it opens where the unit cannot be traced.
        let isRestricted = TracingProtection.isRestricted()
        let opens = { (rule: EntitlementRule) in
            (rule.match.level == .unit && !isRestricted ? rule.grantedToSteerable : rule.granted).opensEveryGroup
        }
        if rules.contains(where: opens) { return [] }
        var covered = Set(rules.flatMap(\.granted.names))
        // Programs on the message bus are admitted by other rules than those of files.
        covered.insert(AccessGroup.secretService.name)
        // The daemon itself has these.
        covered.insert(AccessGroup.sync.name)
        if !isClosed { covered.formUnion([AccessGroup.open.name, AccessGroup.passwords.name]) }
        return groups.filter { group in
            !covered.contains { $0.hasSameBytes(as: group) }
                && !prefixes.contains { group.utf8.starts(with: $0.utf8) }
        }.sorted()
    }
}

extension GrantedEntitlements {
    var names: [String] {
        (keychainAccessGroups ?? []) + associatedApplicationIdentifiers + [applicationIdentifier].compactMap(\.self)
            + applicationGroups
    }

    fileprivate var opensEveryGroup: Bool { honoursWildcard && names.contains("*") }
}
