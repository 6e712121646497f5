// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel

/// Where a daemon reads which program may what.
package struct RuleFolders: Sendable {
    package let entitlements: String
    package let signers: String

    package init(entitlements: String, signers: String) {
        self.entitlements = entitlements
        self.signers = signers
    }

    /// Those of the groups that no file gives any program: what is in them nobody finds any more.
    package func uncovered(among groups: Set<String>, isClosed: Bool) -> [String] {
        let rules = EntitlementFolder(path: entitlements).load().rules
        let prefixes = SignerFolder(path: signers).load().signers.flatMap(\.prefixes)
        if rules.contains(where: { $0.granted.opensEveryGroup }) { return [] }
        var covered = Set(rules.flatMap(\.granted.names))
        if !isClosed { covered.insert(AccessGroup.open.name) }
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
