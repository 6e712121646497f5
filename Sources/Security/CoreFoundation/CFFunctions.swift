// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// The number of the object's class, equal to the result of the class's `…GetTypeID` function; 0 for other classes.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
    switch object {
    case let number as NSNumber: isBoolean(number) ? CFBooleanGetTypeID() : CFNumberGetTypeID()
    case is NSString: CFStringGetTypeID()
    case is NSData: CFDataGetTypeID()
    case is NSDate: CFDateGetTypeID()
    case is NSDictionary: CFDictionaryGetTypeID()
    case is NSArray: CFArrayGetTypeID()
    case is NSSet: CFSetGetTypeID()
    case is NSURL: CFURLGetTypeID()
    case is NSError: CFErrorGetTypeID()
    case is NSUUID: CFUUIDGetTypeID()
    case is NSNull: CFNullGetTypeID()
    case is CFAllocator: CFAllocatorGetTypeID()
    case let object as any CFTypeIdentified: type(of: object).typeID
    default: 0
    }
}

// Class and encoding do not tell a truth value from a small number everywhere; that there are only two of them does.
private func isBoolean(_ number: NSNumber) -> Bool {
    number === kCFBooleanTrue || number === kCFBooleanFalse
}

/// The type number of allocators.
public func CFAllocatorGetTypeID() -> CFTypeID { 2 }

/// The type number of the object that stands for no value.
public func CFNullGetTypeID() -> CFTypeID { 16 }

/// The type number of sets.
public func CFSetGetTypeID() -> CFTypeID { 17 }

/// The type number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }

/// The type number of arrays.
public func CFArrayGetTypeID() -> CFTypeID { 19 }

/// The type number of data.
public func CFDataGetTypeID() -> CFTypeID { 20 }

/// The type number of truth values.
public func CFBooleanGetTypeID() -> CFTypeID { 21 }

/// The type number of numbers that are not truth values.
public func CFNumberGetTypeID() -> CFTypeID { 22 }

/// The type number of errors.
public func CFErrorGetTypeID() -> CFTypeID { 27 }

/// The type number of URLs.
public func CFURLGetTypeID() -> CFTypeID { 29 }

/// The type number of unique identifiers.
public func CFUUIDGetTypeID() -> CFTypeID { 34 }

/// The type number of dates.
public func CFDateGetTypeID() -> CFTypeID { 42 }

/// The type number of strings.
public func CFStringGetTypeID() -> CFTypeID { 7 }

/// A class of this module that ``CFGetTypeID(_:)`` knows; Foundation's classes have the numbers below 100.
protocol CFTypeIdentified: AnyObject {
    static var typeID: CFTypeID { get }
}

/// The number of bytes in the data.
public func CFDataGetLength(_ data: CFData!) -> CFIndex {
    data?.length ?? 0
}

/// The first of the data's bytes, valid for as long as the data lives unchanged.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    guard let data, data.length > 0 else { return nil }
    return unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Data over the caller's bytes, which `bytesDeallocator` gives back in the end; nil for a negative length.
///
/// The bytes come from `malloc`, unless the deallocator is ``kCFAllocatorNull``; then the caller keeps them in place
/// for as long as the data lives. When the result is nil they still belong to the caller.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0 else { return nil }
    guard let bytes = unsafe bytes else { return length == 0 ? NSData() : nil }
    return unsafe NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length,
        freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}

/// The name of the domain that an error's code belongs to.
public typealias CFErrorDomain = CFString

/// The error's code; 0 when there is no error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex {
    error?.code ?? 0
}

/// The domain of the error's code.
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
    error.map { $0.domain as NSString }
}

/// What the error carries beside its code.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
    error.map { $0.userInfo as NSDictionary }
}

/// The error's description for a user.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
    error.map { $0.localizedDescription as NSString }
}
