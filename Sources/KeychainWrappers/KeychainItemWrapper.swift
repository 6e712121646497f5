// SPDX-License-Identifier: Apache-2.0

public import Security

/// One generic password, known by an identifier, whose attributes are read and set like those of a dictionary.
///
/// The identifier is the item's generic attribute and, unless another one is set, its service; an item that older code
/// stored without a service is found too. What is set differently from what is there is written at once; setting what
/// is already there writes nothing. Until the first write there is no item, and account, label, description and
/// password are "".
///
/// Calls may be made from several threads at once.
public final class KeychainItemWrapper: Sendable {
    /// What the item is known by.
    public let identifier: String

    /// The access group of the item; nil stands for the program's own.
    public let accessGroup: String?

    private let item: Locked<WrappedItem>

    /// Reads the item of an identifier, if there is one.
    ///
    /// It throws when the keychain refuses, as it does for a group that is not the program's or while it is locked: an
    /// item that cannot be read is not taken for none.
    public init(identifier: String, accessGroup: String? = nil) throws(KeychainWrapperError) {
        guard !identifier.isEmpty else { throw .emptyName }
        self.identifier = identifier
        self.accessGroup = accessGroup
        item = Locked(try WrappedItem.load(WrappedItem.Name(identifier: identifier, group: accessGroup)))
    }

    /// The value of an attribute, or under `kSecValueData` the password as a String; nil when the item has none.
    ///
    /// Values are as they were when this wrapper last read the item or wrote to it.
    public func object(forKey key: CFString) -> Any? {
        item.withLock { $0.values[key] }
    }

    /// Sets the value of an attribute, or under `kSecValueData` the password, which has to be a String.
    ///
    /// Nil is ignored. The identifier and the group cannot be set to anything else.
    public func setObject(_ value: Any?, forKey key: CFString) throws(KeychainWrapperError) {
        guard let value else { return }
        let checked = try WrappedItem.checkedValue(value, forKey: key)
        try item.withLock { (item) throws(KeychainWrapperError) in
            if let current = item.values[key] as? NSObject, current.isEqual(checked) { return }
            guard WrappedItem.canBeSet(key) else { throw .keyCannotBeSet(key: key as String) }
            try item.write(checked, forKey: key)
        }
    }

    /// Removes the item, if there is one, and sets account, label, description and password back to "".
    public func resetKeychainItem() throws(KeychainWrapperError) {
        try item.withLock { (item) throws(KeychainWrapperError) in try item.reset() }
    }
}

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
            // Another program may have added the item since we looked, or removed it and added it anew.
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

extension WrappedItem {
    /// What a wrapper shows while there is no item.
    static func defaults(_ name: Name) -> [CFString: Any] {
        var values: [CFString: Any] = [
            kSecAttrGeneric: name.identifier, kSecAttrService: name.identifier, kSecAttrAccount: "",
            kSecAttrLabel: "", kSecAttrDescription: "", kSecValueData: "",
        ]
        values[kSecAttrAccessGroup] = name.group
        return values
    }

    /// The value as it is kept, so that a mutable object of the caller's does not change it later.
    static func checkedValue(_ value: Any, forKey key: CFString) throws(KeychainWrapperError) -> Any {
        if let text = value as? String { return text }
        guard key != kSecValueData else { throw .unsuitableValue(key: key as String) }
        if let data = value as? Data { return data }
        if let date = value as? Date { return date }
        // Numbers and access controls never change; anything else the keychain refuses.
        return value
    }

    /// Whether a caller may set this: an attribute other than those that say which item it is, or the password.
    static func canBeSet(_ key: CFString) -> Bool {
        // The names of attributes, and only they, have four characters.
        key == kSecValueData || (key.length == 4 && key != kSecAttrGeneric && key != kSecAttrAccessGroup)
    }

    /// The value as the keychain takes it: a password is UTF-8 data there.
    static func stored(_ value: Any, forKey key: CFString) -> Any {
        guard key == kSecValueData, let text = value as? String else { return value }
        return Data(text.utf8)
    }

    /// The attributes that a new item does not take over from one that was removed meanwhile: both dates, the digest,
    /// the view of the user, and whether it is a tombstone.
    static let assignedByKeychain: Set<String> = ["cdat", "mdat", "sha1", "musr", "tomb"]
}

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
