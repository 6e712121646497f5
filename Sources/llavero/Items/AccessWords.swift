// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// When an item can be read, and who is asked before, in words.
enum AccessWords {
    static func protection(_ accessibility: Accessibility) -> String {
        switch accessibility {
        case .whenUnlocked: "while the keychain is unlocked"
        case .afterFirstUnlock: "from the first unlock on"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "while the keychain is unlocked, on this device only"
        case .afterFirstUnlockThisDeviceOnly: "from the first unlock on, on this device only"
        case .alwaysThisDeviceOnly: "always, on this device only"
        case .whenPasscodeSetThisDeviceOnly: "while unlocked, as long as there is a passcode, on this device only"
        }
    }

    static func access(_ control: AccessControl, to itemClass: ItemClass) -> String {
        var words = constraint(control.constraint(on: itemClass == .key && control.isForEnclave ? .sign : .decrypt))
        if control.rules?.requiresPassword == true {
            words = words == free ? "a password of its own" : words + " and a password of its own"
        }
        return words
    }

    private static func constraint(_ constraint: AccessConstraint) -> String {
        switch constraint {
        case .allowed: free
        case .forbidden: "nobody"
        case .factor(let factor): word(for: factor)
        case .atLeast(let count, let parts):
            parts.map { self.constraint($0) }.joined(separator: count == 1 ? " or " : " and ")
        }
    }

    private static func word(for factor: AccessFactor) -> String {
        switch factor {
        case .presence: "a finger or the passcode"
        case .passcode: "the passcode"
        case .biometryAny: "a finger"
        case .biometrySet: "a finger of those enrolled when it was stored"
        case .companion: "a watch"
        }
    }

    private static let free = "nobody is asked"
}
