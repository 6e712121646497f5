// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

/// What a caller gets back, by what was asked for and how many were allowed (semantics §3.3).
struct ResultShape {
    private let returning: ReturnTypes
    private let isArray: Bool

    init(_ returning: ReturnTypes, limit: MatchLimit) {
        self.returning = returning
        isArray = limit != .single
    }

    /// Whether a result is set at all; without return keys only an array says something, by being there.
    var saysAnything: Bool { !returning.isEmpty || isArray }

    func object(for items: [FoundItem]) -> AnyObject? {
        guard isArray else { return items.first.flatMap(object) }
        let array = NSMutableArray(capacity: items.count)
        for item in items {
            if let object = object(for: item) { array.add(object) }
        }
        return array
    }

    /// One item's result; nil where there is nothing of what was asked, as of a password that has no data.
    private func object(for item: FoundItem) -> AnyObject? {
        if returning == .data { return item.secret.map(SecretData.init) }
        if returning == .persistentReference { return persistentReference(of: item) }
        // Nothing, or a reference alone: a password has no reference object.
        if returning.isEmpty || returning == .reference { return nil }
        return dictionary(for: item)
    }

    private func dictionary(for item: FoundItem) -> NSDictionary {
        let wantsAttributes = returning.contains(.attributes) || returning.contains(.reference)
        var keys: [NSObject] = []
        var values: [AnyObject] = []
        keys.reserveCapacity(20)
        values.reserveCapacity(20)
        if wantsAttributes, let attributes = item.attributes {
            for entry in attributes.entries {
                keys.append(ResultKeys.key(of: entry.attribute))
                values.append(ResultKeys.object(for: entry.value))
            }
            keys.append(ResultKeys.key(of: .accessControl))
            values.append(SecAccessControl.shared(item.accessControl))
        }
        if returning.contains(.reference) {
            keys.append(ResultKeys.itemClass)
            values.append(ResultKeys.name(of: item.itemClass))
        }
        if returning.contains(.data), let secret = item.secret {
            keys.append(ResultKeys.data)
            values.append(SecretData(secret))
        }
        if returning.contains(.persistentReference) {
            keys.append(ResultKeys.persistentReference)
            values.append(persistentReference(of: item))
        }
        // From buffers: the initialiser that takes arrays copies and casts every element.
        return unsafe values.withUnsafeBufferPointer { values in
            unsafe keys.withUnsafeBufferPointer { keys in
                unsafe NSDictionary(objects: values.baseAddress, forKeys: keys.baseAddress, count: keys.count)
            }
        }
    }

    private func persistentReference(of item: FoundItem) -> NSData {
        let bytes = PersistentReference.bytes(of: item.itemClass, item.persistentID)
        return unsafe NSData(bytes: bytes, length: bytes.count)
    }
}
