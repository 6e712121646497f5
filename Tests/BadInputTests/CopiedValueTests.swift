// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct CopiedValueTests {
    private let query: CFDictionary =
        [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitOne, kSecReturnAttributes: true,
            kSecReturnData: true,
        ] as CFDictionary

    private func item() throws -> [CFString: Any] {
        var result: CFTypeRef?
        try #require(SecItemCopyMatching(query, &result) == errSecSuccess)
        return try #require(result as? [CFString: Any])
    }

    @Test("what a caller does to its dictionary after a call does not reach the item")
    func callerChanges() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            let secret = NSMutableData(data: Data("old".utf8))
            let generic = NSMutableData(data: Data("old".utf8))
            let account = NSMutableString(string: "old")
            let dictionary = NSMutableDictionary()
            dictionary.setObject(kSecClassGenericPassword, forKey: kSecClass)
            dictionary.setObject(secret, forKey: kSecValueData)
            dictionary.setObject(generic, forKey: kSecAttrGeneric)
            dictionary.setObject(account, forKey: kSecAttrAccount)
            dictionary.setObject(NSNumber(value: true), forKey: kSecReturnAttributes)
            dictionary.setObject(NSNumber(value: true), forKey: kSecReturnData)
            var added: CFTypeRef?
            #expect(SecItemAdd(dictionary, &added) == errSecSuccess)
            Self.spoil(secret, generic, account)
            dictionary.setObject("new" as NSString, forKey: kSecAttrLabel)
            for found in [try item(), try #require(added as? [CFString: Any])] {
                #expect(found[kSecValueData] as? Data == Data("old".utf8))
                #expect(found[kSecAttrGeneric] as? Data == Data("old".utf8))
                #expect(found[kSecAttrAccount] as? String == "old")
                #expect(found[kSecAttrLabel] == nil)
            }
        }
        #expect(try keychain.check() == [])
    }

    @Test("what a caller does to its changes after an Update does not reach the item")
    func changesChange() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            #expect(SecItemAdd([kSecClass: kSecClassGenericPassword] as CFDictionary, nil) == errSecSuccess)
            let secret = NSMutableData(data: Data("old".utf8))
            let generic = NSMutableData(data: Data("old".utf8))
            let account = NSMutableString(string: "old")
            let changes: [CFString: Any] = [
                kSecValueData: secret, kSecAttrGeneric: generic, kSecAttrAccount: account,
            ]
            let all = [kSecClass: kSecClassGenericPassword] as CFDictionary
            #expect(SecItemUpdate(all, changes as CFDictionary) == errSecSuccess)
            Self.spoil(secret, generic, account)
            let found = try item()
            #expect(found[kSecValueData] as? Data == Data("old".utf8))
            #expect(found[kSecAttrGeneric] as? Data == Data("old".utf8))
            #expect(found[kSecAttrAccount] as? String == "old")
        }
    }

    private static func spoil(_ secret: NSMutableData, _ generic: NSMutableData, _ account: NSMutableString) {
        secret.resetBytes(in: NSRange(location: 0, length: 3))
        generic.append(Data("new".utf8))
        account.append("new")
    }

    @Test("a result outlives the item and the keychain it came from", arguments: [6, 100_000])
    func resultsOutlive(size: Int) throws {
        var result: CFTypeRef?
        do {
            let keychain = try IsolatedKeychain(.temporaryFolder)
            keychain.use {
                let secret = Data(repeating: 0x5A, count: size)
                let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: secret]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
                let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
            }
        }
        let another = try IsolatedKeychain(.inMemory)
        another.use {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecValueData: Data(repeating: 0xA5, count: size),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        }
        #expect(result as? Data == Data(repeating: 0x5A, count: size))
    }
}
