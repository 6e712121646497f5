// SPDX-License-Identifier: Apache-2.0

public import Security

/// Data for keys, within one service and perhaps one access group.
///
/// Each entry is a generic password whose account and generic attribute are the key's UTF-8 bytes, as data. Without a
/// group, an entry is added to the program's first group, and found, updated and removed in all of its groups.
///
/// Calls may be made from several threads at once. Each does its work before it returns, on the calling thread; the
/// methods with a completion run it exactly once, and there too.
public final class Keychain: Sendable {
    /// The service of all entries.
    public let service: String

    /// The access group of all entries; nil stands for the program's own.
    public let group: String?

    private let accessibility = Locked(kSecAttrAccessibleAlwaysThisDeviceOnly as String)

    /// The entries of a service, in a group of the program's.
    public init(service: String, group: String? = nil) {
        self.service = service
        self.group = group
    }

    /// When an entry can be read that is inserted from now on, one of the `kSecAttrAccessible…` values.
    ///
    /// It is `kSecAttrAccessibleAlwaysThisDeviceOnly` at first.
    public var accessible: CFString {
        get { accessibility.withLock { $0 } as NSString }
        set {
            let value = newValue as String
            accessibility.withLock { $0 = value }
        }
    }

    /// Stores data under a key; an entry that is there gets the new data and accessibility.
    public func insert(_ data: Data, forKey key: String) throws(KeychainWrapperError) {
        try KeychainWrapperError.translating { () throws(StatusFailure) in
            // The service and the account are found as they are; the generic attribute would not find older entries.
            try ItemCalls.replaceOrAdd(
                query(key),
                with: [
                    kSecAttrGeneric: Data(key.utf8), kSecValueData: data,
                    kSecAttrAccessible: accessibility.withLock { $0 },
                ])
        }
    }

    /// Replaces the data of a key; without an entry it throws `errSecItemNotFound`.
    public func update(_ data: Data, forKey key: String) throws(KeychainWrapperError) {
        try KeychainWrapperError.translating { () throws(StatusFailure) in
            try ItemCalls.update(query(key), with: [kSecValueData: data])
        }
    }

    /// Removes the entry of a key; without one it throws `errSecItemNotFound`.
    public func remove(_ key: String) throws(KeychainWrapperError) {
        try KeychainWrapperError.translating { () throws(StatusFailure) in
            try ItemCalls.delete(query(key))
        }
    }

    /// The data of a key, or nil when there is no entry.
    public func find(_ key: String) throws(KeychainWrapperError) -> Data? {
        try KeychainWrapperError.translating { () throws(StatusFailure) -> Data? in
            switch try ItemCalls.copyMatching(query(key).merging([kSecReturnData: true]) { _, new in new }) {
            case .nothing: nil
            case .item(let value): value as? Data ?? Data()
            }
        }
    }

    private func query(_ key: String) -> ItemCalls.Attributes {
        ItemCalls.query(service: service, account: Data(key.utf8), group: group)
    }
}

// A completion that does not escape cannot be kept for later: the type says that it has run when the call returns.
extension Keychain {
    /// Stores data under a key, as ``insert(_:forKey:)`` does, and hands over how it went.
    public func insert(
        _ data: Data, forKey key: String, completion: (Result<Void, KeychainWrapperError>) -> Void
    ) {
        completion(result { () throws(KeychainWrapperError) in try insert(data, forKey: key) })
    }

    /// Replaces the data of a key, as ``update(_:forKey:)`` does, and hands over how it went.
    public func update(
        _ data: Data, forKey key: String, completion: (Result<Void, KeychainWrapperError>) -> Void
    ) {
        completion(result { () throws(KeychainWrapperError) in try update(data, forKey: key) })
    }

    /// Removes the entry of a key, as ``remove(_:)`` does, and hands over how it went.
    public func remove(_ key: String, completion: (Result<Void, KeychainWrapperError>) -> Void) {
        completion(result { () throws(KeychainWrapperError) in try remove(key) })
    }

    /// Hands over the data of a key, as ``find(_:)`` gives it: nil when there is no entry.
    public func find(_ key: String, completion: (Result<Data?, KeychainWrapperError>) -> Void) {
        completion(result { () throws(KeychainWrapperError) in try find(key) })
    }

    private func result<Value>(
        of work: () throws(KeychainWrapperError) -> Value
    ) -> Result<Value, KeychainWrapperError> {
        do throws(KeychainWrapperError) {
            return .success(try work())
        } catch {
            return .failure(error)
        }
    }
}
