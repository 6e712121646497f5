// SPDX-License-Identifier: Apache-2.0

/// When a keychain locks by itself: a daemon that has it does so.
package struct KeychainSettings: Sendable, Equatable {
    /// Whether it locks together with its user's session, and when the machine sleeps.
    package var locksWithSession: Bool
    /// Seconds without a call after which it locks; nil for never.
    package var timeout: UInt32?

    package init(locksWithSession: Bool, timeout: UInt32?) {
        self.locksWithSession = locksWithSession
        self.timeout = timeout
    }

    /// Of a keychain for which nobody said otherwise.
    package static let usual = KeychainSettings(locksWithSession: true, timeout: nil)
}
