// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct RefusalTests {
    @Test("a refused Add or Update leaves the whole keychain as it was", arguments: Refusal.all)
    func halfWritten(refusal: Refusal) throws {
        let keychain = try SmallKeychain()
        let before = try keychain.listing()
        let status = keychain.isolated.use { refusal.call() }
        #expect(status == refusal.status)
        #expect(try keychain.listing() == before)
        #expect(try keychain.isolated.check() == [])
    }

    @Test("an update of several items that collides at the last changes none of them")
    func lastCollides() throws {
        let keychain = try SmallKeychain()
        let before = try keychain.listing()
        let status = keychain.isolated.use {
            SecItemUpdate(
                [kSecClass: kSecClassGenericPassword, kSecAttrService: "s"] as CFDictionary,
                [kSecAttrAccount: "same", kSecAttrLabel: "changed", kSecValueData: Data("new".utf8)] as CFDictionary)
        }
        #expect(status == errSecDuplicateItem)
        #expect(try keychain.listing() == before)
    }

    @Test("an update of several items, one of them locked, changes none of them")
    func oneIsLocked() throws {
        let keychain = try SmallKeychain()
        keychain.isolated.use {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "open",
                kSecAttrAccessible: kSecAttrAccessibleAlways, kSecValueData: Data("open".utf8),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        }
        let before = try keychain.listing()
        keychain.isolated.lockState = .locked
        let status = keychain.isolated.use {
            SecItemUpdate(
                [kSecClass: kSecClassGenericPassword, kSecAttrService: "s"] as CFDictionary,
                [kSecValueData: Data("new".utf8)] as CFDictionary)
        }
        keychain.isolated.lockState = .unlocked
        #expect(status == errSecInteractionNotAllowed)
        #expect(try keychain.listing() == before)
    }
}
