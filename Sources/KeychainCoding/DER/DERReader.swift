// SPDX-License-Identifier: Apache-2.0

/// Reads elements of DER out of untrusted bytes, one after the other; what it gives are places in them.
///
/// Nothing is copied, so the bytes may be a secret's. Tags of one byte, and lengths that are definite and as short as they
/// can be; no others. The functions of the type are the one parser: `DERValue`, property lists and items read with them.
// Safe: every access is checked against the end; the bytes outlive the reader because a reader exists only inside a
// function that was lent them.
@safe
package struct DERReader {
    package struct Element: Sendable {
        package let tag: UInt8
        package let content: Range<Int>
        /// Tag, length and content.
        package let whole: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private let end: Int

    package init(unsafeBytes bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        position = 0
        end = bytes.count
    }

    private init(unsafeBytes bytes: UnsafeRawBufferPointer, _ content: Range<Int>) {
        unsafe self.bytes = unsafe bytes
        position = content.lowerBound
        end = content.upperBound
    }

    package var isAtEnd: Bool { position == end }

    /// A reader of what is inside an element.
    package func inside(_ element: Element) -> DERReader { unsafe DERReader(unsafeBytes: bytes, element.content) }

    /// A copy of the bytes in a place, which are no secret.
    package func unsecretBytes(_ place: Range<Int>) -> [UInt8] { unsafe Array(bytes[place]) }

    /// The next element; nil at the end, and when the bytes there are malformed.
    package mutating func next() -> Element? {
        let bytes = unsafe self.bytes
        let start = position
        var offset = start
        let read = try? Self.element(unsafe Span<UInt8>(_unsafeBytes: bytes), at: &offset, end: end)
        guard let read else { return nil }
        position = read.contentEnd
        return Element(tag: read.tag, content: offset..<read.contentEnd, whole: start..<read.contentEnd)
    }

    /// The next element when it has that tag; otherwise nothing is read.
    package mutating func next(_ tag: UInt8) -> Element? {
        guard position < end, unsafe bytes[position] == tag else { return nil }
        return next()
    }

    /// What is inside the next element when it has that tag.
    package mutating func enter(_ tag: UInt8) -> DERReader? { next(tag).map { inside($0) } }

    /// Where the bytes of the next INTEGER are, without the zero that only says it is not negative.
    ///
    /// nil when the next element is not an INTEGER, or the number is negative or has more leading zeros than it needs.
    package mutating func unsigned() -> Range<Int>? {
        guard let content = next(DERTag.integer)?.content, let first = content.first, unsafe bytes[first] < 0x80
        else { return nil }
        guard unsafe content.count > 1 && bytes[first] == 0 else { return content }
        guard unsafe bytes[first + 1] >= 0x80 else { return nil }
        return first + 1..<content.upperBound
    }

    /// The tags of the elements up to the end; nil when something else is among them, or there are more than `most`.
    package func tags(atMost most: Int) -> [UInt8]? {
        var reader = self
        var tags: [UInt8] = []
        while !reader.isAtEnd {
            guard tags.count < most, let element = reader.next() else { return nil }
            tags.append(element.tag)
        }
        return tags
    }
}

/// Tags and lengths.
///
/// An offset walks through one span; functions take where an element's content starts and ends.
extension DERReader {
    /// Reads the tag and length at `offset` and moves `offset` to the content; returns where that ends, at most `end`.
    @inline(__always)
    internal static func element(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> (tag: UInt8, contentEnd: Int) {
        guard offset < end else { throw .truncated }
        let tag = bytes[offset]
        guard tag & 0x1F != 0x1F else { throw .unknownTag }
        offset += 1
        return (tag, try contentEnd(bytes, at: &offset, end: end))
    }

    /// As `element`, of the kinds that property lists are made of; `.unknownTag` for all others.
    @inline(__always)
    internal static func listElement(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> (tag: UInt8, contentEnd: Int) {
        guard offset < end else { throw .truncated }
        let tag = bytes[offset]
        guard isOfList(tag) else { throw .unknownTag }
        offset += 1
        return (tag, try contentEnd(bytes, at: &offset, end: end))
    }

    /// As `listElement`, for a place where only one kind of element may stand; returns where its content ends.
    @inline(__always)
    package static func expect(
        _ expected: UInt8, _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> Int {
        guard offset < end else { throw .truncated }
        guard bytes[offset] == expected else { throw isOfList(bytes[offset]) ? .wrongType : .unknownTag }
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

    @inline(__always)
    private static func isOfList(_ tag: UInt8) -> Bool {
        switch tag {
        case DERTag.boolean, DERTag.integer, DERTag.octetString, DERTag.null, DERTag.utf8String,
            DERTag.generalizedTime, DERTag.sequence, DERTag.set:
            true
        default: false
        }
    }
}

/// Contents, as property lists have them: refused is what a `DERWriter` would not write.
extension DERReader {
    package static func integer(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> Int64 {
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

    /// Property lists write true as 1, and X.509 as 255.
    package static func boolean(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> Bool {
        guard end - start == 1, bytes[start] <= 1 else { throw .notCanonical }
        return bytes[start] == 1
    }

    package static func string(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(start..<end)))
        } catch {
            throw .invalidString
        }
    }

    internal static func data(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> [UInt8] {
        unsafe bytes.extracting(start..<end).withUnsafeBufferPointer { content in unsafe Array(content) }
    }
}

/// Whether what others wrote is DER to the letter.
///
/// What OpenSSL would read is more: other lengths, numbers with leading zeros, any byte for true. The order in a SET is not
/// looked at: there are certificates with names that have it otherwise, and other software accepts them.
extension DERReader {
    /// Whether the bytes, which may be a secret's, are one element that is strict with everything inside.
    package static func isStrict(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isStrict(unsafe Span<UInt8>(_unsafeBytes: bytes))
    }

    package static func isStrict(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        guard isStrict(bytes, at: &offset, end: bytes.count, depth: 0) else { return false }
        return offset == bytes.count
    }

    private static func isStrict(_ bytes: Span<UInt8>, at offset: inout Int, end: Int, depth: Int) -> Bool {
        guard depth < deepest, let read = try? element(bytes, at: &offset, end: end) else { return false }
        var inner = offset
        offset = read.contentEnd
        let isUniversal = read.tag < 0x40
        guard read.tag & 0x20 != 0 else {
            guard isUniversal else { return true }
            return isStrictPrimitive(read.tag, bytes.extracting(inner..<read.contentEnd))
        }
        guard !isUniversal || read.tag == DERTag.sequence || read.tag == DERTag.set else { return false }
        while inner < read.contentEnd {
            guard isStrict(bytes, at: &inner, end: read.contentEnd, depth: depth + 1) else { return false }
        }
        return true
    }

    /// Whether a primitive element's content is one its tag can have.
    package static func isStrictPrimitive(_ tag: UInt8, _ content: Span<UInt8>) -> Bool {
        let count = content.count
        switch tag {
        case DERTag.boolean:
            guard count == 1 else { return false }
            let value = content[0]
            return value == 0 || value == 0xFF
        case DERTag.integer:
            guard count > 1 else { return count == 1 }
            // The first byte must say more than the sign of the second.
            return content[0] != (content[1] < 0x80 ? 0 : 0xFF)
        case DERTag.bitString:
            guard count > 0 else { return false }
            let (unused, last) = (content[0], content[count - 1])
            if count == 1 { return unused == 0 }
            return unused < 8 && last & (1 << unused - 1) == 0
        case DERTag.null: return count == 0
        case DERTag.objectIdentifier: return isObjectIdentifier(content)
        // SEQUENCE and SET are always constructed; 0 ends a length that DER does not have.
        case 0x00, 0x10, 0x11: return false
        default: return true
        }
    }

    /// Whether every arc is there to its end, and none begins with zeros.
    private static func isObjectIdentifier(_ content: Span<UInt8>) -> Bool {
        guard content.count > 0 else { return false }
        var isAtStart = true
        for index in 0..<content.count {
            if isAtStart, content[index] == 0x80 { return false }
            isAtStart = content[index] < 0x80
        }
        return isAtStart
    }

    private static let deepest = 32
}

/// First bytes of elements.
package enum DERTag {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    package static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    package static let null: UInt8 = 0x05
    package static let objectIdentifier: UInt8 = 0x06
    package static let utf8String: UInt8 = 0x0C
    package static let numericString: UInt8 = 0x12
    package static let printableString: UInt8 = 0x13
    package static let t61String: UInt8 = 0x14
    package static let ia5String: UInt8 = 0x16
    package static let utcTime: UInt8 = 0x17
    package static let generalizedTime: UInt8 = 0x18
    package static let visibleString: UInt8 = 0x1A
    package static let universalString: UInt8 = 0x1C
    package static let bmpString: UInt8 = 0x1E
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31

    /// The tag [number] of the context, around or instead of another.
    package static func context(_ number: UInt8, isConstructed: Bool) -> UInt8 {
        (isConstructed ? 0xA0 : 0x80) | number
    }
}
