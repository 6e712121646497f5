// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// How text is written as bytes.
public typealias CFStringEncoding = UInt32

/// The encodings that are always there.
@frozen public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    /// That of the first Macintosh.
    case macRoman = 0
    /// Windows code page 1252.
    case windowsLatin1 = 0x0500
    /// ISO 8859-1.
    case isoLatin1 = 0x0201
    /// That of NeXTSTEP.
    case nextStepLatin = 0x0B01
    /// ASCII.
    case ASCII = 0x0600
    /// UTF-16 in the machine's order.
    case unicode = 0x0100
    /// UTF-8.
    case UTF8 = 0x0800_0100
    /// ASCII with everything else spelled out.
    case nonLossyASCII = 0x0BFF
    /// UTF-16, the high byte first.
    case UTF16BE = 0x1000_0100
    /// UTF-16, the low byte first.
    case UTF16LE = 0x1400_0100
    /// UTF-32 in the machine's order.
    case UTF32 = 0x0C00_0100
    /// UTF-32, the high byte first.
    case UTF32BE = 0x1800_0100
    /// UTF-32, the low byte first.
    case UTF32LE = 0x1C00_0100

    /// UTF-16 in the machine's order.
    public static let UTF16 = CFStringBuiltInEncodings.unicode
}

extension CFStringBuiltInEncodings {
    fileprivate var foundation: String.Encoding {
        switch self {
        case .macRoman: .macOSRoman
        case .windowsLatin1: .windowsCP1252
        case .isoLatin1: .isoLatin1
        case .nextStepLatin: .nextstep
        case .ASCII: .ascii
        case .unicode: .utf16LittleEndian
        case .UTF8: .utf8
        case .nonLossyASCII: .nonLossyASCII
        case .UTF16BE: .utf16BigEndian
        case .UTF16LE: .utf16LittleEndian
        case .UTF32: .utf32LittleEndian
        case .UTF32BE: .utf32BigEndian
        case .UTF32LE: .utf32LittleEndian
        }
    }

    fileprivate static func named(_ encoding: CFStringEncoding) -> String.Encoding? {
        CFStringBuiltInEncodings(rawValue: encoding)?.foundation
    }
}

/// Text of bytes that end with a zero; nil where they are none in that encoding.
public func CFStringCreateWithCString(
    _ alloc: CFAllocator!, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
    guard let text = unsafe cStr, let encoding = CFStringBuiltInEncodings.named(encoding) else { return nil }
    return unsafe String(cString: text, encoding: encoding).map { $0 as NSString }
}

/// Text of bytes; nil where they are none in that encoding.
public func CFStringCreateWithBytes(
    _ alloc: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex, _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! {
    guard let data = unsafe CFDataCreate(nil, bytes, numBytes) else { return nil }
    return CFStringCreateFromExternalRepresentation(nil, data, encoding)
}

/// Text of the bytes in data; nil where they are none in that encoding.
public func CFStringCreateFromExternalRepresentation(
    _ alloc: CFAllocator!, _ data: CFData!, _ encoding: CFStringEncoding
) -> CFString! {
    guard let data, let encoding = CFStringBuiltInEncodings.named(encoding) else { return nil }
    return String(data: data as Data, encoding: encoding).map { $0 as NSString }
}

/// The text as bytes; nil where a character cannot be written, unless a byte is given in its stead.
public func CFStringCreateExternalRepresentation(
    _ alloc: CFAllocator!, _ theString: CFString!, _ encoding: CFStringEncoding, _ lossByte: UInt8
) -> CFData! {
    guard let theString, let encoding = CFStringBuiltInEncodings.named(encoding) else { return nil }
    return (theString as String).data(using: encoding, allowLossyConversion: lossByte != 0).map { $0 as NSData }
}

/// Text of units of UTF-16; nil for a negative number of them, or for a number without units.
public func CFStringCreateWithCharacters(
    _ alloc: CFAllocator!, _ chars: UnsafePointer<UniChar>!, _ numChars: CFIndex
) -> CFString! {
    guard numChars > 0 else { return numChars == 0 ? "" : nil }
    guard let units = unsafe chars else { return nil }
    return unsafe NSString(characters: units, length: numChars)
}

/// The same text.
public func CFStringCreateCopy(_ alloc: CFAllocator!, _ theString: CFString!) -> CFString! {
    theString?.copy() as? NSString
}

/// Text that can change.
public func CFStringCreateMutable(_ alloc: CFAllocator!, _ maxLength: CFIndex) -> CFMutableString! {
    NSMutableString(capacity: 0)
}

/// The same text, which can change.
public func CFStringCreateMutableCopy(
    _ alloc: CFAllocator!, _ maxLength: CFIndex, _ theString: CFString!
) -> CFMutableString! { theString?.mutableCopy() as? NSMutableString }

/// How many units of UTF-16 the text has.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString?.length ?? 0 }

/// How many bytes a text of that length has at most; -1 for an encoding that is not known.
public func CFStringGetMaximumSizeForEncoding(_ length: CFIndex, _ encoding: CFStringEncoding) -> CFIndex {
    guard let known = CFStringBuiltInEncodings(rawValue: encoding) else { return -1 }
    let (size, overflows) =
        switch known {
        case .UTF8: length.multipliedReportingOverflow(by: 3)
        case .unicode, .UTF16BE, .UTF16LE: length.multipliedReportingOverflow(by: 2)
        case .UTF32, .UTF32BE, .UTF32LE: length.multipliedReportingOverflow(by: 4)
        case .nonLossyASCII: length.multipliedReportingOverflow(by: 6)
        case .macRoman, .windowsLatin1, .isoLatin1, .nextStepLatin, .ASCII: (length, false)
        }
    return overflows ? -1 : size
}

/// Writes the text with a zero behind it; false, and nothing, where it does not fit or cannot be written.
public func CFStringGetCString(
    _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex,
    _ encoding: CFStringEncoding
) -> Bool {
    guard let theString, let buffer = unsafe buffer, let encoding = CFStringBuiltInEncodings.named(encoding),
        let data = (theString as String).data(using: encoding), data.count < bufferSize
    else { return false }
    unsafe data.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: bufferSize).copyMemory(from: bytes)
    }
    unsafe buffer[data.count] = 0
    return true
}

