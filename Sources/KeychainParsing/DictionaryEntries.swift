// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
internal import Foundation
internal import KeychainModel

/// The entries of a caller's dictionary, as the objects they are.
///
/// Foundation's own iteration bridges every value to a Swift type and costs ten times as much as the rest of parsing,
/// so the keys and values are fetched in one call.
enum DictionaryEntries {
    /// No dictionary with more keys than this is any request of ours.
    private static let mostKeys = 128 + Attribute.allCases.count

    static func forEach(
        of dictionary: NSDictionary, _ body: (AnyObject, AnyObject) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let count = dictionary.count
        guard count <= mostKeys else { throw KeychainError(.parameter, "the dictionary has too many keys") }
        let kind: AnyObject.Type = type(of: dictionary)
        guard kind == NSDictionary.self || kind == NSMutableDictionary.self else {
            return try forEachOfSubclass(dictionary, body)
        }
        let outcome = unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 2 * count + 1) {
            buffer -> Result<Void, KeychainError> in
            guard let base = buffer.baseAddress else { return .success(()) }
            // A CFDictionary is an NSDictionary in this Foundation; the cast changes no bits.
            let native = unsafe unsafeBitCast(dictionary, to: CFDictionary.self)
            unsafe buffer.initialize(repeating: nil)
            unsafe CFDictionaryGetKeysAndValues(native, base, base + count)
            do throws(KeychainError) {
                for index in 0..<count {
                    guard let key = unsafe base[index], let value = unsafe base[count + index] else {
                        throw KeychainError(.parameter, "a key of the dictionary has no value")
                    }
                    try unsafe body(
                        Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue(),
                        Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue())
                }
                return .success(())
            } catch { return .failure(error) }
        }
        withExtendedLifetime(dictionary) {}
        try outcome.get()
    }

    /// A program's own subclass answers only through its methods.
    private static func forEachOfSubclass(
        _ dictionary: NSDictionary, _ body: (AnyObject, AnyObject) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for key in dictionary.keyEnumerator() {
            guard let value = dictionary.object(forKey: key) else {
                throw KeychainError(.parameter, "a key of the dictionary has no value")
            }
            try body(key as AnyObject, value as AnyObject)
        }
    }
}
