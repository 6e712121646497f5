// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
internal import Foundation
internal import KeychainModel

/// What a caller's object is, told by its class; Swift's casts would cost a hundred times as much.
package enum ValueReading {
    // Foundation keeps booleans in a class of their own; nothing else tells `true` from 1.
    private static let booleanClass = ObjectIdentifier(type(of: NSNumber(value: true) as AnyObject))
    private static let stringClass = ObjectIdentifier(NSString.self)

    package static func isBoolean(_ value: AnyObject) -> Bool {
        ObjectIdentifier(type(of: value)) == booleanClass
    }

    static func boolean(_ value: AnyObject) -> Bool? {
        // Foundation's class for booleans is one of NSNumber's.
        isBoolean(value) ? unsafe unsafeDowncast(value, to: NSNumber.self).boolValue : nil
    }

    private static let nullClass = ObjectIdentifier(NSNull.self)

    static func isNull(_ value: AnyObject) -> Bool { ObjectIdentifier(type(of: value)) == nullClass }

    /// The text of a string object, or nil when it is not one, or holds half a surrogate pair, which UTF-8 cannot encode.
    package static func string(_ value: AnyObject) -> String? {
        let object: NSString
        if ObjectIdentifier(type(of: value)) == stringClass {
            object = unsafe unsafeDowncast(value, to: NSString.self)
        } else if let other = value as? NSString {
            object = other
        } else {
            return nil
        }
        let text = object as String
        return text.contains(byte: 0xEF) && hasLoneSurrogate(object) ? nil : text
    }

    private static func hasLoneSurrogate(_ text: NSString) -> Bool {
        var awaitsLow = false
        for index in 0..<text.length {
            let unit = text.character(at: index)
            let isLow = (0xDC00...0xDFFF).contains(unit)
            if awaitsLow != isLow { return true }
            awaitsLow = (0xD800...0xDBFF).contains(unit)
        }
        return awaitsLow
    }

    /// The object as data.
    ///
    /// A `Data` is an NSData here; converting it back would go byte by byte.
    static func data(_ value: AnyObject) -> NSData? { value as? NSData }

    static func bytes(_ data: NSData) -> [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: data.bytes, count: data.length))
    }

    /// The number a number object holds when it is a whole one that 64 bits can say.
    ///
    /// Booleans count as 0 and 1.
    static func wholeNumber(_ value: NSNumber) -> Int64? {
        let native = unsafe unsafeBitCast(value, to: CFNumber.self)
        if !isBoolean(value), CFNumberIsFloatType(native) { return Int64(exactly: value.doubleValue) }
        let number = value.int64Value
        // An unsigned number beyond Int64 wraps to a negative one.
        if number < 0, value.compare(NSNumber(value: number)) != .orderedSame { return nil }
        return number
    }
}

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
        if kind == ListedDictionary.self {
            return try unsafe unsafeDowncast(dictionary, to: ListedDictionary.self).forEach(body)
        }
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
