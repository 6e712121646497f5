// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// Lists by parts.
extension KeychainEngine {
    /// Finds one part of a list, in a transaction of its own or in a view; no connection is kept for the next.
    package func match(_ request: MatchPageRequest, from caller: Caller) throws(KeychainError) -> MatchPage {
        let authorized = try Authorization.authorize(request, from: caller)
        let terms = request.match.authentication
        // First without any preparation for a person, because most items demand none.
        if case .done(let page) = try part(authorized, try demands.secrets(shownUnder: terms), caller) { return page }
        return try demands.meeting(terms, of: caller) { (shown) throws(KeychainError) in
            try part(authorized, shown.secrets, caller)
        }
    }

    private func part(
        _ authorized: Authorized<MatchPageRequest>, _ shown: FactorSecrets, _ caller: Caller
    ) throws(KeychainError) -> DemandOutcome<MatchPage> {
        let unmet = try demands.unmetDemands(under: authorized.request.match.authentication)
        return try reading(for: caller, in: authorized.request.view) { (connection) throws(StoreError) in
            try connection.match(authorized, shown, unmet: unmet, budget: caller.budget, now: surroundings.clock)
        }
    }
}
