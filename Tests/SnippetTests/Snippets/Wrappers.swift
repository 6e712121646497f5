// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// The keychain as published wrappers write it.
import Foundation
import Security

enum VaultError: LocalizedError, Equatable {
    case status(OSStatus)
    case notData

    var errorDescription: String? {
        switch self {
        case .status(let status): SecCopyErrorMessageString(status, nil) as String? ?? "OSStatus \(status)"
        case .notData: "not data"
        }
    }
}

extension OSStatus {
    var text: String { (SecCopyErrorMessageString(self, nil) as String?) ?? "\(self)" }

    func orThrow(_ fine: OSStatus...) throws {
        guard self == errSecSuccess || fine.contains(self) else { throw VaultError.status(self) }
    }
}

enum Accessibility: CaseIterable {
    case whenUnlocked, afterFirstUnlock, thisDevice

    var rawValue: String {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked as String
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock as String
        case .thisDevice: String(kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
        }
    }

    init?(rawValue: String) {
        guard let found = Accessibility.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = found
    }
}

/// Text keys to text constants, as a wrapper with its own names has them.
private let classKey = String(kSecClass)
private let serviceKey = String(kSecAttrService)
private let accountKey = String(kSecAttrAccount)
private let dataKey = String(kSecValueData)

final class Vault: @unchecked Sendable {
    let service: String
    var accessibility: Accessibility = .afterFirstUnlock
    private let lock = NSLock()

    init(service: String = Bundle.main.bundleIdentifier ?? "org.example.app") { self.service = service }

    private func query(_ key: String? = nil) -> [String: Any] {
        var query: [String: Any] = [classKey: kSecClassGenericPassword, serviceKey: service]
        query[accountKey] = key
        return query
    }

    subscript(_ key: String) -> String? {
        get { (try? data(key)).flatMap { $0 }.flatMap { String(data: $0, encoding: .utf8) } }
        set {
            if let newValue { try? set(Data(newValue.utf8), key) } else { try? remove(key) }
        }
    }

    func data(_ key: String) throws -> Data? {
        lock.lock()
        defer { lock.unlock() }
        var query = query(key)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        switch status {
        case errSecSuccess:
            guard let data = result as? Data else { throw VaultError.notData }
            return data
        case errSecItemNotFound: return nil
        default: throw VaultError.status(status)
        }
    }

    func set(_ data: Data, _ key: String) throws {
        lock.lock()
        defer { lock.unlock() }
        var entry = query(key)
        let status = SecItemCopyMatching(entry as CFDictionary, nil)
        switch status {
        case errSecSuccess, errSecInteractionNotAllowed:
            let change: [String: Any] = [dataKey: data, kSecAttrAccessible as String: accessibility.rawValue]
            try SecItemUpdate(entry as CFDictionary, change as CFDictionary).orThrow()
        case errSecItemNotFound:
            entry[dataKey] = data
            entry[kSecAttrAccessible as String] = accessibility.rawValue
            try SecItemAdd(entry as CFDictionary, nil).orThrow()
        default: throw VaultError.status(status)
        }
    }

    func remove(_ key: String) throws { try SecItemDelete(query(key) as CFDictionary).orThrow(errSecItemNotFound) }

    func removeAll() throws { try SecItemDelete(query() as CFDictionary).orThrow(errSecItemNotFound) }

    func keys() -> [String] {
        var query = query()
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = kCFBooleanTrue
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == noErr else { return [] }
        return (result as? [[AnyHashable: Any]] ?? []).compactMap { $0[kSecAttrAccount] as? String }
    }

    func attributes(_ key: String) -> [String: Any]? {
        var query = query(key)
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? [String: Any]
    }

    func accessibility(of key: String) -> Accessibility? {
        (attributes(key)?[kSecAttrAccessible as String] as? String).flatMap(Accessibility.init(rawValue:))
    }

    func created(_ key: String) -> Date? { attributes(key)?[kSecAttrCreationDate as String] as? Date }

    /// The group that new items get: an item is stored and looked at.
    func group() throws -> String? {
        try set(Data(), "probe")
        defer { try? remove("probe") }
        return attributes("probe")?[kSecAttrAccessGroup as String] as? String
    }

    func value<Value: Codable>(_ type: Value.Type = Value.self, _ key: String) throws -> Value? {
        try data(key).map { try JSONDecoder().decode(type, from: $0) }
    }

    func setValue<Value: Codable>(_ value: Value, _ key: String) throws { try set(JSONEncoder().encode(value), key) }
}

@propertyWrapper
struct Stored {
    let key: String
    let vault: Vault

    init(_ key: String, in vault: Vault = Vault()) {
        self.key = key
        self.vault = vault
    }