/// Copies units of UTF-16 to memory; nothing where the text is shorter.
public func CFStringGetCharacters(
    _ theString: CFString!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UniChar>!
) {
    guard let theString, let buffer = unsafe buffer, range.indices(among: theString.length) != nil else { return }
    unsafe theString.getCharacters(buffer, range: NSRange(location: range.location, length: range.length))
}

/// Writes as many characters of a part of the text as there is room for, and sets how many bytes they take.
///
/// Without a buffer it counts. It ends before a character that cannot be written, unless a byte is given in its stead.
///
/// - Returns: How many units of UTF-16 were written.
public func CFStringGetBytes(
    _ theString: CFString!, _ range: CFRange, _ encoding: CFStringEncoding, _ lossByte: UInt8,
    _ isExternalRepresentation: Bool, _ buffer: UnsafeMutablePointer<UInt8>!, _ maxBufLen: CFIndex,
    _ usedBufLen: UnsafeMutablePointer<CFIndex>!
) -> CFIndex {
    let (room, used) = unsafe (buffer, usedBufLen)
    if let used = unsafe used { unsafe used.pointee = 0 }
    guard let theString, range.indices(among: theString.length) != nil,
        let encoding = CFStringBuiltInEncodings.named(encoding)
    else { return 0 }
    let part = theString.substring(with: NSRange(location: range.location, length: range.length))
    var (units, bytes) = (0, 0)
    for scalar in part.unicodeScalars {
        guard
            let written = String(scalar).data(using: encoding) ?? (lossByte == 0 ? nil : Data([lossByte])),
            unsafe room == nil || bytes + written.count <= maxBufLen
        else { break }
        if let room = unsafe room {
            for byte in written {
                unsafe room[bytes] = byte
                bytes += 1
            }
        } else {
            bytes += written.count
        }
        units += scalar.utf16.count
    }
    if let used = unsafe used { unsafe used.pointee = bytes }
    return units
}

/// The text's own bytes: there are never any, and callers copy with ``CFStringGetCString(_:_:_:_:)``.
public func CFStringGetCStringPtr(
    _ theString: CFString!, _ encoding: CFStringEncoding
) -> UnsafePointer<CChar>! { nil }

/// The unit of UTF-16 at an index; 0 beyond the end.
public func CFStringGetCharacterAtIndex(_ theString: CFString!, _ idx: CFIndex) -> UInt16 {
    guard let theString, idx >= 0, idx < theString.length else { return 0 }
    return theString.character(at: idx)
}

/// A part of the text; nil where it is shorter.
public func CFStringCreateWithSubstring(
    _ alloc: CFAllocator!, _ str: CFString!, _ range: CFRange
) -> CFString! {
    guard let str, range.indices(among: str.length) != nil else { return nil }
    return str.substring(with: NSRange(location: range.location, length: range.length)) as NSString
}

/// Adds text at the end.
public func CFStringAppend(_ theString: CFMutableString!, _ appendedString: CFString!) {
    if let appendedString { theString?.append(appendedString as String) }
}

