// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Generic passwords of one service, through the four public functions.
struct Passwords {
    let service: String

    func add(_ account: String, _ value: String, label: String = "") -> OSStatus {
        var item = key(account)
        item[kSecAttrLabel as String] = label
        item[kSecValueData as String] = Data(value.utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    func update(_ account: String, _ value: String, label: String = "") -> OSStatus {
        let changes: [String: Any] = [
            kSecAttrLabel as String: label, kSecValueData as String: Data(value.utf8),
        ]
        return SecItemUpdate(key(account) as CFDictionary, changes as CFDictionary)
    }

    func delete(_ account: String) -> OSStatus { SecItemDelete(key(account) as CFDictionary) }

    func find(_ account: String) -> (status: OSStatus, value: String?) {
        var query = key(account)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Every item of the service: its account, value and label.
    func all() -> (status: OSStatus, items: [String: Entry]) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        var items: [String: Entry] = [:]
        for item in result as? [[String: Any]] ?? [] {
            guard let account = item[kSecAttrAccount as String] as? String,
                let data = item[kSecValueData as String] as? Data
            else { continue }
            items[account] = Entry(
                value: String(decoding: data, as: UTF8.self), label: item[kSecAttrLabel as String] as? String ?? "")
        }
        return (status, items)
    }

    func updateAll(label: String) -> OSStatus {
        SecItemUpdate(everything as CFDictionary, [kSecAttrLabel as String: label] as CFDictionary)
    }

    func deleteAll() -> OSStatus { SecItemDelete(everything as CFDictionary) }

    /// What an item says apart from its account.
    struct Entry: Equatable {
        var value: String
        var label: String
    }

    private var everything: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service]
    }

    private func key(_ account: String) -> [String: Any] {
        var key = everything
        key[kSecAttrAccount as String] = account
        return key
    }
}
