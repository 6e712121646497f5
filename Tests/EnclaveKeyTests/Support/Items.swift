// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What these tests ask of a keychain.
enum Items {
    /// A query's status and result; `wishes` are the return keys.
    static func find(_ query: [CFString: Any], _ wishes: CFString...) -> (status: OSStatus, result: CFTypeRef?) {
        var query = query
        for wish in wishes { query[wish] = true }
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }

    /// The one key that a query finds.
    static func key(_ query: [CFString: Any]) -> SecKey? {
        find(query.merging([kSecClass: kSecClassKey]) { $1 }, kSecReturnRef).result as? SecKey
    }

    /// The same, where its absence ends the test.
    static func expectedKey(_ query: [CFString: Any], _ comment: Comment? = nil) throws -> SecKey {
        try #require(key(query), comment)
    }

    /// How many keys of either half there are.
    static func countKeys() -> Int {
        let (_, result) = find([kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll], kSecReturnPersistentRef)
        return (result as? [Data])?.count ?? 0
    }

    static func update(_ query: [CFString: Any], _ changes: [CFString: Any]) -> OSStatus {
        SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    static func delete(_ query: [CFString: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }
}
