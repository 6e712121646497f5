// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// Deletion of items that demand somebody.
@Suite struct DeletionTests {
    private static let item = Password("an item")
    private static let plain = Password("a plain item")

    /// An access control that demands something for deletion.
    private static func control(
        _ flags: SecAccessControlCreateFlags, deletion: SecAccessControlCreateFlags
    ) throws -> SecAccessControl {
        let control = try SecAccessControl.demanding(flags)
        let constraint = try #require(
            SecAccessControlGetConstraint(try .demanding(deletion), "decrypt" as CFString))
        #expect(SecAccessControlAddConstraintForOperation(control, "delete" as CFString, constraint, nil))
        return control
    }

    @Test("what is demanded for reading is not demanded for deletion")
    func unguarded() throws {
        let keychain = try AccessKeychain()
        keychain.person.behave(.isAway)
        keychain.use {
            for flags in [SecAccessControlCreateFlags.devicePasscode, .userPresence, .biometryCurrentSet] {
                for terms in [[:], [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecReturnData: true]] {
                    #expect(Self.item.add(flags) == errSecSuccess)
                    #expect(Self.item.delete(terms as Password.Terms) == errSecSuccess)
                    #expect(Self.item.find() == .nothing(errSecItemNotFound))
                }
            }
        }
    }

    @Test("what is demanded for deletion has to be shown; else all stays that the query is about")
    func guarded() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            let control = try Self.control([], deletion: .devicePasscode)
            #expect(Self.item.add(control) == errSecSuccess)
            #expect(Self.plain.add(nil) == errSecSuccess)
            let all = [kSecClass: kSecClassGenericPassword] as [CFString: Any]
            let refusals: [(Person.Manner, Password.Terms, OSStatus)] = [
                (.refuses, [:], errSecUserCanceled), (.isAway, [:], errSecInteractionNotAllowed),
                (.right, [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], errSecInteractionNotAllowed),
                (.right, [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip], errSecParam),
                (.wrong, [kSecUseAuthenticationContext: LAContext(passcode: "something else")], errSecAuthFailed),
            ]
            for (manner, terms, status) in refusals {
                keychain.person.behave(manner)
                #expect(SecItemDelete(all.merging(terms) { $1 } as CFDictionary) == status)
                // Reading it was left free.
                for item in [Self.item, Self.plain] { #expect(item.find() == item.found) }
            }
            keychain.person.behave(.right)
            #expect(SecItemDelete(all as CFDictionary) == errSecSuccess)
            for item in [Self.item, Self.plain] { #expect(item.find() == .nothing(errSecItemNotFound)) }
        }
    }

    @Test("a context that met the demand deletes without a question")
    func context() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            let control = try Self.control(.devicePasscode, deletion: .devicePasscode)
            #expect(Self.item.add(control) == errSecSuccess)
            let context = LAContext()
            #expect(Self.item.find(context) == Self.item.found)
            #expect(Self.item.delete([kSecUseAuthenticationContext: context]) == errSecSuccess)
            #expect(keychain.person.asked.count == 1)
        }
    }
}
