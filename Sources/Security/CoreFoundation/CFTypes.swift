// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// A Core Foundation name stands for Foundation's own class: only so do `"x" as CFString`, `[CFString: Any]` and
// `result as? [String: Any]` compile and bridge outside Apple's platforms.

/// Any object.
public typealias CFTypeRef = AnyObject

/// A string.
public typealias CFString = NSString

/// A string that can change.
public typealias CFMutableString = NSMutableString

/// A dictionary.
public typealias CFDictionary = NSDictionary

/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary

/// An array.
public typealias CFArray = NSArray

/// An array that can change.
public typealias CFMutableArray = NSMutableArray

/// A set.
public typealias CFSet = NSSet

/// A set that can change.
public typealias CFMutableSet = NSMutableSet

/// Bytes.
public typealias CFData = NSData

/// Bytes that can change.
public typealias CFMutableData = NSMutableData

/// A number.
public typealias CFNumber = NSNumber

/// A truth value, of the same class as a number.
public typealias CFBoolean = NSNumber

/// A point in time.
public typealias CFDate = NSDate

/// A URL.
public typealias CFURL = NSURL

/// An error.
public typealias CFError = NSError

/// The object that stands for no value.
public typealias CFNull = NSNull

/// What a property list consists of: text, data, numbers, truth values, dates, arrays and dictionaries.
public typealias CFPropertyList = CFTypeRef

/// The result of a call: zero for success, else a negative number.
public typealias OSStatus = Int32

/// The result of a call that succeeded.
public let noErr: OSStatus = 0

/// Four characters packed into a number, the first in the highest byte.
public typealias FourCharCode = UInt32

/// A four-character code that names a type.
public typealias OSType = FourCharCode

/// The number that identifies a class of objects; see ``CFGetTypeID(_:)``.
public typealias CFTypeID = UInt

/// A length or a position.
public typealias CFIndex = Int

/// A set of flags as bits.
public typealias CFOptionFlags = UInt

/// A unit of UTF-16.
public typealias UniChar = UInt16

/// An index that stands for none.
public let kCFNotFound: CFIndex = -1

/// A length of time in seconds.
public typealias CFTimeInterval = Double

/// A point in time, as seconds since the beginning of 2001.
public typealias CFAbsoluteTime = CFTimeInterval

// The objects are implicitly unwrapped as on Apple platforms, where sources write `kCFBooleanTrue!` as well as
// `kCFBooleanTrue as Any`.

/// The truth value true.
public let kCFBooleanTrue: CFBoolean! = true

/// The truth value false.
public let kCFBooleanFalse: CFBoolean! = false

/// The object that stands for no value.
public let kCFNull: CFNull! = NSNull()

/// A choice of how memory is given back, for ``CFDataCreateWithBytesNoCopy(_:_:_:_:)``.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// Memory comes from `malloc` and goes back with `free`.
public let kCFAllocatorDefault: CFAllocator! = nil

/// The same as ``kCFAllocatorDefault``.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()

/// The same as ``kCFAllocatorDefault``.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()

/// Memory is not given back: it belongs to the caller.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// A truth value of C, as the functions that set one through a pointer have it.
@frozen public struct DarwinBoolean: ExpressibleByBooleanLiteral, Hashable, Sendable, CustomStringConvertible {
    /// The value.
    public var boolValue: Bool

    /// A truth value from Swift's.
    public init(_ value: Bool) { boolValue = value }

    /// A truth value as it is written.
    public init(booleanLiteral value: Bool) { boolValue = value }

    /// `true` or `false`.
    public var description: String { boolValue.description }
}
