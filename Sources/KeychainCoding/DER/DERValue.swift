// SPDX-License-Identifier: Apache-2.0

/// One element of DER that was read by `DERReader`, with the bytes it stands in: its tag, its content, and all of it.
///
/// For what is no secret, and is taken apart here and there: certificates and names.
package struct DERValue: Sendable {
    package let tag: UInt8
    package let content: ArraySlice<UInt8>
    /// Tag, length and content.
    package let encoding: ArraySlice<UInt8>

    /// The element that is all of `bytes`.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = DERCursor(bytes)
        guard let only = cursor.next(), cursor.isAtEnd else { return nil }
        self = only
    }

    /// As `init`, when it has that tag.
    package init?(_ bytes: ArraySlice<UInt8>, tag: UInt8) {
        self.init(bytes)
        guard self.tag == tag else { return nil }
    }

    fileprivate init(tag: UInt8, content: ArraySlice<UInt8>, encoding: ArraySlice<UInt8>) {
        self.tag = tag
        self.content = content
        self.encoding = encoding
    }

    /// The elements inside; nil when the content is no row of elements.
    package var elements: [DERValue]? {
        var cursor = DERCursor(content)
        var elements: [DERValue] = []
        while !cursor.isAtEnd {
            guard let element = cursor.next() else { return nil }
            elements.append(element)
        }
        return elements
    }

    /// The content of a bit string of whole bytes.
    package var wholeBytesOfBitString: ArraySlice<UInt8>? {
        guard tag == DERTag.bitString, content.first == 0 else { return nil }
        return content.dropFirst()
    }

    /// The number of a small INTEGER that is not negative.
    package var smallNumber: Int? {
        guard tag == DERTag.integer, (1...4).contains(content.count), isStrictPrimitive, content.first ?? 0x80 < 0x80
        else { return nil }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether this and everything inside is written as DER demands.
    package var isStrict: Bool { DERReader.isStrict(encoding.span) }

    /// Whether a primitive element's content is one its tag can have.
    package var isStrictPrimitive: Bool { DERReader.isStrictPrimitive(tag, content.span) }
}

extension DERValue {
    /// The text of a string element; nil when it is not one, or its bytes are not text of its kind.
    ///
    /// T61 is read as Latin-1: its other characters are not used in practice, and other software reads it so.
    package var text: String? {
        switch tag {
        case DERTag.printableString, DERTag.ia5String, DERTag.visibleString, DERTag.numericString:
            guard content.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(decoding: content, as: UTF8.self)
        case DERTag.utf8String: return String(validating: content, as: UTF8.self)
        case DERTag.t61String: return Self.text(of: content.map { Unicode.Scalar($0) })
        case DERTag.bmpString:
            guard let units = codeUnits(of: UInt16.self) else { return nil }
            return String(validating: units, as: UTF16.self)
        case DERTag.universalString:
            guard let units = codeUnits(of: UInt32.self) else { return nil }
            return String(validating: units, as: UTF32.self)
        default: return nil
        }
    }

    private func codeUnits<Unit: FixedWidthInteger>(of type: Unit.Type) -> [Unit]? {
        let size = Unit.bitWidth / 8
        guard content.count % size == 0 else { return nil }
        return stride(from: content.startIndex, to: content.endIndex, by: size).map { start in
            content[start..<start + size].reduce(0) { $0 << 8 | Unit($1) }
        }
    }

    private static func text(of scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The seconds since 2001 of a time as RFC 5280 §4.1.2.5 has it: with seconds, without a fraction, in UTC.
    package var time: Double? {
        switch tag {
        case DERTag.utcTime:
            guard content.count == 13, let first = content.first else { return nil }
            let century = first >= Self.five ? "19" : "20"
            return try? GeneralizedTime.decode(Array(century.utf8) + content)
        case DERTag.generalizedTime:
            guard content.count == 15 else { return nil }
            return try? GeneralizedTime.decode(Array(content))
        default: return nil
        }
    }

    private static let five: UInt8 = 0x35
}

/// Reads one element after the other.
package struct DERCursor: Sendable {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end, and when the bytes there are malformed.
    package mutating func next() -> DERValue? {
        let bytes = rest
        var offset = 0
        let read = try? DERReader.element(bytes.span, at: &offset, end: bytes.count)
        guard let read else { return nil }
        let start = bytes.startIndex
        let end = start + read.contentEnd
        rest = bytes[end...]
        return DERValue(tag: read.tag, content: bytes[start + offset..<end], encoding: bytes[start..<end])
    }

    /// The next element when it has that tag; otherwise nothing is read.
    package mutating func next(_ tag: UInt8) -> DERValue? {
        guard rest.first == tag else { return nil }
        return next()
    }
}
