// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Testing

/// What a context says of policies without asking anybody.
@Suite struct PolicyTests {
    /// A device, and what keeps a policy from being met there; nil when nothing does.
    struct Row: Sendable, CustomTestStringConvertible {
        let passcode: String?
        let fingers: String?
        let policy: LAPolicy
        let obstacle: LAError.Code?

        init(_ passcode: String?, _ fingers: String?, _ policy: LAPolicy, _ obstacle: LAError.Code?) {
            (self.passcode, self.fingers, self.policy, self.obstacle) = (passcode, fingers, policy, obstacle)
        }

        var testDescription: String {
            "\(passcode == nil ? "no passcode" : "a passcode"), fingers \(fingers ?? "without a reader"), \(policy)"
        }
    }

    private static let rows = [
        Row("1234", nil, .deviceOwnerAuthentication, nil),
        Row("1234", "", .deviceOwnerAuthentication, nil),
        Row("1234", "thumb", .deviceOwnerAuthentication, nil),
        Row(nil, nil, .deviceOwnerAuthentication, .passcodeNotSet),
        Row(nil, "thumb", .deviceOwnerAuthentication, .passcodeNotSet),
        Row("1234", nil, .deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
        Row("1234", "", .deviceOwnerAuthenticationWithBiometrics, .biometryNotEnrolled),
        Row("1234", "thumb", .deviceOwnerAuthenticationWithBiometrics, nil),
        Row(nil, "thumb", .deviceOwnerAuthenticationWithBiometrics, .passcodeNotSet),
        Row("1234", nil, .deviceOwnerAuthenticationWithBiometricsOrWatch, .biometryNotAvailable),
        Row("1234", "thumb", .deviceOwnerAuthenticationWithBiometricsOrCompanion, nil),
        Row("1234", "thumb", .deviceOwnerAuthenticationWithWatch, .watchNotAvailable),
        Row(nil, nil, .deviceOwnerAuthenticationWithCompanion, .companionNotAvailable),
    ]

    @Test("a policy can be met where what it wants is there, and an error says what is missing", arguments: rows)
    func policies(row: Row) async throws {
        let person = Person(enrolled: row.fingers, passcode: row.passcode ?? "")
        let keychain = try AccessKeychain(person, passcode: row.passcode)
        await keychain.use {
            let context = LAContext()
            var error: NSError?
            #expect(context.canEvaluatePolicy(row.policy, error: &error) == (row.obstacle == nil))
            #expect(error?.code == row.obstacle?.rawValue)
            #expect(row.obstacle == nil || error?.domain == LAErrorDomain)
            #expect(context.canEvaluatePolicy(row.policy, error: nil) == (row.obstacle == nil))
            #expect(context.biometryType == (row.fingers == nil ? .none : .touchID))
            #expect(person.asked == [])
            // Trying it comes to the same.
            #expect(await context.failure(of: row.policy) == row.obstacle)
            #expect(person.asked.isEmpty == (row.obstacle != nil))
        }
    }

    @Test("the domain state is there after a look at the fingers, is theirs, and changes with them")
    func domainState() throws {
        let keychain = try AccessKeychain()
        let states = keychain.use {
            let context = LAContext()
            #expect(context.evaluatedPolicyDomainState == nil)
            return ["left index", "left index", "another's thumb", "left index", "", nil].map { fingers in
                keychain.person.enroll(fingers)
                _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
                return context.evaluatedPolicyDomainState
            }
        }
        let first = try #require(states[0])
        #expect(states[1] == first && states[3] == first)
        #expect(states[2] != nil && states[2] != first)
        #expect(states[4] == nil && states[5] == nil)
        // Another context, another program: the same fingers.
        AccessKeychain(beside: keychain).use {
            keychain.person.enroll("left index")
            let context = LAContext()
            #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            #expect(context.evaluatedPolicyDomainState == first)
        }
    }
}
