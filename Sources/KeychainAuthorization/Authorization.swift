// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// From a request and its caller to a request that may be carried out.
package enum Authorization {
    package static func authorize(
        _ request: KeybagRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<KeybagRequest> {
        try AdministrationRule.check(request, from: caller)
        // Keys are nobody's group.
        return Authorized(request, scope: .only([]))
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

    package static func authorize(
        _ request: UpdateRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<UpdateRequest> {
        let authorized = try authorize(request, request.predicate, from: caller, for: .writing)
        if let group = request.changes.group { _ = try AccessGroupRule.destination(group, of: caller) }
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
        Authorized(request, scope: try AccessGroupRule.scope(.everyGroupOfCaller, of: caller, for: .reading))
    }

    private static func destination(
        of request: AddRequest, _ caller: Caller
    ) throws(KeychainError) -> GroupFilter {
        .only([try AccessGroupRule.destination(request.group, of: caller)])
    }
}