/// Adds bytes that end with a zero at the end; nothing where they are none in that encoding.
public func CFStringAppendCString(
    _ theString: CFMutableString!, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) {
    CFStringAppend(theString, unsafe CFStringCreateWithCString(nil, cStr, encoding))
}

/// Puts other text in the place of a part; nothing where the text is shorter.
public func CFStringReplace(_ theString: CFMutableString!, _ range: CFRange, _ replacement: CFString!) {
    guard let theString, let replacement, range.indices(among: theString.length) != nil else { return }
    theString.replaceCharacters(
        in: NSRange(location: range.location, length: range.length), with: replacement as String)
}

/// Removes white space at both ends.
public func CFStringTrimWhitespace(_ theString: CFMutableString!) {
    theString?.setString(theString.trimmingCharacters(in: .whitespacesAndNewlines))
}

/// How texts are compared.
public struct CFStringCompareFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Flags from their bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// Whatever the case.
    public static let compareCaseInsensitive = CFStringCompareFlags(rawValue: 1)
    /// From the end.
    public static let compareBackwards = CFStringCompareFlags(rawValue: 4)
    /// At the end they are looked for at only.
    public static let compareAnchored = CFStringCompareFlags(rawValue: 8)
    /// Digits count as numbers.
    public static let compareNumerically = CFStringCompareFlags(rawValue: 64)
    /// Whatever the accents.
    public static let compareDiacriticInsensitive = CFStringCompareFlags(rawValue: 128)
    /// Whatever the width.
    public static let compareWidthInsensitive = CFStringCompareFlags(rawValue: 256)
}

/// How two texts stand to each other.
public func CFStringCompare(
    _ theString1: CFString!, _ theString2: CFString!, _ compareOptions: CFStringCompareFlags
) -> CFComparisonResult {
    guard let theString1, let theString2 else { return .compareEqualTo }
    return CFComparisonResult(
        theString1.compare(
            theString2 as String, options: NSString.CompareOptions(rawValue: compareOptions.rawValue)))
}

/// Where text is in other text; ``kCFNotFound`` when it is not, or is empty.
public func CFStringFind(
    _ theString: CFString!, _ stringToFind: CFString!, _ compareOptions: CFStringCompareFlags
) -> CFRange {
    guard let theString, let stringToFind else { return CFRange(location: kCFNotFound, length: 0) }
    let found = theString.range(
        of: stringToFind as String, options: NSString.CompareOptions(rawValue: compareOptions.rawValue))
    return found.location == NSNotFound
        ? CFRange(location: kCFNotFound, length: 0) : CFRange(location: found.location, length: found.length)
}

/// Whether the text begins so.
public func CFStringHasPrefix(_ theString: CFString!, _ prefix: CFString!) -> Bool {
    guard let theString, let prefix else { return false }
    return theString.hasPrefix(prefix as String)
}

/// Whether the text ends so.
public func CFStringHasSuffix(_ theString: CFString!, _ suffix: CFString!) -> Bool {
    guard let theString, let suffix else { return false }
    return theString.hasSuffix(suffix as String)
}

/// The whole number at the beginning of the text; 0 without one.
public func CFStringGetIntValue(_ str: CFString!) -> Int32 { str?.intValue ?? 0 }

/// The number at the beginning of the text; 0 without one.
public func CFStringGetDoubleValue(_ str: CFString!) -> Double { str?.doubleValue ?? 0 }

/// The encoding of Foundation that stands for one of Core Foundation; `kCFStringEncodingInvalidId` for one not known.
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt {
    CFStringBuiltInEncodings.named(encoding)?.rawValue ?? UInt(kCFStringEncodingInvalidId)
}

/// The encoding that texts of the system have: UTF-8.
public func CFStringGetSystemEncoding() -> CFStringEncoding { CFStringBuiltInEncodings.UTF8.rawValue }

/// The number of no encoding.
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xFFFF_FFFF

/// The parts of a text between separators.
public func CFStringCreateArrayBySeparatingStrings(
    _ alloc: CFAllocator!, _ theString: CFString!, _ separatorString: CFString!
) -> CFArray! {
    guard let theString, let separatorString else { return nil }
    return NSArray(array: theString.components(separatedBy: separatorString as String))
}

/// Texts joined by a separator; nil where something else is among them.
public func CFStringCreateByCombiningStrings(
    _ alloc: CFAllocator!, _ theArray: CFArray!, _ separatorString: CFString!
) -> CFString! {
    guard let parts = theArray as? [String], let separatorString else { return nil }
    return parts.joined(separator: separatorString as String) as NSString
}
