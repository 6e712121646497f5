// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// Access controls that say something else of each operation, as only the functions for their pieces make them.
@Suite struct OperationTests {
    private static let item = Password("an item")

    @Test("what its access control never allows is not done, whatever else it allows")
    func forbidden() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            let keyAlone = try SecAccessControl.demanding(.privateKeyUsage)
            let never = try SecAccessControl.demanding([])
            SecAccessControlAddConstraintForOperation(never, "decrypt" as CFString, kCFBooleanFalse, nil)
            for control in [keyAlone, never] {
                #expect(Self.item.add(control) == errSecSuccess)
                for terms in [[:], [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]] as [Password.Terms] {
                    #expect(Self.item.find(terms) == .nothing(errSecAuthFailed))
                }
                #expect(Self.item.update([kSecAttrLabel: "x"]) == errSecAuthFailed)
                #expect(Self.item.delete() == errSecSuccess)
            }
        }
    }

    @Test("what is enough for another operation is not enough for reading")
    func another() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            let control = try SecAccessControl.demanding(.devicePasscode)
            let finger = try #require(
                SecAccessControlGetConstraint(try .demanding(.biometryAny), "decrypt" as CFString))
            SecAccessControlAddConstraintForOperation(control, "sign" as CFString, finger, nil)
            #expect(Self.item.add(control) == errSecSuccess)
            let context = LAContext()
            let touched = Password("touched")
            #expect(touched.add(.biometryAny) == errSecSuccess)
            #expect(touched.find(context) == touched.found)
            #expect(Self.item.find(context) == Self.item.found)
            #expect(keychain.person.asked == [.finger(), .passcode()])
        }
    }
}
