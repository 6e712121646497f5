// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel

extension RuleBook {
    /// Those of the groups that no file gives any program: what is in them nobody finds any more.
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
