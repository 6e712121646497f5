// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Synchronization
import Testing

/// Somebody shows to a context what a policy or an access control wants.
@Suite struct EvaluationTests {
    /// What a person does, with fingers and with keys, and what a policy comes to.
    struct Row: Sendable, CustomTestStringConvertible {
        let policy: LAPolicy
        let fingers: Person.Manner
        let typing: Person.Manner
        let asked: [Person.Asked]
        let failure: LAError.Code?

        init(
            _ policy: LAPolicy, _ fingers: Person.Manner, _ typing: Person.Manner, _ asked: [Person.Asked],
            _ failure: LAError.Code?
        ) {
            (self.policy, self.fingers, self.typing, self.asked) = (policy, fingers, typing, asked)
            self.failure = failure
        }

        var testDescription: String { "\(policy), fingers \(fingers), typing \(typing)" }
    }

    private static let finger = Person.Asked.finger("to test")
    private static let passcode = Person.Asked.passcode("to test")

    private static let rows = [
        Row(.deviceOwnerAuthentication, .right, .right, [finger], nil),
        // Typing is a way too, for who has no finger to show; but not for who refuses.
        Row(.deviceOwnerAuthentication, .wrong, .right, [finger, passcode], nil),
        Row(.deviceOwnerAuthentication, .isAway, .right, [finger, passcode], nil),
        Row(.deviceOwnerAuthentication, .wrong, .refuses, [finger, passcode], .userCancel),
        Row(.deviceOwnerAuthentication, .refuses, .right, [finger], .userCancel),
        Row(.deviceOwnerAuthentication, .isAway, .isAway, [finger, passcode], .notInteractive),
        Row(.deviceOwnerAuthenticationWithBiometrics, .right, .right, [finger], nil),
        // Here it is none.
        Row(.deviceOwnerAuthenticationWithBiometrics, .wrong, .right, [finger], .authenticationFailed),
        Row(.deviceOwnerAuthenticationWithBiometrics, .refuses, .right, [finger], .userCancel),
        Row(.deviceOwnerAuthenticationWithBiometrics, .isAway, .right, [finger], .notInteractive),
        Row(.deviceOwnerAuthenticationWithBiometrics, .isLate, .right, [finger], .authenticationFailed),
        Row(.deviceOwnerAuthentication, .isLate, .isLate, [finger, passcode], .authenticationFailed),
        Row(.deviceOwnerAuthenticationWithBiometricsOrWatch, .right, .right, [finger], nil),
    ]

    @Test("a policy ends as the person wants, by callback and awaited", arguments: rows)
    func evaluation(row: Row) async throws {
        let keychain = try AccessKeychain()
        keychain.person.behave(row.typing, fingers: row.fingers)
        await keychain.use {
            let called = await withCheckedContinuation { (continuation: CheckedContinuation<LAError.Code?, Never>) in
                LAContext().evaluatePolicy(row.policy, localizedReason: "to test") { success, error in
                    #expect(success == (error == nil))
                    continuation.resume(returning: (error as? LAError)?.code)
                }
            }
            #expect(called == row.failure)
            #expect(keychain.person.asked == row.asked)
            #expect(await LAContext().failure(of: row.policy) == row.failure)
            #expect(keychain.person.asked == row.asked + row.asked)
        }
    }

    @Test("where nobody may be asked, nobody is")
    func interactionNotAllowed() async throws {
        let keychain = try AccessKeychain()
        await keychain.use {
            let context = LAContext()
            context.interactionNotAllowed = true
            for policy in [LAPolicy.deviceOwnerAuthentication, .deviceOwnerAuthenticationWithBiometrics] {
                #expect(context.canEvaluatePolicy(policy, error: nil))
                #expect(await context.failure(of: policy) == .notInteractive)
            }
            let password = Password("an item")
            #expect(password.add(.userPresence) == errSecSuccess)
            #expect(password.find(context) == .nothing(errSecInteractionNotAllowed))
            // The query cannot allow what the context does not.
            let allow: Password.Terms = [
                kSecUseAuthenticationContext: context, kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow,
            ]
            #expect(password.find(allow) == .nothing(errSecInteractionNotAllowed))
            #expect(keychain.person.asked == [])
            context.interactionNotAllowed = false
            #expect(password.find(context) == password.found)
        }
    }

    @Test("what was shown to a policy is shown to items, and the person is asked once")
    func beforeItems() async throws {
        let keychain = try AccessKeychain()
        await keychain.use {
            let flags: [SecAccessControlCreateFlags] = [.userPresence, .biometryAny, .biometryCurrentSet]
            let passwords = flags.map { flags in
                let password = Password("\(flags.rawValue)")
                #expect(password.add(flags) == errSecSuccess)
                return password
            }
            let context = LAContext()
            #expect(await context.failure(of: .deviceOwnerAuthenticationWithBiometrics) == nil)
            for password in passwords + passwords { #expect(password.find(context) == password.found) }
            #expect(await context.failure(of: .deviceOwnerAuthentication) == nil)
            #expect(keychain.person.asked == [.finger("to test")])
            // A finger is none for who wants the passcode.
            let typed = Password("typed")
            #expect(typed.add(.devicePasscode) == errSecSuccess)
            #expect(
                typed.find([kSecUseAuthenticationContext: context, kSecUseOperationPrompt: "typing"]) == typed.found)
            #expect(keychain.person.asked == [.finger("to test"), .passcode("typing")])
        }
    }
}
