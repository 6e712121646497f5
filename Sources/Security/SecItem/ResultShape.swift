// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// What a caller gets back, by what was asked for and how many were allowed (semantics §3.3).
struct ResultShape {
    private let returning: ReturnTypes
    private let isArray: Bool
    /// The keychain that keys which may not leave are used in.
    private let host: any KeychainHost
    /// How what such keys demand may be met.
    private let authentication: AuthenticationTerms

    init(_ returning: ReturnTypes, isArray: Bool, host: any KeychainHost, _ authentication: AuthenticationTerms) {
        self.returning = returning
        self.isArray = isArray
        self.host = host
        self.authentication = authentication
    }

    /// Whether a result is set at all; without return keys only an array says something, by being there.
    var saysAnything: Bool { !returning.isEmpty || isArray }

    func object(for results: [Found]) -> AnyObject? {
        guard isArray else { return results.first.flatMap(object) }
        let array = NSMutableArray(capacity: results.count)
        for result in results {
            if let object = object(for: result) { array.add(object) }
        }
        return array
    }

    /// The same for objects of the caller's own, which have no persistent reference.
    func object(for objects: [ListedObject]) -> AnyObject? {
        guard isArray else { return objects.first.flatMap(object) }
        let array = NSMutableArray(capacity: objects.count)
        for listed in objects {
            if let object = object(for: listed) { array.add(object) }
        }
        return array
    }

    private func object(for listed: ListedObject) -> AnyObject? {
        if returning == .data { return listed.data }
        if returning == .reference { return listed.reference }
        if returning.subtracting(.persistentReference).isEmpty { return nil }
        var entries = Entries()
        if returning.contains(.attributes) || returning.contains(.reference) {
            for entry in (try? listed.attributes())?.entries ?? [] {
                entries.append(ResultKeys.key(of: entry.attribute), ResultKeys.object(for: entry.value))
            }
        }
        if returning.contains(.reference) {
            entries.append(ResultKeys.itemClass, ResultKeys.className(of: listed))
            entries.append(ResultKeys.reference, listed.reference)
        }
        if returning.contains(.data), let data = listed.data { entries.append(ResultKeys.data, data) }
        return entries.dictionary
    }

    /// One result; nil where there is nothing of what was asked, as of a password that has no data.
    private func object(for found: Found) -> AnyObject? {
        if returning == .data { return found.secret.map(SecretData.init) }
        if returning == .persistentReference { return persistentReference(of: found) }
        if returning == .reference { return reference(of: found) }
        return returning.isEmpty ? nil : dictionary(for: found)
    }

    private func dictionary(for found: Found) -> NSDictionary {
        var entries = Entries()
        if returning.contains(.attributes) || returning.contains(.reference) {
            switch found {
            case .item(let item): entries.append(item)
            case .identity(let certificate, let key): entries.append(certificate: certificate, key: key)
            // No call of Apple's asks for it.
            case .damaged: break
            }
        }
        if returning.contains(.reference) {
            entries.append(ResultKeys.itemClass, ResultKeys.className(of: found))
            if let reference = reference(of: found) { entries.append(ResultKeys.reference, reference) }
        }
        if returning.contains(.data), let secret = found.secret {
            entries.append(ResultKeys.data, SecretData(secret))
        }
        if returning.contains(.persistentReference), let reference = persistentReference(of: found) {
            entries.append(ResultKeys.persistentReference, reference)
        }
        return entries.dictionary
    }

    private func persistentReference(of found: Found) -> NSData? {
        guard let bytes = found.persistentReference?.bytes else { return nil }
        return unsafe NSData(bytes: bytes, length: bytes.count)
    }

