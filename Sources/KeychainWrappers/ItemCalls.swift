// SPDX-License-Identifier: Apache-2.0

internal import Security

/// The four calls on a generic password, as the wrappers use them: Swift dictionaries in, typed failures out.
enum ItemCalls {
    typealias Attributes = [CFString: Any]

    /// What finds one generic password, or several: the class, and the parts that are not nil.
    static func query(service: String? = nil, account: Any? = nil, group: String? = nil) -> Attributes {
        var query: Attributes = [kSecClass: kSecClassGenericPassword]
        query[kSecAttrService] = service
        query[kSecAttrAccount] = account
        query[kSecAttrAccessGroup] = group
        return query
    }

    static func add(_ item: Attributes) throws(StatusFailure) {
        try check(SecItemAdd(item as CFDictionary, nil))
    }

    /// Adds an item and returns what the return keys among its attributes ask for.
    static func addReturning(_ item: Attributes) throws(StatusFailure) -> CFTypeRef? {
        var result: CFTypeRef?
        try check(unsafe SecItemAdd(item as CFDictionary, &result))
        return result
    }

    static func update(_ query: Attributes, with attributes: Attributes) throws(StatusFailure) {
        try check(SecItemUpdate(query as CFDictionary, attributes as CFDictionary))
    }

    static func delete(_ query: Attributes) throws(StatusFailure) {
        try check(SecItemDelete(query as CFDictionary))
    }

    /// What a search came to.
    enum SearchResult {
        case nothing
        /// What was asked for; nil when that was only the value, and the item has none.
        case item(CFTypeRef?)
    }

    static func copyMatching(_ query: Attributes) throws(StatusFailure) -> SearchResult {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return .nothing }
        try check(status)
        return .item(result)
    }

    /// Whether there was something to do; "not found" is no failure here.
    static func isFound(_ work: () throws(StatusFailure) -> Void) throws(StatusFailure) -> Bool {
        do throws(StatusFailure) {
            try work()
            return true
        } catch {
            guard error.status == errSecItemNotFound else { throw error }
            return false
        }
    }

    /// Gives the item that `query` finds these attributes, or adds one that has those of both.
    ///
    /// Each call is a transaction of its own, so the item is never seen missing. Another program may add or delete it
    /// between two calls: then the other call is tried again.
    static func replaceOrAdd(_ query: Attributes, with attributes: Attributes) throws(StatusFailure) {
        let item = query.merging(attributes) { _, new in new }
        var triesLeft = 3
        while true {
            if try isFound({ () throws(StatusFailure) in try update(query, with: attributes) }) { return }
            do throws(StatusFailure) {
                return try add(item)
            } catch {
                triesLeft -= 1
                guard error.status == errSecDuplicateItem, triesLeft > 0 else { throw error }
            }
        }
    }

    private static func check(_ status: OSStatus) throws(StatusFailure) {
        guard status == errSecSuccess else { throw StatusFailure(status: status) }
    }
}

/// A status other than success, thrown by ``ItemCalls`` and translated by each wrapper into its own error.
struct StatusFailure: Error, Sendable {
    let status: OSStatus
}
