// SPDX-License-Identifier: Apache-2.0

internal import Security

/// What a ``KeychainItemWrapper`` shows, and where in the keychain it lies.
struct WrappedItem {
    /// What finds the item; it never changes.
    struct Name: Sendable {
        let identifier: String
        let group: String?
    }

    let name: Name

    /// The attributes by key, and under `kSecValueData` the password as a String.
    private(set) var values: [CFString: Any]

    /// The persistent reference of the item, once there is one.
    ///
    /// Changes go by it: the generic attribute is not unique, and other wrappers' items may have the same one.
    private var reference: Data?

    /// The item of this name, or the defaults of one that does not exist yet.
    static func load(_ name: Name) throws(KeychainWrapperError) -> WrappedItem {
        var item = WrappedItem(name: name, values: defaults(name), reference: nil)
        _ = try item.adoptStored()
        return item
    }

    /// Writes one value into the item, or adds the item with it.
    ///
    /// Only that value is written: another wrapper may have changed the rest since.
    mutating func write(_ value: Any, forKey key: CFString) throws(KeychainWrapperError) {
        let change = [key: Self.stored(value, forKey: key)]
        var triesLeft = 3
        while true {
            if let reference {
                let isWritten = try KeychainWrapperError.translating { () throws(StatusFailure) in
                    try ItemCalls.isFound { () throws(StatusFailure) in
                        try ItemCalls.update(Self.query(reference), with: change)
                    }
                }
                if isWritten {
                    values[key] = value
                    return
                }
                self.reference = nil
            }
            triesLeft -= 1
            // Somebody may have added the item since we looked, or removed it and added it anew.
            if triesLeft > 0, try adoptStored() { continue }
            do throws(StatusFailure) {
                return try add(with: value, forKey: key)
            } catch {
                guard error.status == errSecDuplicateItem, triesLeft > 0 else { throw .status(error.status) }
            }
        }
    }

    /// Removes the item and shows the defaults again.
    mutating func reset() throws(KeychainWrapperError) {
        if try !deleteReferenced(), try adoptStored() { _ = try deleteReferenced() }
        reference = nil
        values = Self.defaults(name)
    }

    private func deleteReferenced() throws(KeychainWrapperError) -> Bool {
        guard let reference else { return false }
        return try KeychainWrapperError.translating { () throws(StatusFailure) in
            try ItemCalls.isFound { () throws(StatusFailure) in try ItemCalls.delete(Self.query(reference)) }
        }
    }

    private mutating func add(with value: Any, forKey key: CFString) throws(StatusFailure) {
        var shown = values.filter { !Self.assignedByKeychain.contains($0.key as String) }
        shown[key] = value
        var item = shown
        for (key, value) in shown { item[key] = Self.stored(value, forKey: key) }
        item[kSecClass] = kSecClassGenericPassword
        item[kSecReturnAttributes] = true
        item[kSecReturnPersistentRef] = true
        let added = try ItemCalls.addReturning(item) as? [CFString: Any] ?? [:]
        values = shown.merging(added) { mine, _ in mine }
        reference = values.removeValue(forKey: kSecValuePersistentRef) as? Data
    }

    /// Takes over the stored item of this name; false when there is none.
    private mutating func adoptStored() throws(KeychainWrapperError) -> Bool {
        guard var found = try StoredItemSearch.best(for: name),
            let reference = found.removeValue(forKey: kSecValuePersistentRef) as? Data
        else { return false }
        let password = try KeychainWrapperError.translating { () throws(StatusFailure) in
            try ItemCalls.copyMatching(
                Self.query(reference).merging([kSecReturnData: true]) { _, new in new })
        }
        // Removed between the two searches: then there is none.
        guard case .item(let data) = password else { return false }
        guard let text = String(validating: data as? Data ?? Data(), as: UTF8.self) else { throw .passwordIsNotText }
        found[kSecValueData] = text
        values = Self.defaults(name).merging(found) { _, stored in stored }
        self.reference = reference
        return true
    }

    private static func query(_ reference: Data) -> ItemCalls.Attributes {
        [kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: reference]
    }
}
