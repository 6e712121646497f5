// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The object that programs hold for a policy; `SecPolicy` is one, and it lives above this module.
package protocol PolicyCarrying: AnyObject {
    /// What a certificate has to be good for.
    var purpose: TrustPolicy { get }
}
