// SPDX-License-Identifier: Apache-2.0

internal import Security

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
