// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import KeychainParsing
internal import Security

/// An object of Core Foundation, as C passes it.
public typealias CObject = UnsafeRawPointer

/// Where C wants an object put that it is to release.
public typealias CResult = UnsafeMutablePointer<UnsafeRawPointer?>

/// A client's objects as the module Security takes them.
///
/// Told by the number of their class: a cast of Swift's takes a number 1 for true, and traps on some objects.
package enum Incoming {
    /// Collections within collections, at most so many: a client can put an array into itself.
    private static let deepest = 16

    /// nil for NULL, for what is nested too deeply, and for a dictionary that has NULL in it.
    package static func object(_ pointer: CObject?) -> AnyObject? { object(pointer, depth: 0) }

    private static func object(_ pointer: CObject?, depth: Int) -> AnyObject? {
        guard let pointer else { return nil }
        return object(pointer, of: csec_type_of(pointer), depth: depth)
    }

    private static func object(_ pointer: CObject, of type: csec_type, depth: Int) -> AnyObject? {
        guard depth < deepest else { return nil }
        switch type {
        case csec_type_string: return string(pointer)
        case csec_type_boolean: return csec_boolean_value(pointer) ? Truth.yes : Truth.no
        case csec_type_data, csec_type_number: return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
        case csec_type_box: return held(pointer)
        case csec_type_dictionary: return dictionary(pointer, depth: depth + 1)
        case csec_type_array: return array(pointer, depth: depth + 1)
        case csec_type_date: return NSDate(timeIntervalSinceReferenceDate: csec_date_value(pointer))
        case csec_type_null: return NSNull()
        case csec_type_uuid: return uuid(pointer)
        default: return UnknownObject()
        }
    }

    /// What a box holds, when it is of this class.
    static func reference<Class: AnyObject>(_ pointer: CObject?, _ type: Class.Type = Class.self) -> Class? {
        guard let pointer, csec_type_of(pointer) == csec_type_box else { return nil }
        return held(pointer) as? Class
    }

    /// The dictionary of a query, an update, or parameters.
    static func dictionary(_ pointer: CObject?) -> NSDictionary? {
        guard let pointer, csec_type_of(pointer) == csec_type_dictionary else { return nil }
        return dictionary(pointer, depth: 1)
    }

    static func array(_ pointer: CObject?) -> NSArray? {
        guard let pointer, csec_type_of(pointer) == csec_type_array else { return nil }
        return array(pointer, depth: 1)
    }

    static func data(_ pointer: CObject?) -> NSData? {
        guard let pointer, csec_type_of(pointer) == csec_type_data else { return nil }
        return object(pointer) as? NSData
    }

    static func string(of pointer: CObject?) -> NSString? {
        guard let pointer, csec_type_of(pointer) == csec_type_string else { return nil }
        return string(pointer)
    }

    private static func held(_ box: CObject) -> AnyObject? {
        csec_held(box).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Our constants are known by where they are; ASCII becomes a string of Swift's, which is read faster later.
    private static func string(_ pointer: CObject) -> NSString {
        if let known = Constants.known(pointer) { return known }
        var count = 0
        guard let text = csec_ascii(pointer, &count) else {
            return Unmanaged<NSString>.fromOpaque(pointer).takeUnretainedValue()
        }
        return text.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self) as NSString
        }
    }

    private static func uuid(_ pointer: CObject) -> NSUUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { room in
            if let base = room.bindMemory(to: UInt8.self).baseAddress { csec_uuid_value(pointer, base) }
        }
        return UUID(uuid: bytes) as NSUUID
    }

    private static func array(_ pointer: CObject, depth: Int) -> NSArray? {
        let count = csec_array_count(pointer)
        return withUnsafeTemporaryAllocation(of: CObject?.self, capacity: count + 1) { values -> NSArray? in
            values.initialize(repeating: nil)
            csec_array_values(pointer, count, values.baseAddress)
            let array = NSMutableArray(capacity: count)
            for index in 0..<count {
                guard let object = object(values[index], depth: depth) else { return nil }
                array.add(object)
            }
            return array
        }
    }

    /// Enumerated, for one that was made without callbacks compares its keys by where they are.
    ///
    /// Put together from buffers, which costs a tenth of adding one entry after the other.
    private static func dictionary(_ pointer: CObject, depth: Int) -> NSDictionary? {
        let count = csec_dictionary_count(pointer)
        return withUnsafeTemporaryAllocation(of: CObject?.self, capacity: 2 * count + 1) { room -> NSDictionary? in
            room.initialize(repeating: nil)
            guard let base = room.baseAddress else { return nil }
            csec_dictionary_entries(pointer, base, base + count)
            var keys: [NSObject] = []
            var values: [AnyObject] = []
            keys.reserveCapacity(count)
            values.reserveCapacity(count)
            for index in 0..<count {
                guard let key = room[index], let value = room[count + index],
                    let name = object(key, depth: depth) as? NSObject,
                    let object = object(value, of: name, depth: depth)
                else { return nil }
                keys.append(name)
                values.append(object)
            }
            if depth == 1, areDifferentConstants(keys, room) { return ListedDictionary(keys: keys, values: values) }
            return keys.withUnsafeBufferPointer { keys in
                values.withUnsafeBufferPointer { values in
                    NSDictionary(objects: values.baseAddress, forKeys: keys.baseAddress, count: count)
                }
            }
        }
    }

    /// Whether they are few, all of them constants of ours, and no two the same.
    private static func areDifferentConstants(_ keys: [NSObject], _ pointers: UnsafeMutableBufferPointer<CObject?>)
        -> Bool
    {
        guard keys.count <= 24 else { return false }
        for index in keys.indices {
            guard let pointer = pointers[index], Constants.known(pointer) != nil else { return false }
            for other in 0..<index where keys[other] === keys[index] { return false }
        }
        return true
    }

    /// An entry's value; a number as the truth value that a C program means by it, and text as the data that it is.
    private static func object(_ pointer: CObject, of name: NSObject, depth: Int) -> AnyObject? {
        let type = csec_type_of(pointer)
        guard let value = object(pointer, of: type, depth: depth) else { return nil }
        if type == csec_type_number, Constants.isReturnKey(name), let number = value as? NSNumber {
            return number == 1 ? Truth.yes : number == 0 ? Truth.no : value
        } else if type == csec_type_string, Constants.isData(name), let text = value as? NSString {
            return (text as String).data(using: .utf8).map { $0 as NSData } ?? value
        }
        return value
    }
}

/// The two truth values as Foundation's objects.
enum Truth {
    static let yes = NSNumber(value: true)
    static let no = NSNumber(value: false)
}

/// Stands for an object of a class that no call takes.
final class UnknownObject: NSObject {}
