// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What may be synchronizable: nothing with access control flags (semantics §3.10).
///
/// A `…ThisDeviceOnly` class is no obstacle, as on Apple's systems: the item lies under the synchronizable key, and stays
/// on this device, since whatever sends items elsewhere goes by their class (decision D9).
package enum SynchronizableRule {
    package static func check(_ accessControl: AccessControl?) throws(KeychainError) {
        guard let accessControl else { return }
        guard accessControl.rules == nil else {
            throw KeychainError(.parameter, "a synchronizable item takes no access control flags", subject: "accc")
        }
    }
}
