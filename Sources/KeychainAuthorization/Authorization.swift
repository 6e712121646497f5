// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// From a request and its caller to a request that may be carried out.
package enum Authorization {
    package static func authorize(
        _ request: AddRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<AddRequest> {
        let group = try AccessGroupRule.destination(request.group, of: caller)
        return Authorized(request, scope: .only([group]))
    }

    package static func authorize(
        _ request: MatchRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<MatchRequest> {
        Authorized(request, scope: try AccessGroupRule.scope(request.predicate.groups, of: caller, for: .reading))
    }

    package static func authorize(
        _ request: UpdateRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<UpdateRequest> {
        let scope = try AccessGroupRule.scope(request.predicate.groups, of: caller, for: .writing)
        if let group = request.changes.group { _ = try AccessGroupRule.destination(group, of: caller) }
        return Authorized(request, scope: scope)
    }

    package static func authorize(
        _ request: DeleteRequest, from caller: Caller
    ) throws(KeychainError) -> Authorized<DeleteRequest> {
        Authorized(request, scope: try AccessGroupRule.scope(request.predicate.groups, of: caller, for: .writing))
    }
}
