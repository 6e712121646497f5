// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// Data with a copy of the bytes; nil for a negative length, or for a length without bytes.
public func CFDataCreate(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
    guard length > 0 else { return length == 0 ? NSData() : nil }
    guard let bytes = unsafe bytes else { return nil }
    return unsafe NSData(bytes: bytes, length: length)
}

/// Data of the same bytes.
public func CFDataCreateCopy(_ allocator: CFAllocator!, _ theData: CFData!) -> CFData! {
    theData.map { NSData(data: $0 as Data) }
}

/// Data that can change.
public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! { NSMutableData() }

/// Data of the same bytes that can change.
public func CFDataCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theData: CFData!
) -> CFMutableData! { theData.map { NSMutableData(data: $0 as Data) } }

/// Copies a part of the data to memory; nothing where the data is shorter.
public func CFDataGetBytes(_ theData: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
    guard let theData, let buffer = unsafe buffer, range.indices(among: theData.length) != nil else { return }
    unsafe theData.getBytes(buffer, range: NSRange(location: range.location, length: range.length))
}

/// The first of the bytes, which may be written, until the length changes.
public func CFDataGetMutableBytePtr(_ theData: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    guard let theData, theData.length > 0 else { return nil }
    return unsafe theData.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

/// Cuts the data, or fills it up with zeros; nothing for a negative length.
public func CFDataSetLength(_ theData: CFMutableData!, _ length: CFIndex) {
    if length >= 0 { theData?.length = length }
}

/// Adds zeros at the end.
public func CFDataIncreaseLength(_ theData: CFMutableData!, _ extraLength: CFIndex) {
    if extraLength > 0 { theData?.increaseLength(by: extraLength) }
}

/// Adds bytes at the end.
public func CFDataAppendBytes(_ theData: CFMutableData!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) {
    if length > 0, let bytes = unsafe bytes { unsafe theData?.append(bytes, length: length) }
}

/// Removes a part; nothing where the data is shorter.
public func CFDataDeleteBytes(_ theData: CFMutableData!, _ range: CFRange) {
    guard let theData, range.indices(among: theData.length) != nil else { return }
    unsafe theData.replaceBytes(
        in: NSRange(location: range.location, length: range.length), withBytes: nil, length: 0)
}

/// Replaces a part by other bytes; nothing where the data is shorter, or where bytes are missing.
public func CFDataReplaceBytes(
    _ theData: CFMutableData!, _ range: CFRange, _ newBytes: UnsafePointer<UInt8>!, _ newLength: CFIndex
) {
    guard let theData, range.indices(among: theData.length) != nil, newLength >= 0 else { return }
    let bytes = unsafe newBytes
    if unsafe bytes == nil, newLength > 0 { return }
    unsafe theData.replaceBytes(
        in: NSRange(location: range.location, length: range.length), withBytes: bytes, length: newLength)
}

/// How data is looked for in other data.
public struct CFDataSearchFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Flags from their bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// From the end.
    public static let backwards = CFDataSearchFlags(rawValue: 1)
    /// At the beginning only, or at the end.
    public static let anchored = CFDataSearchFlags(rawValue: 2)
}

/// Where data is in a part of other data; ``kCFNotFound`` when it is not, or is empty.
public func CFDataFind(
    _ theData: CFData!, _ dataToFind: CFData!, _ searchRange: CFRange, _ compareOptions: CFDataSearchFlags
) -> CFRange {
    let none = CFRange(location: kCFNotFound, length: 0)
    guard let theData, let dataToFind, let part = searchRange.indices(among: theData.length) else { return none }
    let options = Data.SearchOptions(rawValue: compareOptions.rawValue)
    guard let found = (theData as Data).range(of: dataToFind as Data, options: options, in: part) else { return none }
    return CFRange(location: found.lowerBound, length: found.count)
}
