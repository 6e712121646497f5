// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// A keychain with a few items of every kind of class, and the listing of all that is in it.
struct SmallKeychain {
    let isolated: IsolatedKeychain

    init() throws {
        isolated = try IsolatedKeychain(.inMemory)
        isolated.use {
            for account in ["a", "b", "c"] {
                Self.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "s"])
            }
            Self.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecAttrSynchronizable: true])
            Self.add([kSecClass: kSecClassInternetPassword, kSecAttrAccount: "a", kSecAttrServer: "example.org"])
        }
    }

    private static func add(_ attributes: [CFString: Any]) {
        let item = attributes.merging([kSecValueData: Data("old".utf8), kSecAttrLabel: "old"]) { $1 }
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }

    /// Every item with attributes, data and reference, of every class, tombstones too, in an order of its own.
    func listing() throws -> [String] {
        try isolated.use {
            var listing: [String] = []
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                for isTombstone in [false, true] {
                    let query: [CFString: Any] = [
                        kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                        kSecReturnPersistentRef: true, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                        kSecAttrTombstone: isTombstone, kSecReturnData: !isTombstone,
                    ]
                    var result: CFTypeRef?
                    let status = SecItemCopyMatching(query as CFDictionary, &result)
                    if status == errSecItemNotFound { continue }
                    try #require(status == errSecSuccess)
                    listing += try #require(result as? [[String: Any]]).map(Self.text)
                }
            }
            try #require(!listing.isEmpty)
            return listing.sorted()
        }
    }

    private static func text(_ item: [String: Any]) -> String {
        item.sorted { $0.key < $1.key }
            .map { key, value in
                if let data = value as? Data { return "\(key)=\(data.base64EncodedString())" }
                if let date = value as? Date { return "\(key)=\(date.timeIntervalSinceReferenceDate)" }
                return value is SecAccessControl ? key : "\(key)=\(value)"
            }
            .joined(separator: " ")
    }
}
