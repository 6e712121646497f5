// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Which groups a caller reaches, and which one it meant (semantics §4.2).
enum AccessGroupRule {
    /// Whether a request changes the keychain; the token group is only for reading.
    enum Purpose { case reading, writing }

    /// The caller's groups for the purpose; a caller with none may do nothing at all.
    static func groups(of caller: Caller, for purpose: Purpose) throws(KeychainError) -> [AccessGroup] {
        var groups = caller.groups
        if purpose == .writing { groups.removeAll { $0 == .token } }
        guard !groups.isEmpty || caller.seesEveryGroup else {
            if let lack = caller.lack {
                throw KeychainError(
                    relaying: .missingEntitlement, "the daemon gives this program no access group: \(lack)",
                    subject: "agrp", code: nil, retryAfter: nil)
            }
            throw KeychainError(
                .missingEntitlement,
                "the program has no access group; declare keychain-access-groups in its entitlements file, or, where a daemon has the keychain, in one of the daemon's",
                subject: "agrp")
        }
        return groups
    }

    /// The groups a query searches.
    static func scope(
        _ scope: ItemPredicate.GroupScope, of caller: Caller, for purpose: Purpose
    ) throws(KeychainError) -> GroupFilter {
        let groups = try groups(of: caller, for: purpose)
        switch scope {
        case .everyGroupOfCaller: return caller.seesEveryGroup ? .every : .only(groups)
        case .named, .unnameable: return .only([try named(scope, of: caller, among: groups)])
        }
    }

    /// The group an item goes to.
    static func destination(
        _ scope: ItemPredicate.GroupScope, of caller: Caller
    ) throws(KeychainError) -> AccessGroup {
        let groups = try groups(of: caller, for: .writing)
        switch scope {
        case .everyGroupOfCaller:
            guard let first = groups.first else {
                throw KeychainError(.missingEntitlement, "the program has no access group of its own", subject: "agrp")
            }
            return first
        case .named, .unnameable: return try named(scope, of: caller, among: groups)
        }
    }

    private static func named(
        _ scope: ItemPredicate.GroupScope, of caller: Caller, among groups: [AccessGroup]
    ) throws(KeychainError) -> AccessGroup {
        guard case .named(let name) = scope, let group = AccessGroup(name),
            groups.contains(group) || (caller.seesEveryGroup && group != .token)
        else {
            throw KeychainError(
                .missingEntitlement, "the access group is not one of the program's", subject: "agrp")
        }
        return group
    }
}