    var wrappedValue: String? {
        get { vault[key] }
        nonmutating set { vault[key] = newValue }
    }

    var projectedValue: Vault { vault }
}

struct Session {
    @Stored("token", in: Vault(service: "session")) var token: String?
}

/// Queries that are put together by type, with keys of Core Foundation.
protocol QueryKey {
    associatedtype Value
    static var key: CFString { get }
}

enum AccountName: QueryKey {
    typealias Value = String
    static var key: CFString { kSecAttrAccount }
}
enum ServiceName: QueryKey {
    typealias Value = String
    static var key: CFString { kSecAttrService }
}
enum PortNumber: QueryKey {
    typealias Value = Int
    static var key: CFString { kSecAttrPort }
}

struct Query {
    private var entries: [CFString: Any]

    init(_ itemClass: CFString) { entries = [kSecClass: itemClass] }

    func with<Key: QueryKey>(_ key: Key.Type, _ value: Key.Value) -> Query { with(key.key, value) }

    func with(_ key: CFString, _ value: Any?) -> Query {
        var copy = self
        copy.entries[key] = value
        return copy
    }

    func add() -> OSStatus { SecItemAdd(entries as CFDictionary, nil) }

    func first<Result>(_ key: CFString, as type: Result.Type = Result.self) -> Result? {
        var result: CFTypeRef?
        SecItemCopyMatching(with(kSecReturnAttributes, kCFBooleanTrue).entries as CFDictionary, &result)
        return (result as? NSDictionary)?[key] as? Result
    }
}

/// As the wrapper class of the early days holds an item: a dictionary that is changed and written back.
final class ItemHolder {
    private var item = NSMutableDictionary()
    private let query = NSMutableDictionary()

    init(identifier: String) {
        query.setObject(kSecClassGenericPassword, forKey: kSecClass)
        query.setObject(identifier, forKey: kSecAttrGeneric)
        query.setObject(kSecMatchLimitOne, forKey: kSecMatchLimit)
        query.setObject(kCFBooleanTrue!, forKey: kSecReturnAttributes)
        var found: AnyObject?
        if SecItemCopyMatching(query, &found) == noErr, let dictionary = found as? NSDictionary {
            item = withSecret(dictionary)
        } else {
            item.setObject(identifier, forKey: kSecAttrGeneric)
            item.setValue("", forKey: kSecAttrAccount as String)
            item.setValue("", forKey: kSecValueData as String)
        }
    }

    func object(_ key: CFString) -> Any? { item.object(forKey: key) }

    func set(_ value: String, _ key: CFString) -> OSStatus {
        item.setObject(value, forKey: key)
        return write()
    }

    private func withSecret(_ attributes: NSDictionary) -> NSMutableDictionary {
        let result = NSMutableDictionary(dictionary: attributes)
        result.setObject(kCFBooleanTrue!, forKey: kSecReturnData)
        result.setObject(kSecClassGenericPassword, forKey: kSecClass)
        var secret: AnyObject?
        let status = SecItemCopyMatching(result, &secret)
        result.removeObject(forKey: kSecReturnData)
        if status == noErr, let data = secret as? NSData {
            result.setObject(String(data: data as Data, encoding: .utf8) ?? "", forKey: kSecValueData)
        }
        return result
    }

    private func write() -> OSStatus {
        let entries = NSMutableDictionary(dictionary: item)
        entries.setObject(kSecClassGenericPassword, forKey: kSecClass)
        let secret = entries.object(forKey: kSecValueData) as? String ?? ""
        entries.setObject(Data(secret.utf8) as NSData, forKey: kSecValueData)
        var found: AnyObject?
        guard SecItemCopyMatching(query, &found) == noErr, let stored = found as? NSDictionary else {
            return SecItemAdd(entries, nil)
        }
        let update = NSMutableDictionary(dictionary: stored)
        update.setObject(kSecClassGenericPassword, forKey: kSecClass)
        entries.removeObject(forKey: kSecClass)
        return SecItemUpdate(update, entries)
    }
}

/// Secrets as bytes that are wiped.
func withSecret<Result>(_ query: CFDictionary, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
    var item: CFTypeRef?
    guard SecItemCopyMatching(query, &item) == errSecSuccess, let item, CFGetTypeID(item) == CFDataGetTypeID() else {
        return nil
    }
    let data = item as! CFData
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(CFDataGetLength(data), 1), alignment: 1)
    defer { bytes.deallocate() }
    CFDataGetBytes(data, CFRangeMake(0, CFDataGetLength(data)), bytes.assumingMemoryBound(to: UInt8.self))
    return try body(UnsafeRawBufferPointer(start: bytes, count: CFDataGetLength(data)))
}
