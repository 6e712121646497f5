// SPDX-License-Identifier: Apache-2.0

/// Reads elements out of untrusted bytes.
///
/// Every function refuses what a `DERWriter` would not write.
///
/// An offset walks through one span; functions take where an element's content starts and ends.
internal enum DERReader {
    /// Reads the tag and length at `offset` and moves `offset` to the content; returns where that ends, at most `end`.
    @inline(__always)
    static func header(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> (tag: DERTag, contentEnd: Int) {
        guard offset < end else { throw .truncated }
        guard let tag = DERTag(rawValue: bytes[offset]) else { throw .unknownTag }
        offset += 1
        return (tag, try contentEnd(bytes, at: &offset, end: end))
    }

    /// As `header`, for a place where only one kind of element may stand.
    @inline(__always)
    static func expect(
        _ expected: DERTag, _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> Int {
        guard offset < end else { throw .truncated }
        guard bytes[offset] == expected.rawValue else {
            throw DERTag(rawValue: bytes[offset]) == nil ? .unknownTag : .wrongType
        }
        offset += 1
        return try contentEnd(bytes, at: &offset, end: end)
    }

    /// Reads the length at `offset`; returns where the content ends.
    @inline(__always)
    private static func contentEnd(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> Int {
        guard offset < end else { throw .truncated }
        var length = Int(bytes[offset])
        offset += 1
        if length >= 0x80 { length = try longLength(bytes, octets: length & 0x7F, at: &offset, end: end) }
        guard length <= end - offset else { throw .truncated }
        return offset + length
    }

    /// A length of 128 or more.
    ///
    /// One so long that it could not be held by memory is `.truncated`.
    private static func longLength(
        _ bytes: Span<UInt8>, octets: Int, at offset: inout Int, end: Int
    ) throws(CodingError) -> Int {
        guard octets > 0 else { throw .notCanonical }
        guard octets <= end - offset else { throw .truncated }
        guard bytes[offset] != 0 else { throw .notCanonical }
        guard octets < 8 else { throw .truncated }
        var length = 0
        for index in offset..<offset + octets { length = length << 8 | Int(bytes[index]) }
        guard length >= 0x80 else { throw .notCanonical }
        offset += octets
        return length
    }

    static func integer(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> Int64 {
        guard start < end else { throw .notCanonical }
        let first = Int8(bitPattern: bytes[start])
        if end - start > 1 {
            // The first byte must say more than the sign of the second.
            guard first != Int8(bitPattern: bytes[start + 1]) >> 7 else { throw .notCanonical }
        }
        guard end - start <= 8 else { throw .numberOutOfRange }
        var value = Int64(first)
        for index in start + 1..<end { value = value << 8 | Int64(bytes[index]) }
        return value
    }

    static func boolean(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> Bool {
        guard end - start == 1, bytes[start] <= 1 else { throw .notCanonical }
        return bytes[start] == 1
    }

    static func string(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(start..<end)))
        } catch {
            throw .invalidString
        }
    }

    static func data(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> [UInt8] {
        unsafe bytes.extracting(start..<end).withUnsafeBufferPointer { content in unsafe Array(content) }
    }
}

/// The kinds of element a property list is made of, by their first byte.
internal enum DERTag: UInt8, Sendable {
    case boolean = 0x01
    case integer = 0x02
    case octetString = 0x04
    case null = 0x05
    case utf8String = 0x0C
    case generalizedTime = 0x18
    case sequence = 0x30
    case set = 0x31
}
