// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CoreFoundation
public import LlaveroFoundation

// Values go in and out as pointers to objects, as on Apple's systems. What a pointer leads to has to be an object here,
// whatever the callbacks say: a Foundation collection holds nothing else. One that comes out is the collection's own.

/// A part of something that is counted.
public struct CFRange: Sendable, Equatable {
    /// Where it begins.
    public var location: CFIndex
    /// How long it is.
    public var length: CFIndex

    /// Nothing, at the beginning.
    public init() { self.init(location: 0, length: 0) }

    /// What begins there and is that long.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }

    /// The indices, as far as they are among `count`; nil where some are not.
    func indices(among count: Int) -> Range<Int>? {
        let (end, overflows) = location.addingReportingOverflow(length)
        guard location >= 0, length >= 0, !overflows, end <= count else { return nil }
        return location..<end
    }
}

/// What begins there and is that long.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

/// How an array would keep its values; objects are always retained here.
public struct CFArrayCallBacks: Sendable {
    /// The only kind.
    public init() {}
}

/// How a set would keep its values; objects are always retained here.
public struct CFSetCallBacks: Sendable {
    /// The only kind.
    public init() {}
}

/// How a dictionary would keep its keys; objects are always retained, and compared by what they are.
public struct CFDictionaryKeyCallBacks: Sendable {
    /// The only kind.
    public init() {}
}

/// How a dictionary would keep its values; objects are always retained here.
public struct CFDictionaryValueCallBacks: Sendable {
    /// The only kind.
    public init() {}
}

/// The callbacks of an array of objects.
public let kCFTypeArrayCallBacks = CFArrayCallBacks()
/// The callbacks of a set of objects.
public let kCFTypeSetCallBacks = CFSetCallBacks()
/// The callbacks of a dictionary whose keys are objects.
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The callbacks of a dictionary whose keys are strings, which it copies.
public let kCFCopyStringDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The callbacks of a dictionary whose values are objects.
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

/// Objects and the pointers that lead to them, without ownership.
enum Borrowed {
    static func object(_ pointer: UnsafeRawPointer) -> AnyObject {
        unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    static func pointer(_ object: AnyObject) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// What a collection of a program's own class answered, as it lies; nil for what was made for the answer alone.
    static func pointer(answered value: Any?) -> UnsafeRawPointer? {
        guard let value, type(of: value) is AnyClass else { return nil }
        return unsafe pointer(value as AnyObject)
    }

    /// Whether Core Foundation itself can look into a collection: one of a program's own class answers only through its
    /// methods, and Core Foundation would take it for what it is not.
    static func isFoundations(_ collection: AnyObject) -> Bool {
        let kind: AnyObject.Type = type(of: collection)
        switch kind {
        case is NSDictionary.Type where kind == NSDictionary.self || kind == NSMutableDictionary.self: return true
        case is NSArray.Type where kind == NSArray.self || kind == NSMutableArray.self: return true
        case is NSSet.Type where kind == NSSet.self || kind == NSMutableSet.self: return true
        default: return String(reflecting: kind).hasPrefix("Foundation.")
        }
    }

    /// As many objects as are said; nil where there are fewer.
    static func objects(_ values: UnsafeMutablePointer<UnsafeRawPointer?>?, _ count: CFIndex) -> [AnyObject]? {
        guard count > 0 else { return count == 0 ? [] : nil }
        guard let values = unsafe values else { return nil }
        var objects: [AnyObject] = []
        for index in 0..<count {
            guard let value = unsafe values[index] else { return nil }
            objects.append(unsafe object(value))
        }
        return objects
    }
}

/// An array of objects; nil when one of them is missing.
public func CFArrayCreate(
    _ allocator: CFAllocator!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    unsafe Borrowed.objects(values, numValues).map { NSArray(array: $0) }
}

/// An array with the same values.
public func CFArrayCreateCopy(_ allocator: CFAllocator!, _ theArray: CFArray!) -> CFArray! {
    theArray.map { NSArray(array: $0 as? [Any] ?? []) }
}

/// An array that can change.
public func CFArrayCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! { NSMutableArray() }

/// An array with the same values that can change.
public func CFArrayCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theArray: CFArray!
) -> CFMutableArray! { theArray.map { NSMutableArray(array: $0 as? [Any] ?? []) } }

/// How many values there are.
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }

/// The value at an index; nil beyond the end.
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard let theArray, idx >= 0, idx < theArray.count else { return nil }
    guard Borrowed.isFoundations(theArray) else { return unsafe Borrowed.pointer(answered: theArray.object(at: idx)) }
    // Foundation would make a new object of a string or a number; Core Foundation gives the array's own.
    return unsafe CoreFoundation.CFArrayGetValueAtIndex(
        unsafeBitCast(theArray, to: CoreFoundation.CFArray.self), idx)
}

/// Sets `values` to those of a part of the array.
public func CFArrayGetValues(
    _ theArray: CFArray!, _ range: CFRange, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    guard let theArray, let values = unsafe values, let part = range.indices(among: theArray.count) else { return }
    for (place, index) in part.enumerated() { unsafe values[place] = CFArrayGetValueAtIndex(theArray, index) }
}

/// The first index of an equal value in a part of the array; -1 when there is none.
public func CFArrayGetFirstIndexOfValue(
    _ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!
) -> CFIndex {
    guard let theArray, let value = unsafe value, let part = range.indices(among: theArray.count) else { return -1 }
    let wanted = unsafe Borrowed.object(value)
    return part.first { CFEqual(theArray.object(at: $0) as AnyObject, wanted) } ?? -1
}

