// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// What comes back of items that demand somebody.
@Suite struct ReturnedItemTests {
    private static let item = Password("an item")

    @Test("what an Add gives back is what was stored, whatever is demanded to read it again")
    func added() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            for flags in [SecAccessControlCreateFlags.devicePasscode, .applicationPassword, .biometryCurrentSet] {
                var result: CFTypeRef?
                let item = Self.item.described(try .demanding(flags), [kSecReturnData: true])
                #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
                #expect(result as? Data == Self.item.secret)
                #expect(Self.item.delete() == errSecSuccess)
            }
        }
    }

    @Test("what comes back of an item finds it, changes it and deletes it (decision D13)")
    func roundTrip() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            for flags in [SecAccessControlCreateFlags.devicePasscode, .biometryCurrentSet, .applicationPassword] {
                #expect(Self.item.add(flags) == errSecSuccess)
                var result: CFTypeRef?
                let query = Self.item.key.merging([kSecReturnAttributes: true]) { $1 }
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                let attributes = try #require(result as? [String: Any])
                let whole = attributes.merging([kSecClass as String: kSecClassGenericPassword]) { $1 }
                #expect(
                    SecItemCopyMatching(
                        whole.merging([kSecReturnData as String: true]) { $1 } as CFDictionary, &result)
                        == errSecSuccess)
                #expect(result as? Data == Self.item.secret)
                let changes = attributes.merging([kSecValueData as String: "new".data]) { $1 }
                #expect(SecItemUpdate(Self.item.key as CFDictionary, changes as CFDictionary) == errSecSuccess)
                #expect(Self.item.find() == Password.Answer(status: errSecSuccess, data: "new".data))
                keychain.person.behave(.isAway)
                #expect(Self.item.find() == .nothing(errSecInteractionNotAllowed))
                keychain.person.behave(.right)
                #expect(Self.item.delete() == errSecSuccess)
            }
        }
    }
}
