// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// From a request and its caller to a request that may be carried out.
package enum Authorization {
    package static func authorize(
        _ request: KeybagRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<KeybagRequest> {
        try AdministrationRule.check(request, from: caller)
        let scope: GroupFilter
        switch request {
        // Versions of items belong to their groups.
        case .history, .pastVersion, .unreached:
            scope = try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: .reading)
        case .bringBack, .forget, .restore, .retain:
            scope = try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: .writing)
        case .sync(let request): scope = try authorize(request, from: caller).scope
        // Keys belong to none.
        default: scope = .only([])
        }
        return Authorized(request, scope: scope)
    }

    /// What a circle's devices share goes past all access groups: it has a right of its own, which no other one includes.
    package static func authorize(
        _ request: SyncRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<SyncRequest> {
        guard caller.synchronizes else { throw mayNotSynchronize }
        return Authorized(request, scope: .every)
    }

    fileprivate static var mayNotSynchronize: KeychainError {
        KeychainError(
            .missingEntitlement,
            """
            the program may not synchronize this keychain: that is for Llavero's own tools and its daemon; an entitlement file that \
            lists llavero has to say `synchronizes`, too
            """)
    }

    package static func authorize(
        _ request: AddRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<AddRequest> {
        let group = try AccessGroupRule.destination(request.group, of: caller)
        return Authorized(request, scope: .only([group]))
    }

    package static func authorize(
        _ request: MatchRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<MatchRequest> {
        try authorize(request, request.predicate, from: caller, for: .reading)
    }

    /// Each part of a list is authorized by itself: rights may change between two.
    package static func authorize(
        _ request: MatchPageRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<MatchPageRequest> {
        try authorize(request, request.match.predicate, from: caller, for: .reading)
    }

    package static func authorize(
        _ request: UpdateRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<UpdateRequest> {
        let authorized = try authorize(request, request.predicate, from: caller, for: .writing)
        if let group = request.changes.group { _ = try AccessGroupRule.destination(group, of: caller) }
        return authorized
    }

    /// Each update is authorized by itself.
    package static func authorize(
        _ request: UpdateAllRequest, from caller: Caller
    ) throws(KeychainError) -> [Authorized<UpdateRequest>] {
        var authorized: [Authorized<UpdateRequest>] = []
        for update in request.updates { authorized.append(try authorize(update, from: caller)) }
        return authorized
    }

    package static func authorize(
        _ request: DeleteRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<DeleteRequest> {
        try authorize(request, request.predicate, from: caller, for: .writing)
    }

    private static func authorize<Request: Sendable>(
        _ request: Request, _ predicate: ItemPredicate, from caller: Caller, for purpose: AccessGroupRule.Purpose
    ) throws(KeychainError) -> Authorized<Request> {
        let scope = try AccessGroupRule.scope(predicate.groups, of: caller, for: purpose)
        // Named or not, what is looked for beside the items themselves is looked for in every group.
        if case .everyGroupOfCaller = predicate.groups { return Authorized(request, scope: scope) }
        let reach = try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: purpose)
        return Authorized(request, scope: scope, reach: reach)
    }

    package static func authorize(
        _ request: AddAllRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<AddAllRequest> {
        var scopes: [EntryScopes] = []
        for entry in request.entries {
            switch entry {
            case .item(let item): scopes.append(EntryScopes(try destination(of: item, caller)))
            case .identity(let certificate, let key):
                scopes.append(
                    EntryScopes(try destination(of: certificate, caller), try destination(of: key, caller)))
            }
        }
        let scope = try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: .writing)
        return Authorized(request, scope: scope, entryScopes: scopes)
    }

    /// Only a key that the caller could find can be used.
    package static func authorize(
        _ request: UseKeyRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<UseKeyRequest> {
        // Whoever has a chip speak for its keys joins circles as this machine.
        if request.task.isAttestation, !caller.synchronizes { throw mayNotSynchronize }
        return Authorized(request, scope: try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: .reading))
    }

    private static func destination(
        of request: AddRequest, _ caller: Caller
    ) throws(KeychainError) -> GroupFilter {
        .only([try AccessGroupRule.destination(request.group, of: caller)])
    }
}

/// Which groups a caller reaches, and which one it meant (semantics §4.2).
enum AccessGroupRule {
    /// Whether a request changes the keychain; the token group is only for reading.
    enum Purpose { case reading, writing }

    /// The caller's groups for the purpose; a caller with none may do nothing at all.
    static func groups(of caller: Caller, for purpose: Purpose) throws(KeychainError) -> [AccessGroup] {
        var groups = caller.groups
        if purpose == .writing { groups.removeAll { $0 == .token } }
        guard !groups.isEmpty || caller.seesEveryGroup else {
            throw caller.refusal(
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
        let wanted: AccessGroup? = if case .named(let name) = scope { AccessGroup(name) } else { nil }
        guard let group = wanted, groups.contains(group) || (caller.seesEveryGroup && group != .token)
        else {
            // What a keychain keeps of its circle.
            if wanted == .sync, !caller.synchronizes { throw Authorization.mayNotSynchronize }
            if let lack = wanted.flatMap({ caller.reservations[$0] }) ?? caller.lack {
                // The tools ask for this one where nobody named a group.
                let title = wanted == .passwords ? "the access group \(AccessGroup.passwords.name)" : "the access group"
                throw KeychainError(
                    relaying: .missingEntitlement, "\(title) is not one of the program's: \(lack)",
                    subject: nil, code: nil, retryAfter: nil)
            }
            throw KeychainError(
                .missingEntitlement, "the access group is not one of the program's", subject: "agrp")
        }
        return group
    }
}

/// Who may change what the keys of a keychain hang on.
///
/// A caller with the passcode or the recovery key may: it is checked where it is used. What goes without either could
/// hand out the keys (a recovery key) or lock all programs out (a first passcode), and needs a right of its own.
enum AdministrationRule {
    static func check(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) {
        // Another right, which who has this one need not have.
        if case .sync = request { return }
        if caller.administersKeys { return }
        // A program that may touch no item has nothing to unlock, and must not make others wait by wrong passcodes.
        guard caller.seesEveryGroup || !caller.groups.isEmpty else {
            throw caller.refusal(
                "the program has no access group, so it may not manage the keychain's keys; declare keychain-access-groups in its entitlements file"
            )
        }
        guard needsRight(request) else { return }
        if let lack = caller.lackOfAdministration {
            throw KeychainError(
                relaying: .missingEntitlement,
                "the call is about the whole keychain, whatever program's items they are, and takes administers-keys: \(lack)",
                subject: nil, code: nil, retryAfter: nil)
        }
        throw KeychainError(
            .missingEntitlement,
            mayGivePasscode(request)
                ? "the program may not change the keys of this keychain without its passcode; give the passcode, or set administers-keys in the program's entitlement file"
                : "the call is about the whole keychain, whatever program's items they are; set administers-keys in the program's entitlement file, in /etc/llavero/entitlements.d (Docs/Daemon.md)"
        )
    }

    private static func mayGivePasscode(_ request: KeybagRequest) -> Bool {
        switch request {
        case .makeRecoveryKey, .removeRecoveryKey, .rotateKeys, .move: true
        default: false
        }
    }

    private static func needsRight(_ request: KeybagRequest) -> Bool {
        switch request {
        case .state, .lock, .unlock, .verify, .reseal, .settings, .compact: false
        case .changePasscode, .removePasscode, .recover: false
        // Authorized by access groups, as what is done with items.
        case .history, .pastVersion, .bringBack, .forget, .sync: false
        case .setPasscode, .abandonErasedPasscode, .enclaveKeys, .lostItems, .change, .acceptItems, .backupSecrets,
            .holdView,
            .letGoOfView, .stamps, .unreached, .restore, .retain:
            true
        case .makeRecoveryKey(let shown, _), .removeRecoveryKey(let shown), .rotateKeys(let shown), .move(_, let shown):
            if case .passcode = shown { false } else { true }
        }
    }
}
