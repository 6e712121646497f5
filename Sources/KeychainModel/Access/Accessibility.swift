// SPDX-License-Identifier: Apache-2.0

/// When an item can be read: its protection class.
///
/// The raw value is the number written in the item's blob.
package enum Accessibility: UInt8, Sendable, CaseIterable {
    case whenUnlocked = 6
    case afterFirstUnlock = 7
    case always = 8
    case whenUnlockedThisDeviceOnly = 9
    case afterFirstUnlockThisDeviceOnly = 10
    case alwaysThisDeviceOnly = 11
    case whenPasscodeSetThisDeviceOnly = 12

    /// The value of `pdmn`.
    package var name: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    package init?(name: String) {
        switch name {
        case "ak": self = .whenUnlocked
        case "ck": self = .afterFirstUnlock
        case "dk": self = .always
        case "aku": self = .whenUnlockedThisDeviceOnly
        case "cku": self = .afterFirstUnlockThisDeviceOnly
        case "dku": self = .alwaysThisDeviceOnly
        case "akpu": self = .whenPasscodeSetThisDeviceOnly
        default: return nil
        }
    }

    /// Whether items of the class stay on this device: never migrated, never synchronized.
    package var isThisDeviceOnly: Bool { rawValue >= Accessibility.whenUnlockedThisDeviceOnly.rawValue }

    /// Whether items of the class can be read before the passcode was given.
    package var isAlwaysAvailable: Bool { self == .always || self == .alwaysThisDeviceOnly }

    /// Whether items of the class cannot be read while the device is locked.
    package var needsUnlockedDevice: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly: false
        }
    }
}

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