    /// nil when the item's bytes are not what its class says.
    private func reference(of found: Found) -> AnyObject? {
        switch found {
        case .item(let item):
            switch item.itemClass {
            case .genericPassword, .internetPassword:
                return SecKeychainItem(.item(item.itemClass, item.persistentID), in: host)
            case .certificate: return SecCertificate(item)
            case .key: return SecKey(item, in: host, authentication: authentication)
            }
        case .identity(let certificate, let key):
            guard let certificate = SecCertificate(certificate),
                let key = SecKey(key, in: host, authentication: authentication)
            else { return nil }
            // An item put together by hand may say that it is the key of any certificate.
            return SecIdentityCreate(nil, certificate, key)
        case .damaged: return nil
        }
    }

    /// The entries of a dictionary on their way into it.
    private struct Entries {
        private var keys: [NSObject] = []
        private var values: [AnyObject] = []

        init() {
            keys.reserveCapacity(20)
            values.reserveCapacity(20)
        }

        mutating func append(_ key: NSObject, _ value: AnyObject) {
            keys.append(key)
            values.append(value)
        }

        mutating func append(_ item: FoundItem) {
            guard let entries = item.attributes?.entries else { return }
            // By index: iterating would copy every value.
            for index in entries.indices {
                append(ResultKeys.key(of: entries[index].attribute), ResultKeys.object(for: entries[index].value))
            }
            append(ResultKeys.key(of: .accessControl), SecAccessControl.shared(item.accessControl))
        }

        /// Both halves' attributes; the certificate's count where both have one.
        mutating func append(certificate: FoundItem, key: FoundItem) {
            append(certificate)
            guard let taken = certificate.attributes, let attributes = key.attributes else { return }
            for entry in attributes.entries where !taken.contains(entry.attribute) {
                append(ResultKeys.key(of: entry.attribute), ResultKeys.object(for: entry.value))
            }
        }

        /// From buffers: the initialiser that takes arrays copies and casts every element.
        var dictionary: NSDictionary {
            unsafe values.withUnsafeBufferPointer { values in
                unsafe keys.withUnsafeBufferPointer { keys in
                    unsafe NSDictionary(objects: values.baseAddress, forKeys: keys.baseAddress, count: keys.count)
                }
            }
        }
    }
}

extension Found {
    /// What `kSecReturnData` gives: of an identity its key's bytes.
    fileprivate var secret: SecretValue? {
        switch self {
        case .item(let item): item.secret
        case .identity(_, let key): key.secret
        case .damaged: nil
        }
    }
}

/// The objects that results are made of; keys are made once.
enum ResultKeys {
    // NSString is immutable and these are never changed; Foundation only declines to say so.
    @safe nonisolated(unsafe) static let itemClass: NSString = "class"
    @safe nonisolated(unsafe) static let data: NSString = "v_Data"
    @safe nonisolated(unsafe) static let reference: NSString = "v_Ref"
    @safe nonisolated(unsafe) static let persistentReference: NSString = "v_PersistentRef"
    @safe nonisolated(unsafe) private static let identityClass: NSString = "idnt"

    @safe nonisolated(unsafe) private static let attributeKeys = Attribute.table { $0.key as NSString }
    @safe nonisolated(unsafe) private static let classNames = ItemClass.allCases.map { $0.name as NSString }

    static func key(of attribute: Attribute) -> NSString {
        attributeKeys[attribute.ordinal]
    }

    static func className(of found: Found) -> NSString {
        switch found {
        case .item(let item): classNames[Int(item.itemClass.rawValue)]
        case .identity: identityClass
        case .damaged(let item): classNames[Int(item.itemClass.rawValue)]
        }
    }

    static func className(of listed: ListedObject) -> NSString {
        switch listed {
        case .certificate: classNames[Int(ItemClass.certificate.rawValue)]
        case .key: classNames[Int(ItemClass.key.rawValue)]
        case .identity: identityClass
        }
    }

    static func object(for value: AttributeValue) -> AnyObject {
        switch value {
        case .string(let text): text as NSString
        case .data(let bytes): unsafe NSData(bytes: bytes, length: bytes.count)
        case .number(let number): NSNumber(value: number)
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date)
        }
    }
}
