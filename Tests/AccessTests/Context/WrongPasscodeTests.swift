// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// A passcode that a program gives and that is wrong.
@Suite struct WrongPasscodeTests {
    @Test("it counts once, however often it is used: nothing is erased by a program that tries again")
    func countedOnce() throws {
        let keychain = try AccessKeychain(passcode: nil)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode(Passcodes.first), erasingAfter: 3)
            let item = Password("guarded")
            #expect(item.add(.devicePasscode) == errSecSuccess)
            let context = LAContext()
            context.setCredential(Data("wrong".utf8), type: .passcode)
            for _ in 0..<6 {
                #expect(item.find([kSecUseAuthenticationContext: context]) == .nothing(errSecAuthFailed))
            }
            #expect(try Llavero.keybag.status().failedAttempts == 1)
            context.setCredential(Data(Passcodes.first.utf8), type: .passcode)
            #expect(item.find([kSecUseAuthenticationContext: context]) == item.found)
        }
    }
}
