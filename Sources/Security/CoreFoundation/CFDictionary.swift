// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CoreFoundation
public import LlaveroFoundation

// Keys and values are pointers to objects: see CFCollections.swift.

/// A dictionary of objects; nil when one of them is missing.
public func CFDictionaryCreate(
    _ allocator: CFAllocator!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFDictionary! {
    guard let keys = unsafe Borrowed.objects(keys, numValues), let values = unsafe Borrowed.objects(values, numValues)
    else { return nil }
    let made = NSMutableDictionary()
    for (key, value) in zip(keys, values) {
        guard let key = key as? NSObject else { return nil }
        if made.object(forKey: key) == nil { made.setObject(value, forKey: key) }
    }
    return made.copy() as? NSDictionary
}

/// A dictionary with the same entries.
public func CFDictionaryCreateCopy(_ allocator: CFAllocator!, _ theDict: CFDictionary!) -> CFDictionary! {
    theDict?.copy() as? NSDictionary
}

/// A dictionary that can change.
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { NSMutableDictionary() }

/// A dictionary with the same entries that can change.
public func CFDictionaryCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theDict: CFDictionary!
) -> CFMutableDictionary! { theDict?.mutableCopy() as? NSMutableDictionary }

/// How many entries there are.
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

/// The value of a key; nil when there is none, or when a dictionary of the program's own class made it for the answer.
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
    guard let theDict, let key = unsafe key, let wanted = unsafe Borrowed.object(key) as? NSObject,
        let value = theDict.object(forKey: wanted)
    else { return nil }
    guard Borrowed.isFoundations(theDict) else { return unsafe Borrowed.pointer(answered: value) }
    return unsafe CoreFoundation.CFDictionaryGetValue(
        unsafeBitCast(theDict, to: CoreFoundation.CFDictionary.self), key)
}

/// Whether a key has a value, to which `value` is set.
public func CFDictionaryGetValueIfPresent(
    _ theDict: CFDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    guard let found = unsafe CFDictionaryGetValue(theDict, key) else { return false }
    if let value = unsafe value { unsafe value.pointee = found }
    return true
}

/// Sets `keys` and `values` to all there are, in the same order; either may be nil.
///
/// Nil stands for what a dictionary of the program's own class makes for the answer alone.
public func CFDictionaryGetKeysAndValues(
    _ theDict: CFDictionary!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    guard let theDict, theDict.count > 0 else { return }
    guard Borrowed.isFoundations(theDict) else {
        let (keys, values) = unsafe (keys, values)
        for (place, key) in theDict.keyEnumerator().prefix(theDict.count).enumerated() {
            if let keys = unsafe keys { unsafe keys[place] = Borrowed.pointer(answered: key) }
            if let values = unsafe values {
                unsafe values[place] = Borrowed.pointer(answered: theDict.object(forKey: key))
            }
        }
        return
    }
    unsafe CoreFoundation.CFDictionaryGetKeysAndValues(
        unsafeBitCast(theDict, to: CoreFoundation.CFDictionary.self), keys, values)
}

/// Whether a key has a value.
public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    guard let theDict, let key = unsafe key, let wanted = unsafe Borrowed.object(key) as? NSObject else { return false }
    return theDict.object(forKey: wanted) != nil
}

/// Whether some key has an equal value.
public func CFDictionaryContainsValue(_ theDict: CFDictionary!, _ value: UnsafeRawPointer!) -> Bool {
    guard let theDict, let value = unsafe value else { return false }
    let wanted = unsafe Borrowed.object(value)
    return theDict.allValues.contains { CFEqual($0 as AnyObject, wanted) }
}

/// 1 where the key has a value, else 0.
public func CFDictionaryGetCountOfKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> CFIndex {
    unsafe CFDictionaryContainsKey(theDict, key) ? 1 : 0
}

/// How many keys have an equal value.
public func CFDictionaryGetCountOfValue(_ theDict: CFDictionary!, _ value: UnsafeRawPointer!) -> CFIndex {
    guard let theDict, let value = unsafe value else { return 0 }
    let wanted = unsafe Borrowed.object(value)
    return theDict.allValues.count { CFEqual($0 as AnyObject, wanted) }
}

/// What ``CFDictionaryApplyFunction(_:_:_:)`` calls: with the key, the value, and what the caller passed.
public typealias CFDictionaryApplierFunction =
    @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Void

/// Calls a function for each entry.
public func CFDictionaryApplyFunction(
    _ theDict: CFDictionary!, _ applier: CFDictionaryApplierFunction!, _ context: UnsafeMutableRawPointer!
) {
    guard let theDict, let applier = unsafe applier else { return }
    let count = theDict.count
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    var values = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    unsafe CFDictionaryGetKeysAndValues(theDict, &keys, &values)
    for index in 0..<count { unsafe applier(keys[index], values[index], context) }
    withExtendedLifetime(theDict) {}
}

/// Gives a key a value, unless it has one.
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if unsafe !CFDictionaryContainsKey(theDict, key) { unsafe CFDictionarySetValue(theDict, key, value) }
}

/// Gives a key a value, whether it has one or not.
public func CFDictionarySetValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    guard let theDict, let key = unsafe key, let value = unsafe value,
        let named = unsafe Borrowed.object(key) as? NSObject
    else { return }
    theDict.setObject(unsafe Borrowed.object(value), forKey: named)
}

/// Gives a key that has a value another one.
public func CFDictionaryReplaceValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if unsafe CFDictionaryContainsKey(theDict, key) { unsafe CFDictionarySetValue(theDict, key, value) }
}

/// Removes a key with its value.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    guard let theDict, let key = unsafe key, let named = unsafe Borrowed.object(key) as? NSObject else { return }
    theDict.removeObject(forKey: named)
}

/// Removes every entry.
public func CFDictionaryRemoveAllValues(_ theDict: CFMutableDictionary!) { theDict?.removeAllObjects() }
