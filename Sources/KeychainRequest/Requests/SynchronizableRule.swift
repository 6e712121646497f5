// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What may travel to other devices: nothing bound to this one, nothing constrained (decision D9, semantics §3.10).
package enum SynchronizableRule {
    package static func check(_ accessControl: AccessControl?) throws(KeychainError) {
        guard let accessControl else { return }
        guard accessControl.rules == nil else {
            throw KeychainError(.parameter, "a synchronizable item takes no access control flags", subject: "accc")
        }
        guard !accessControl.protection.isThisDeviceOnly else {
            throw KeychainError(.parameter, "a synchronizable item cannot be ThisDeviceOnly", subject: "pdmn")
        }
    }
}
