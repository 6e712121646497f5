// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct StatusMessageTests {
    @Test(
        "the message of a common status is the one users know from Apple's platforms",
        arguments: [
            (errSecSuccess, "No error."),
            (errSecParam, "One or more parameters passed to a function were not valid."),
            (errSecItemNotFound, "The specified item could not be found in the keychain."),
            (errSecDuplicateItem, "The specified item already exists in the keychain."),
            (errSecInteractionNotAllowed, "User interaction is not allowed."),
            (errSecAuthFailed, "The user name or passphrase you entered is not correct."),
            (errSecMissingEntitlement, "A required entitlement isn't present."),
        ])
    func common(status: OSStatus, message: String) {
        #expect(SecCopyErrorMessageString(status, nil) as String? == message)
    }

    @Test("a status that nobody knows is told by its number", arguments: [1, -1, -25290, -67905, OSStatus.min])
    func unknown(status: OSStatus) {
        #expect(SecCopyErrorMessageString(status, nil) as String? == "OSStatus \(status)")
    }

    @Test("every status in the certificate and module series has a message")
    func complete() {
        for status in OSStatus(-67904)...(-67585) {
            let message = SecCopyErrorMessageString(status, nil) as String?
            #expect(message?.hasPrefix("OSStatus") == false, "\(status)")
        }
    }
}
