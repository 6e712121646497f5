// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension ParsedDictionary {
    /// How the request may meet what items demand: what the dictionary says, within what its context allows.
    var authentication: AuthenticationTerms {
        var terms = context ?? .usual
        if refusesUI { terms.interaction = .forbidden }
        switch authenticationUI {
        case .fail: terms.interaction = .forbidden
        case .skip: terms.interaction = .skipping
        case .allow, nil: break
        }
        if let reason { terms.reason = reason }
        return terms
    }
}
