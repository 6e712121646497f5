// SPDX-License-Identifier: Apache-2.0

import Security

/// One of the numbered passwords of a service, and what a program does with it.
struct Password {
    private let account: String

    init(_ number: Int) { account = "account\(number)" }

    func add() -> Bool {
        var item = identity
        item[kSecValueData as String] = Data(repeating: 7, count: 32)
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    var query: CFDictionary {
        var query = identity
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = true
        return query as CFDictionary
    }

    func find() -> Bool { Password.find(query) }

    static func find(_ query: CFDictionary) -> Bool {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query, &result)
        return status == errSecSuccess && (result as? Data)?.count == 32
    }

    func update() -> Bool {
        let change = [kSecValueData as String: Data(repeating: 8, count: 32)]
        return SecItemUpdate(identity as CFDictionary, change as CFDictionary) == errSecSuccess
    }

    func delete() -> Bool { SecItemDelete(identity as CFDictionary) == errSecSuccess }

    private var identity: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
            kSecAttrAccount as String: account,
        ]
    }
}
