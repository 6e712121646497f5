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