/// Whether an equal value is in a part of the array.
public func CFArrayContainsValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> Bool {
    unsafe CFArrayGetFirstIndexOfValue(theArray, range, value) >= 0
}

/// How many equal values are in a part of the array.
public func CFArrayGetCountOfValue(_ theArray: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!) -> CFIndex {
    guard let theArray, let value = unsafe value, let part = range.indices(among: theArray.count) else { return 0 }
    let wanted = unsafe Borrowed.object(value)
    return part.count { CFEqual(theArray.object(at: $0) as AnyObject, wanted) }
}

/// What ``CFArrayApplyFunction(_:_:_:_:)`` calls: with the value, and what the caller passed.
public typealias CFArrayApplierFunction = @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Void

/// Calls a function for each value of a part of the array.
public func CFArrayApplyFunction(
    _ theArray: CFArray!, _ range: CFRange, _ applier: CFArrayApplierFunction!, _ context: UnsafeMutableRawPointer!
) {
    guard let theArray, let applier = unsafe applier, let part = range.indices(among: theArray.count) else { return }
    for index in part { unsafe applier(CFArrayGetValueAtIndex(theArray, index), context) }
    withExtendedLifetime(theArray) {}
}

/// Adds a value at the end.
public func CFArrayAppendValue(_ theArray: CFMutableArray!, _ value: UnsafeRawPointer!) {
    if let value = unsafe value { theArray?.add(unsafe Borrowed.object(value)) }
}

/// Adds a part of another array at the end.
public func CFArrayAppendArray(_ theArray: CFMutableArray!, _ otherArray: CFArray!, _ otherRange: CFRange) {
    guard let theArray, let otherArray, let part = otherRange.indices(among: otherArray.count) else { return }
    for index in part { theArray.add(otherArray.object(at: index)) }
}

/// Puts a value in before an index; nothing beyond the end.
public func CFArrayInsertValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex, _ value: UnsafeRawPointer!) {
    guard let theArray, let value = unsafe value, idx >= 0, idx <= theArray.count else { return }
    theArray.insert(unsafe Borrowed.object(value), at: idx)
}

/// Changes the value at an index, or adds one behind the last; nothing beyond that.
public func CFArraySetValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex, _ value: UnsafeRawPointer!) {
    guard let theArray, let value = unsafe value, idx >= 0, idx <= theArray.count else { return }
    let object = unsafe Borrowed.object(value)
    if idx == theArray.count { theArray.add(object) } else { theArray.replaceObject(at: idx, with: object) }
}

/// Removes the value at an index; nothing beyond the end.
public func CFArrayRemoveValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex) {
    guard let theArray, idx >= 0, idx < theArray.count else { return }
    theArray.removeObject(at: idx)
}

/// Removes every value.
public func CFArrayRemoveAllValues(_ theArray: CFMutableArray!) { theArray?.removeAllObjects() }

// Sets.

/// A set of objects; nil when one of them is missing.
public func CFSetCreate(
    _ allocator: CFAllocator!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
    _ callBacks: UnsafePointer<CFSetCallBacks>!
) -> CFSet! {
    unsafe Borrowed.objects(values, numValues).map { NSSet(array: $0) }
}

/// A set that can change.
public func CFSetCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ callBacks: UnsafePointer<CFSetCallBacks>!
) -> CFMutableSet! { NSMutableSet() }

/// How many values there are.
public func CFSetGetCount(_ theSet: CFSet!) -> CFIndex { theSet?.count ?? 0 }

/// Whether an equal value is in the set.
public func CFSetContainsValue(_ theSet: CFSet!, _ value: UnsafeRawPointer!) -> Bool {
    guard let theSet, let value = unsafe value else { return false }
    return theSet.contains(unsafe Borrowed.object(value))
}

/// A set with the same values.
public func CFSetCreateCopy(_ allocator: CFAllocator!, _ theSet: CFSet!) -> CFSet! {
    theSet?.copy() as? NSSet
}

/// The value in the set that is equal to one; nil when there is none.
public func CFSetGetValue(_ theSet: CFSet!, _ value: UnsafeRawPointer!) -> UnsafeRawPointer! {
    guard let theSet, let wanted = unsafe value, unsafe CFSetContainsValue(theSet, wanted) else { return nil }
    guard Borrowed.isFoundations(theSet) else {
        return unsafe Borrowed.pointer(answered: theSet.member(Borrowed.object(wanted)))
    }
    return unsafe CoreFoundation.CFSetGetValue(unsafeBitCast(theSet, to: CoreFoundation.CFSet.self), wanted)
}

/// Sets `values` to all there are.
public func CFSetGetValues(_ theSet: CFSet!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!) {
    guard let theSet, theSet.count > 0, let values = unsafe values else { return }
    guard Borrowed.isFoundations(theSet) else {
        for (place, value) in theSet.objectEnumerator().prefix(theSet.count).enumerated() {
            unsafe values[place] = Borrowed.pointer(answered: value)
        }
        return
    }
    unsafe CoreFoundation.CFSetGetValues(unsafeBitCast(theSet, to: CoreFoundation.CFSet.self), values)
}

/// Puts a value in, unless an equal one is there.
public func CFSetAddValue(_ theSet: CFMutableSet!, _ value: UnsafeRawPointer!) {
    if let value = unsafe value { theSet?.add(unsafe Borrowed.object(value)) }
}

/// Removes a value.
public func CFSetRemoveValue(_ theSet: CFMutableSet!, _ value: UnsafeRawPointer!) {
    if let value = unsafe value { theSet?.remove(unsafe Borrowed.object(value)) }
}

/// Removes every value.
public func CFSetRemoveAllValues(_ theSet: CFMutableSet!) { theSet?.removeAllObjects() }
