// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security

extension Situation {
    /// Brings it about, once for all items of a keychain.
    func begin(in keychain: AccessKeychain) throws {
        switch self {
        case .right, .given, .skip, .fail: keychain.person.behave(.right)
        case .wrong: keychain.person.behave(.wrong)
        case .cancelled: keychain.person.behave(.refuses)
        case .nobody: keychain.person.behave(.isAway)
        case .changedFingers:
            keychain.person.behave(.right)
            keychain.person.enroll("another's thumb")
        case .noPasscode:
            keychain.person.behave(.right)
            // With the fingers of before: what is missing is the passcode.
            keychain.person.enroll("left index")
            _ = try keychain.removePasscode(Passcodes.first)
        }
    }

    /// What stands in the query besides the item.
    var terms: Password.Terms {
        switch self {
        case .skip: [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        case .fail: [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
        case .given:
            [
                kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
                kSecUseAuthenticationContext: LAContext(passcode: Passcodes.first, password: Person.password),
            ]
        default: [:]
        }
    }

    /// Undoes what a find left behind, so that the next one begins where it did.
    func settle(in keychain: AccessKeychain) throws {
        if self == .wrong { try keychain.forgiveAttempts() }
    }
}
