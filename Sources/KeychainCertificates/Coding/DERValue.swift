// SPDX-License-Identifier: Apache-2.0

/// One element of DER in bytes nobody vouches for: its tag, its content, and all of it.
///
/// Only tags of one byte; lengths as short as they can be.
internal struct DERValue: Sendable {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// Tag, length and content.
    let encoding: ArraySlice<UInt8>

    /// The element that is all of `bytes`.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = DERCursor(bytes)
        guard let only = cursor.next(), cursor.isAtEnd else { return nil }
        self = only
    }

    /// As `init`, when it has that tag.
    init?(_ bytes: ArraySlice<UInt8>, tag: UInt8) {
        self.init(bytes)
        guard self.tag == tag else { return nil }
    }

    fileprivate init(tag: UInt8, content: ArraySlice<UInt8>, encoding: ArraySlice<UInt8>) {
        self.tag = tag
        self.content = content
        self.encoding = encoding
    }

    /// The elements inside; nil when the content is no row of elements.
    var elements: [DERValue]? {
        var cursor = DERCursor(content)
        var elements: [DERValue] = []
        while !cursor.isAtEnd {
            guard let element = cursor.next() else { return nil }
            elements.append(element)
        }
        return elements
    }

    /// The content of a bit string of whole bytes.
    var wholeBytesOfBitString: ArraySlice<UInt8>? {
        guard tag == DERTag.bitString, content.first == 0 else { return nil }
        return content.dropFirst()
    }

    /// The number of a small INTEGER that is not negative.
    var smallNumber: Int? {
        guard tag == DERTag.integer, (1...4).contains(content.count), isStrictPrimitive, content.first ?? 0x80 < 0x80
        else { return nil }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Reads one element after the other.
internal struct DERCursor: Sendable {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end, and when there is none.
    mutating func next() -> DERValue? {
        let start = rest.startIndex
        guard rest.count >= 2, rest[start] & 0x1F != 0x1F else { return nil }
        var contentStart = start + 2
        var length = Int(rest[start + 1])
        if length >= 0x80 {
            let octets = length & 0x7F
            guard (1...4).contains(octets), rest.count - 2 >= octets, rest[contentStart] != 0 else { return nil }
            length = rest[contentStart..<contentStart + octets].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { return nil }
            contentStart += octets
        }
        guard length <= rest.endIndex - contentStart else { return nil }
        let end = contentStart + length
        let value = DERValue(tag: rest[start], content: rest[contentStart..<end], encoding: rest[start..<end])
        rest = rest[end...]
        return value
    }

    /// The next element when it has that tag; otherwise nothing is read.
    mutating func next(_ tag: UInt8) -> DERValue? {
        guard rest.first == tag else { return nil }
        return next()
    }
}
