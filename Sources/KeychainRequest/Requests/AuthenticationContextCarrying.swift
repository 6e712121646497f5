// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The object that programs hold for what a person showed; `LAContext` is one, and it lives above this module.
package protocol AuthenticationContextCarrying: AnyObject, Sendable {
    /// The context, known to its keychain from now on, and what it allows by itself; throws once it is invalid.
    func authenticationTerms() throws(KeychainError) -> AuthenticationTerms
}
