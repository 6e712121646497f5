// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// What is left of a passcode that was erased after too many wrong ones, and given up.
@Suite struct LostPasscodeTests {
    private static let item = Password("an item")

    /// A keychain whose first passcode was erased and given up, and that has another one.
    private static func keychain() throws -> AccessKeychain {
        let keychain = try AccessKeychain(passcode: nil)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode(Passcodes.first), erasingAfter: 1)
            let control = try SecAccessControl.demanding(.devicePasscode, kSecAttrAccessibleAlways)
            #expect(Password("lost").add(control) == errSecSuccess)
            #expect(Password("plain").add(nil) == errSecSuccess)
            let wrong = LAContext(passcode: "something else")
            #expect(Password("lost").find(wrong).data == nil)
            keychain.restart()
            try Llavero.keybag.abandonErasedPasscode()
            try Llavero.keybag.setPasscode(Llavero.Passcode(Passcodes.second), erasingAfter: nil)
        }
        keychain.person.learn(passcode: Passcodes.second)
        return keychain
    }

    @Test("the passcode that takes its place can be demanded at once")
    func newPasscode() throws {
        let keychain = try Self.keychain()
        let items = try GuardedItems(in: keychain)
        items.check(in: keychain)
    }

    @Test("an item that nobody can open any more is passed over, and the others are found")
    func lostItem() throws {
        let keychain = try Self.keychain()
        try keychain.unlock(Passcodes.second)
        keychain.use {
            #expect(Self.item.add(.devicePasscode) == errSecSuccess)
            #expect(Password("lost").find() == .nothing(errSecItemNotFound))
            var result: CFTypeRef?
            let all: Password.Terms = [
                kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
            ]
            #expect(SecItemCopyMatching(all as CFDictionary, &result) == errSecSuccess)
            #expect(Set(result as? [Data] ?? []).contains(Self.item.secret))
        }
    }
}
