// SPDX-License-Identifier: Apache-2.0

/// How a keychain stands towards its passcode.
package enum LockState: Sendable, Equatable, CaseIterable {
    /// There is no passcode, so it is never locked, and items that need one cannot be stored.
    case noPasscode
    /// The passcode was not given since the program began.
    case beforeFirstUnlock
    case unlocked
    /// Locked again after it had been unlocked.
    case locked

    /// The state after locking.
    package var locked: LockState {
        switch self {
        case .noPasscode, .beforeFirstUnlock: self
        case .unlocked, .locked: .locked
        }
    }
}
