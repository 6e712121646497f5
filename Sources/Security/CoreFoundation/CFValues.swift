// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// A hash.
public typealias CFHashCode = UInt

/// Whether two objects are equal: what they are counts, not where they are.
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let cf1, let cf2 else { return cf1 == nil && cf2 == nil }
    if cf1 === cf2 { return true }
    // A truth value and a number are equal to Foundation, and no equals to Core Foundation.
    guard CFGetTypeID(cf1) == CFGetTypeID(cf2) else { return false }
    return (cf1 as? NSObject)?.isEqual(cf2) ?? false
}

/// A hash that equal objects share.
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let cf else { return 0 }
    return CFHashCode(bitPattern: (cf as? NSObject)?.hash ?? ObjectIdentifier(cf).hashValue)
}

/// What a debugger shows of an object; nothing of a secret.
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
    guard let cf else { return nil }
    return ((cf as? NSObject)?.description ?? String(describing: cf)) as NSString
}

/// Writes the description of an object to standard error; nothing of a secret.
public func CFShow(_ obj: CFTypeRef!) {
    let text = CFCopyDescription(obj) as String? ?? "(null)"
    FileHandle.standardError.write(Data((text + "\n").utf8))
}

/// The name of a class by its number.
public func CFCopyTypeIDDescription(_ type_id: CFTypeID) -> CFString! {
    let known: [CFTypeID: String] = [
        CFAllocatorGetTypeID(): "CFAllocator", CFNullGetTypeID(): "CFNull", CFSetGetTypeID(): "CFSet",
        CFDictionaryGetTypeID(): "CFDictionary", CFArrayGetTypeID(): "CFArray", CFDataGetTypeID(): "CFData",
        CFBooleanGetTypeID(): "CFBoolean", CFNumberGetTypeID(): "CFNumber", CFErrorGetTypeID(): "CFError",
        CFURLGetTypeID(): "CFURL", CFUUIDGetTypeID(): "CFUUID", CFDateGetTypeID(): "CFDate",
        CFStringGetTypeID(): "CFString",
        SecAccessControlGetTypeID(): "SecAccessControl", SecKeyGetTypeID(): "SecKey",
        SecCertificateGetTypeID(): "SecCertificate", SecIdentityGetTypeID(): "SecIdentity",
        SecKeychainItemGetTypeID(): "SecKeychainItem", SecKeychainGetTypeID(): "SecKeychain",
        SecAccessGetTypeID(): "SecAccess", SecACLGetTypeID(): "SecACL",
        SecTrustedApplicationGetTypeID(): "SecTrustedApplication",
    ]
    return known[type_id].map { $0 as NSString }
}

/// How two values stand to each other.
@frozen public enum CFComparisonResult: CFIndex, Sendable {
    /// The first comes before the second.
    case compareLessThan = -1
    /// They are equal.
    case compareEqualTo = 0
    /// The first comes after the second.
    case compareGreaterThan = 1
}

extension CFComparisonResult {
    init(_ result: ComparisonResult) { self = Self(rawValue: result.rawValue) ?? .compareEqualTo }
}

/// The truth value in an object.
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

/// What type of C a number is read as or made of.
@frozen public enum CFNumberType: CFIndex, Sendable {
    /// 8 bits.
    case sInt8Type = 1
    /// 16 bits.
    case sInt16Type
    /// 32 bits.
    case sInt32Type
    /// 64 bits.
    case sInt64Type
    /// A fraction of 32 bits.
    case float32Type
    /// A fraction of 64 bits.
    case float64Type
    /// `char`.
    case charType
    /// `short`.
    case shortType
    /// `int`.
    case intType
    /// `long`.
    case longType
    /// `long long`.
    case longLongType
    /// `float`.
    case floatType
    /// `double`.
    case doubleType
    /// An index.
    case cfIndexType
    /// `NSInteger`.
    case nsIntegerType
    /// `CGFloat`.
    case cgFloatType

    /// The last of them.
    public static let maxType = CFNumberType.cgFloatType
}

