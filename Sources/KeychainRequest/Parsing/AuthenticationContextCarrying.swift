// SPDX-License-Identifier: Apache-2.0

/// The object that programs hold for what a person showed; `LAContext` is one, and it lives above this module.
package protocol AuthenticationContextCarrying: AnyObject {
    /// The context, and what it allows by itself.
    var authenticationTerms: AuthenticationTerms { get }
}

extension ParsedDictionary {
    /// How the request may meet what items demand: what the dictionary says, within what its context allows.
    var authentication: AuthenticationTerms {
        var terms = context ?? .usual
        switch authenticationUI {
        case .fail: terms.interaction = .forbidden
        case .skip: terms.interaction = .skipping
        case .allow, nil: break
        }
        if let reason { terms.reason = reason }
        return terms
    }
}
