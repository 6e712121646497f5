// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The object that programs hold for what a person showed; `LAContext` is one, and it lives above this module.
package protocol AuthenticationContextCarrying: AnyObject, Sendable {
    /// The context, known to its keychain from now on, and what it allows by itself; throws once it is invalid.
    func authenticationTerms() throws(KeychainError) -> AuthenticationTerms
}

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
