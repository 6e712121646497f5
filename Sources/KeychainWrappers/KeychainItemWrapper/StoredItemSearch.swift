// SPDX-License-Identifier: Apache-2.0

internal import Security

/// The search for the item of a ``KeychainItemWrapper`` among those that have its identifier as generic attribute.
enum StoredItemSearch {
    /// The attributes and the persistent reference of the best one, or nil when there is none.
    static func best(for name: WrappedItem.Name) throws(KeychainWrapperError) -> [CFString: Any]? {
        let found = try KeychainWrapperError.translating { () throws(StatusFailure) in
            var query = ItemCalls.query(group: name.group)
            query[kSecAttrGeneric] = name.identifier
            query[kSecMatchLimit] = kSecMatchLimitAll
            query[kSecReturnAttributes] = true
            query[kSecReturnPersistentRef] = true
            return try ItemCalls.copyMatching(query)
        }
        guard case .item(let value) = found, let items = value as? [[CFString: Any]] else { return nil }
        let ranked = items.compactMap { item in rank(of: item, identifier: name.identifier).map { ($0, item) } }
        return ranked.min { $0.0 < $1.0 }?.1
    }

    /// Our own layout first, then what older code stored without a service, then a service that a caller set.
    ///
    /// An item with another service and an identifier that is data was made by something else, ``Keychain`` perhaps.
    private static func rank(of item: [CFString: Any], identifier: String) -> Int? {
        switch item[kSecAttrService] as? String {
        case identifier: 0
        case "": 1
        default: item[kSecAttrGeneric] is String ? 2 : nil
        }
    }
}
