// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// How a property list is written.
@frozen public enum CFPropertyListFormat: CFIndex, Sendable {
    /// The text of NeXTSTEP, which is read and not written.
    case openStepFormat = 1
    /// XML.
    case xmlFormat_v1_0 = 100
    /// Bytes.
    case binaryFormat_v1_0 = 200
}

extension CFPropertyListFormat {
    fileprivate var foundation: PropertyListSerialization.PropertyListFormat {
        switch self {
        case .openStepFormat: .openStep
        case .xmlFormat_v1_0: .xml
        case .binaryFormat_v1_0: .binary
        }
    }
}

/// What of a property list that was read can change.
public struct CFPropertyListMutabilityOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Options from their bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// Arrays and dictionaries.
    public static let mutableContainers = CFPropertyListMutabilityOptions(rawValue: 1)
    /// Arrays, dictionaries, text and data.
    public static let mutableContainersAndLeaves = CFPropertyListMutabilityOptions(rawValue: 2)
}

/// A property list as bytes; nil, and an error, when something else is in it.
///
/// The caller releases both.
///
/// - Parameter options: None are known.
public func CFPropertyListCreateData(
    _ allocator: CFAllocator!, _ propertyList: CFPropertyList!, _ format: CFPropertyListFormat,
    _ options: CFOptionFlags, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>!
) -> Unmanaged<CFData>! {
    unsafe PropertyLists.result(error) {
        guard CFPropertyListIsValid(propertyList, format), options == 0, format != .openStepFormat else {
            throw CocoaError(.propertyListWriteInvalid)
        }
        return try PropertyListSerialization.data(
            fromPropertyList: propertyList as Any, format: format.foundation, options: 0) as NSData
    }
}

/// What bytes of a property list say; nil, and an error, when they are none.
///
/// The caller releases both.
///
/// - Parameters:
///   - options: Bits of ``CFPropertyListMutabilityOptions``.
///   - format: Set to how it was written.
public func CFPropertyListCreateWithData(
    _ allocator: CFAllocator!, _ data: CFData!, _ options: CFOptionFlags,
    _ format: UnsafeMutablePointer<CFPropertyListFormat>!, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>!
) -> Unmanaged<CFPropertyList>! {
    let place = unsafe format
    return unsafe PropertyLists.result(error) {
        guard let data, options <= 2 else { throw CocoaError(.propertyListReadCorrupt) }
        var found = PropertyListSerialization.PropertyListFormat.xml
        let read = try unsafe PropertyListSerialization.propertyList(
            from: data as Data, options: PropertyListSerialization.MutabilityOptions(rawValue: options),
            format: &found)
        if let place = unsafe place {
            unsafe place.pointee = CFPropertyListFormat(rawValue: CFIndex(found.rawValue)) ?? .xmlFormat_v1_0
        }
        return PropertyLists.object(read, options)
    }
}

/// A copy with all that is in it; nil where something else is.
///
/// - Parameter mutabilityOption: Bits of ``CFPropertyListMutabilityOptions``.
public func CFPropertyListCreateDeepCopy(
    _ allocator: CFAllocator!, _ propertyList: CFPropertyList!, _ mutabilityOption: CFOptionFlags
) -> CFPropertyList! {
    guard let written = unsafe CFPropertyListCreateData(nil, propertyList, .binaryFormat_v1_0, 0, nil) else {
        return nil
    }
    let data = unsafe written.takeRetainedValue()
    return unsafe CFPropertyListCreateWithData(nil, data, mutabilityOption, nil, nil)?.takeRetainedValue()
}

/// Whether an object, with all that is in it, can be written so; a collection of a program's own class cannot.
public func CFPropertyListIsValid(_ plist: CFPropertyList!, _ format: CFPropertyListFormat) -> Bool {
    guard let plist else { return false }
    return PropertyLists.isValid(plist, depth: 0)
}

private enum PropertyLists {
    /// Collections within collections, at most so many: a program can put an array into itself.
    private static let deepest = 128

    static func isValid(_ object: AnyObject, depth: Int) -> Bool {
        guard depth < deepest else { return false }
        switch object {
        case is NSString, is NSData, is NSNumber, is NSDate: return true
        case let array as NSArray where Borrowed.isFoundations(array):
            return contents(of: array).allSatisfy { isValid($0, depth: depth + 1) }
        case let dictionary as NSDictionary where Borrowed.isFoundations(dictionary):
            let (keys, values) = contents(of: dictionary)
            return keys.allSatisfy { $0 is NSString } && values.allSatisfy { isValid($0, depth: depth + 1) }
        default: return false
        }
    }

    /// The very objects: Foundation would make Swift arrays of arrays as deep as they go, and they may have no end.
    private static func contents(of array: NSArray) -> [AnyObject] {
        (0..<array.count).compactMap { index in
            guard let value = unsafe CFArrayGetValueAtIndex(array, index) else { return nil }
            return unsafe Borrowed.object(value)
        }
    }

    private static func contents(of dictionary: NSDictionary) -> (keys: [AnyObject], values: [AnyObject]) {
        let count = dictionary.count
        var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        var values = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        unsafe CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
        defer { withExtendedLifetime(dictionary) {} }
        return unsafe (
            keys.compactMap { unsafe $0 }.map { unsafe Borrowed.object($0) },
            values.compactMap { unsafe $0 }.map { unsafe Borrowed.object($0) }
        )
    }

    /// The object of what was read; Foundation reads collections that cannot change, whatever it is asked for.
    static func object(_ value: Any, _ options: CFOptionFlags) -> AnyObject {
        let object = value as AnyObject
        guard options != 0 else { return object }
        switch object {
        case let array as NSArray:
            let made = NSMutableArray()
            for value in array { made.add(Self.object(value, options)) }
            return made
        case let dictionary as NSDictionary:
            let made = NSMutableDictionary()
            for (key, value) in dictionary {
                if let key = (key as AnyObject) as? NSObject {
                    made.setObject(Self.object(value, options), forKey: key)
                }
            }
            return made
        case let text as NSString where options == 2: return text.mutableCopy() as AnyObject
        case let data as NSData where options == 2: return NSMutableData(data: data as Data)
        default: return object
        }
    }

    static func result<Made: AnyObject>(
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws -> Made
    ) -> Unmanaged<Made>? {
        do {
            return try unsafe Unmanaged.passRetained(body())
        } catch let failure {
            if let error = unsafe error { unsafe error.pointee = Unmanaged.passRetained(failure as NSError) }
            return nil
        }
    }
}
