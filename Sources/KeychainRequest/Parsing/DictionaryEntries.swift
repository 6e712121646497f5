// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
internal import Foundation
internal import KeychainModel

/// The entries of a caller's dictionary, read once.
///
/// Foundation's own iteration bridges every value to a Swift type and costs ten times as much as the rest of parsing,
/// so the keys and values are fetched as objects in one call.
struct DictionaryEntries {
    /// No dictionary with more keys than this is any request of ours.
    static let mostKeys = 128 + Attribute.allCases.count

    let keys: [AnyObject]
    let values: [AnyObject]

    init(_ dictionary: NSDictionary) throws(KeychainError) {
        let count = dictionary.count
        guard count <= DictionaryEntries.mostKeys else {
            throw KeychainError(.parameter, "the dictionary has too many keys")
        }
        var keys: [AnyObject] = []
        var values: [AnyObject] = []
        keys.reserveCapacity(count)
        values.reserveCapacity(count)
        let kind: AnyObject.Type = type(of: dictionary)
        if kind == NSDictionary.self || kind == NSMutableDictionary.self {
            unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 2 * count + 1) { buffer in
                guard let base = buffer.baseAddress else { return }
                // A CFDictionary is an NSDictionary in this Foundation; the cast changes no bits.
                let native = unsafe unsafeBitCast(dictionary, to: CFDictionary.self)
                unsafe buffer.initialize(repeating: nil)
                unsafe CFDictionaryGetKeysAndValues(native, base, base + count)
                for index in 0..<count {
                    guard let key = unsafe base[index], let value = unsafe base[count + index] else { continue }
                    unsafe keys.append(Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue())
                    unsafe values.append(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue())
                }
            }
            withExtendedLifetime(dictionary) {}
        } else {
            // A program's own subclass answers only through its methods.
            for case let key as AnyObject in dictionary.keyEnumerator() {
                guard let value = dictionary.object(forKey: key) else { continue }
                keys.append(key)
                values.append(value as AnyObject)
            }
        }
        guard keys.count == count else {
            throw KeychainError(.parameter, "a key of the dictionary has no value")
        }
        self.keys = keys
        self.values = values
    }
}
