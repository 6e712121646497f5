// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite(.serialized) struct LargeValueTests {
    private static var name: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "large", kSecAttrService: "s"]
    }

    private static func with(_ more: [CFString: Any]) -> CFDictionary { name.merging(more) { $1 } as CFDictionary }

    private static func found(_ more: [CFString: Any] = [:]) -> (OSStatus, CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(with(more.merging([kSecReturnData: true]) { $1 }), &result)
        return (status, result)
    }

    @Test("a secret of many megabytes is added, found, updated and deleted", arguments: [10 << 20, 64 << 20])
    func secrets(size: Int) throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            let first = Data(repeating: 0x5A, count: size)
            #expect(SecItemAdd(Self.with([kSecValueData: first]), nil) == errSecSuccess)
            let (status, result) = Self.found()
            #expect(status == errSecSuccess)
            let got = try #require(result as? NSData)
            #expect(got.isEqual(to: first))
            let second = Data(repeating: 0xA5, count: size + 1)
            #expect(SecItemUpdate(Self.with([:]), [kSecValueData: second] as CFDictionary) == errSecSuccess)
            let updated = try #require(Self.found().1 as? NSData)
            #expect(updated.isEqual(to: second))
            #expect(SecItemDelete(Self.with([:])) == errSecSuccess)
            #expect(Self.found().0 == errSecItemNotFound)
        }
        #expect(try keychain.check() == [])
    }

    @Test("an attribute of a megabyte is kept, searched for and changed")
    func attributes() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            let first: [CFString: Any] = [
                kSecAttrLabel: String(repeating: "l", count: 1 << 20), kSecAttrAccount: Self.megabyte("a"),
                kSecAttrGeneric: Data(repeating: 9, count: 1 << 20),
            ]
            let secret = Data("pw".utf8)
            #expect(SecItemAdd(Self.with(first.merging([kSecValueData: secret]) { $1 }), nil) == errSecSuccess)
            #expect(SecItemAdd(Self.with(first), nil) == errSecDuplicateItem)
            #expect(Self.found(first).1 as? Data == secret)
            #expect(Self.found([kSecAttrAccount: Self.megabyte("a") + "a"]).0 == errSecItemNotFound)
            let changes = [kSecAttrAccount: Self.megabyte("b")] as CFDictionary
            #expect(SecItemUpdate(Self.with(first), changes) == errSecSuccess)
            #expect(Self.found(first).0 == errSecItemNotFound)
            var result: CFTypeRef?
            let query = Self.with([kSecAttrAccount: Self.megabyte("b"), kSecReturnAttributes: true])
            #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
            let item = try #require(result as? [CFString: Any])
            #expect(item[kSecAttrAccount] as? String == Self.megabyte("b"))
            #expect((item[kSecAttrGeneric] as? Data)?.count == 1 << 20)
            #expect(SecItemDelete(Self.with([kSecAttrAccount: Self.megabyte("b")])) == errSecSuccess)
        }
        #expect(try keychain.check() == [])
    }

    private static func megabyte(_ letter: String) -> String { String(repeating: letter, count: 1 << 20) }

    @Test("a secret of no bytes is data, and no secret is none")
    func emptySecrets() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        keychain.use {
            #expect(SecItemAdd(Self.with([kSecValueData: Data()]), nil) == errSecSuccess)
            #expect(Self.found().0 == errSecSuccess)
            #expect((Self.found().1 as? NSData)?.length == 0)
            #expect(SecItemDelete(Self.with([:])) == errSecSuccess)
            #expect(SecItemAdd(Self.with([:]), nil) == errSecSuccess)
            #expect(Self.found().0 == errSecSuccess)
            #expect(Self.found().1 == nil)
            #expect(SecItemUpdate(Self.with([:]), [kSecValueData: Data()] as CFDictionary) == errSecSuccess)
            #expect((Self.found().1 as? NSData)?.length == 0)
        }
        #expect(try keychain.check() == [])
    }
}