/// A number that is read from memory; nil without memory.
public func CFNumberCreate(
    _ allocator: CFAllocator!, _ theType: CFNumberType, _ valuePtr: UnsafeRawPointer!
) -> CFNumber! {
    guard let value = unsafe valuePtr else { return nil }
    switch theType {
    case .sInt8Type, .charType: return unsafe NSNumber(value: value.loadUnaligned(as: Int8.self))
    case .sInt16Type, .shortType: return unsafe NSNumber(value: value.loadUnaligned(as: Int16.self))
    case .sInt32Type, .intType: return unsafe NSNumber(value: value.loadUnaligned(as: Int32.self))
    case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType:
        return unsafe NSNumber(value: value.loadUnaligned(as: Int64.self))
    case .float32Type, .floatType: return unsafe NSNumber(value: value.loadUnaligned(as: Float.self))
    case .float64Type, .doubleType, .cgFloatType:
        return unsafe NSNumber(value: value.loadUnaligned(as: Double.self))
    }
}

/// Writes a number to memory; false where the type does not hold it, and then what fits is written.
public func CFNumberGetValue(
    _ number: CFNumber!, _ theType: CFNumberType, _ valuePtr: UnsafeMutableRawPointer!
) -> Bool {
    guard let number, let place = unsafe valuePtr else { return false }
    func write<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
        let whole = number.int64Value
        unsafe place.storeBytes(of: Value(truncatingIfNeeded: whole), as: Value.self)
        return Value(exactly: whole) != nil && (!CFNumberIsFloatType(number) || number.doubleValue == Double(whole))
    }
    switch theType {
    case .sInt8Type, .charType: return write(Int8.self)
    case .sInt16Type, .shortType: return write(Int16.self)
    case .sInt32Type, .intType: return write(Int32.self)
    case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType: return write(Int64.self)
    case .float32Type, .floatType:
        unsafe place.storeBytes(of: number.floatValue, as: Float.self)
        return Double(number.floatValue) == number.doubleValue
    case .float64Type, .doubleType, .cgFloatType:
        unsafe place.storeBytes(of: number.doubleValue, as: Double.self)
        return true
    }
}

/// The type of C that the number was made of, or a wider one.
public func CFNumberGetType(_ number: CFNumber!) -> CFNumberType {
    switch number.map({ unsafe UInt8(bitPattern: $0.objCType.pointee) }) {
    case UInt8(ascii: "c")?, UInt8(ascii: "B")?: .charType
    case UInt8(ascii: "s")?, UInt8(ascii: "C")?: .sInt16Type
    case UInt8(ascii: "i")?, UInt8(ascii: "S")?: .sInt32Type
    case UInt8(ascii: "f")?: .float32Type
    case UInt8(ascii: "d")?: .float64Type
    default: .sInt64Type
    }
}

/// How many bytes the type has that the number was made of.
public func CFNumberGetByteSize(_ number: CFNumber!) -> CFIndex {
    switch CFNumberGetType(number) {
    case .sInt8Type, .charType: 1
    case .sInt16Type, .shortType: 2
    case .sInt32Type, .intType, .float32Type, .floatType: 4
    case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType, .float64Type, .doubleType, .cgFloatType: 8
    }
}

/// Whether the number was made of a fraction.
public func CFNumberIsFloatType(_ number: CFNumber!) -> Bool {
    [.float32Type, .float64Type].contains(CFNumberGetType(number))
}

/// How two numbers stand to each other.
public func CFNumberCompare(
    _ number: CFNumber!, _ otherNumber: CFNumber!, _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    guard let number, let otherNumber else { return .compareEqualTo }
    return CFComparisonResult(number.compare(otherNumber))
}

/// The present, in seconds since the beginning of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// A date of seconds since the beginning of 2001.
public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    NSDate(timeIntervalSinceReferenceDate: at)
}

/// The seconds of a date since the beginning of 2001.
public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime {
    theDate?.timeIntervalSinceReferenceDate ?? 0
}

/// How many seconds a date is after another one.
public func CFDateGetTimeIntervalSinceDate(_ theDate: CFDate!, _ otherDate: CFDate!) -> CFTimeInterval {
    CFDateGetAbsoluteTime(theDate) - CFDateGetAbsoluteTime(otherDate)
}

/// How two dates stand to each other.
public func CFDateCompare(
    _ theDate: CFDate!, _ otherDate: CFDate!, _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    let difference = CFDateGetTimeIntervalSinceDate(theDate, otherDate)
    return difference < 0 ? .compareLessThan : difference > 0 ? .compareGreaterThan : .compareEqualTo
}
