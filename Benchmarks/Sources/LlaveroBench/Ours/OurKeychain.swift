// SPDX-License-Identifier: Apache-2.0

import Security

/// A fresh keychain in a temporary folder, and the calls that are measured on it.
///
/// Whatever a call does not need is made before: a timed loop contains the calls alone.
struct OurKeychain {
    private let keychain: IsolatedKeychain

    /// The group of a program that declares none, unless told otherwise: other processes then see the same items.
    init(groups: [String] = ["llavero.open"]) throws {
        keychain = try IsolatedKeychain(.temporaryFolder, entitlements: Entitlements(keychainAccessGroups: groups))
    }

    var folder: URL? { keychain.folder }

    /// A folder for LLAVERO_HOME with a copy of it.
    ///
    /// Copied by another process: opening and closing a file of a keychain here would drop SQLite's locks on it.
    func copiedHome() throws -> TemporaryFolder {
        guard let folder, let cp = Child.find("cp") else { throw WrongResult("there is nothing to copy") }
        let home = try TemporaryFolder()
        let child = Child(program: cp, arguments: ["-a", folder.path, home.path + "/login"], environment: [])
        _ = try child.microseconds()
        return home
    }

    /// Microseconds for each addition.
    @discardableResult
    func add(_ items: [BenchItem]) throws -> Double {
        let dictionaries = items.map(\.addition)
        return try each(dictionaries) { SecItemAdd($0, nil) }
    }

    /// Microseconds for each find, the call alone.
    func find(_ items: [BenchItem]) throws -> Double {
        try find(items.map(\.query))
    }

    func findFirst(times: Int) throws -> Double {
        try find(Array(repeating: BenchItem.firstQuery, count: times))
    }

    private func find(_ queries: [CFDictionary]) throws -> Double {
        try each(queries) { query in
            var result: CFTypeRef?
            return SecItemCopyMatching(query, &result)
        }
    }

    /// Microseconds for each find from the literal to the `Data`, checking what is found.
    func findAsAnAppDoes(_ items: [BenchItem]) throws -> Double {
        let accounts = items.map(\.account)
        var found: [Data?] = []
        found.reserveCapacity(items.count)
        let time = keychain.use {
            Stopwatch.each(items.count) {
                for account in accounts {
                    let query: [String: Any] = [
                        kSecClass as String: kSecClassGenericPassword,
                        kSecAttrService as String: BenchItem.service,
                        kSecAttrAccount as String: account,
                        kSecMatchLimit as String: kSecMatchLimitOne,
                        kSecReturnData as String: true,
                    ]
                    var result: CFTypeRef?
                    let status = SecItemCopyMatching(query as CFDictionary, &result)
                    found.append(status == errSecSuccess ? result as? Data : nil)
                }
            }
        }
        for (item, data) in zip(items, found) {
            try WrongResult.unless(item.isSecret(data), "\(item.account) has the wrong secret")
        }
        return time
    }

    func update(_ items: [BenchItem]) throws -> Double {
        let pairs = items.map { ($0.identity, $0.change) }
        return try each(pairs) { SecItemUpdate($0.0, $0.1) }
    }

    func delete(_ items: [BenchItem]) throws -> Double {
        let queries = items.map(\.identity)
        return try each(queries) { SecItemDelete($0) }
    }

    /// Microseconds for each item of a list of everything.
    func list(expecting count: Int) throws -> Double {
        var result: CFTypeRef?
        let query = BenchItem.listQuery
        let time = try each([query], of: count) { SecItemCopyMatching($0, &result) }
        let found = (result as? NSArray)?.count
        try WrongResult.unless(found == count, "the list has \(found ?? -1) items, not \(count)")
        return time
    }

    /// Every invariant of the folder.
    func check() throws {
        let complaints = try keychain.check()
        try WrongResult.unless(complaints.isEmpty, complaints.joined(separator: "; "))
    }

    private func each<Value>(_ values: [Value], of count: Int? = nil, _ call: (Value) -> OSStatus) throws -> Double {
        var failure = errSecSuccess
        let time = keychain.use {
            Stopwatch.each(count ?? values.count) {
                for value in values {
                    let status = call(value)
                    if status != errSecSuccess { failure = status }
                }
            }
        }
        try WrongResult.unless(failure == errSecSuccess, "a call answered \(failure)")
        return time
    }
}
