// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The object that programs hold for an access control; `SecAccessControl` is one, and it lives above this module.
package protocol AccessControlCarrying: AnyObject {
    /// nil for one that is not finished, which no item takes.
    var accessControl: AccessControl? { get }
}
