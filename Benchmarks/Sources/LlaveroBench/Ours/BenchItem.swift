// SPDX-License-Identifier: Apache-2.0

import Security

/// One of the items every keychain of the benchmark is filled with: all in one service, the accounts numbered.
struct BenchItem {
    let number: Int
    var group: String?

    static let service = "service"

    var account: String { "account\(number)" }
    /// Thirty-two bytes from which the number can be told.
    var secret: Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: 32) }
    /// What an update changes it to.
    var newSecret: Data { Data(repeating: UInt8(truncatingIfNeeded: number + 1), count: 32) }

    /// Whether this is the item's secret, before or after an update.
    func isSecret(_ data: Data?) -> Bool { data == secret || data == newSecret }

    var addition: CFDictionary {
        var attributes: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Self.service,
            kSecAttrAccount as String: account,
            kSecAttrLabel as String: "A password",
            kSecValueData as String: secret,
        ]
        if let group { attributes[kSecAttrAccessGroup as String] = group }
        return attributes as CFDictionary
    }

    /// The item, for an update or a deletion.
    var identity: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Self.service,
            kSecAttrAccount as String: account,
        ] as [String: Any] as CFDictionary
    }

    var change: CFDictionary { [kSecValueData as String: newSecret] as [String: Any] as CFDictionary }

    /// A dictionary that finds the item's secret, made as programs make it.
    var query: CFDictionary {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Self.service,
            kSecAttrAccount as String: account,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnData as String: true,
        ]
        return query as CFDictionary
    }

    /// A dictionary that finds the first item of the service.
    static var firstQuery: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnData as String: true,
        ] as [String: Any] as CFDictionary
    }

    /// A dictionary that finds the attributes of everything.
    static var listQuery: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ] as [String: Any] as CFDictionary
    }
}
