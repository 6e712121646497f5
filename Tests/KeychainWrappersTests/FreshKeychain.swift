// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// Runs a test's calls on a keychain of their own, by a program in the groups G1, its default, and G2.
func onFreshKeychain(_ body: (IsolatedKeychain) throws -> Void) throws {
    let keychain = try IsolatedKeychain(.inMemory, entitlements: Entitlements(keychainAccessGroups: ["G1", "G2"]))
    try keychain.use { try body(keychain) }
    #expect(try keychain.check() == [])
}

/// The generic passwords that match, with their attributes and data, in the order they were added.
func stored(_ query: [CFString: Any] = [:]) -> [[CFString: Any]] {
    let all: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        kSecReturnData: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(all.merging(query) { _, new in new } as CFDictionary, &result)
    #expect(status == errSecSuccess || status == errSecItemNotFound)
    return result as? [[CFString: Any]] ?? []
}

/// Adds a generic password as some other code would.
func addDirectly(_ attributes: [CFString: Any]) {
    let item = attributes.merging([kSecClass: kSecClassGenericPassword]) { mine, _ in mine }
    #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
}
