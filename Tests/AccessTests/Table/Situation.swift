// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// How somebody meets what an item demands, or does not.
enum Situation: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case right = "what is right is shown"
    case given = "the program gives what it can, nobody may be asked"
    case wrong = "what is wrong is shown"
    case cancelled = "the person refuses"
    case nobody = "nobody can be asked"
    case skip = "kSecUseAuthenticationUISkip"
    case fail = "kSecUseAuthenticationUIFail"
    case changedFingers = "other fingers are enrolled"
    case noPasscode = "the passcode was removed"

    var testDescription: String { rawValue }

    /// Whether nobody is to be asked anything.
    var isSilent: Bool { [.given, .skip, .fail].contains(self) }
}

/// The rules, from the specification: semantics §3.10, §5.4, §7.3, §7.4 and decisions D21 and D28.
enum Rules {
    /// What a find of an item that is there gives.
    static func status(
        of meaning: FlagRow.Meaning, _ accessibility: Class, in situation: Situation
    ) -> OSStatus {
        if situation == .noPasscode, accessibility.needsPasscode { return errSecItemNotFound }
        guard case .ways(let ways, let ownPassword) = meaning else {
            return situation == .skip ? errSecItemNotFound : errSecAuthFailed
        }
        if !ownPassword, ways.contains([]) { return errSecSuccess }
        switch situation {
        case .right: return errSecSuccess
        case .given: return ways.contains { $0.isSubset(of: [.passcode]) } ? errSecSuccess : errSecInteractionNotAllowed
        case .wrong: return errSecAuthFailed
        case .cancelled: return errSecUserCanceled
        case .nobody, .fail: return errSecInteractionNotAllowed
        case .skip: return errSecItemNotFound
        case .changedFingers: return isOpen(ways, without: .sameFingers) ? errSecSuccess : errSecItemNotFound
        case .noPasscode: return isOpen(ways, without: .passcode) ? errSecSuccess : errSecAuthFailed
        }
    }

    private static func isOpen(_ ways: [Set<FlagRow.Factor>], without factor: FlagRow.Factor) -> Bool {
        ways.contains { !$0.contains(factor) }
    }
}

/// A protection class that an access control may carry.
struct Class: Sendable, CustomTestStringConvertible {
    let name: String
    var needsPasscode: Bool { name == kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String }

    var testDescription: String { name }

    static let all = [
        kSecAttrAccessibleAlways, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleWhenUnlocked,
        kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ].map { Class(name: $0 as String) }
}
