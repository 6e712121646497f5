// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// One element of DER in untrusted bytes: its tag, its content, and all of it.
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

extension DERValue {
    /// Whether this and everything inside is written as DER demands.
    ///
    /// What OpenSSL would read is more: other lengths, numbers with leading zeros, any byte for true. The order in a SET
    /// is not looked at: there are certificates with names that have it otherwise, and other software accepts them.
    var isStrict: Bool { isStrict(depth: 0) }

    private func isStrict(depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        let isUniversal = tag < 0x40
        guard tag & 0x20 != 0 else { return !isUniversal || isStrictPrimitive }
        guard !isUniversal || tag == DERTag.sequence || tag == DERTag.set else { return false }
        var cursor = DERCursor(content)
        while !cursor.isAtEnd {
            guard let element = cursor.next(), element.isStrict(depth: depth + 1) else { return false }
        }
        return true
    }

    /// Whether a primitive element's content is one its tag can have.
    var isStrictPrimitive: Bool {
        let first = content.first
        switch tag {
        case DERTag.boolean: return content.count == 1 && (first == 0 || first == 0xFF)
        case DERTag.integer:
            guard let first else { return false }
            guard let second = content.dropFirst().first else { return true }
            // The first byte must say more than the sign of the second.
            return !(first == 0 && second < 0x80) && !(first == 0xFF && second >= 0x80)
        case DERTag.bitString:
            guard let unused = first, let last = content.last else { return false }
            if content.count == 1 { return unused == 0 }
            return unused < 8 && last & (1 << unused - 1) == 0
        case DERTag.null: return content.isEmpty
        case DERTag.objectIdentifier: return ObjectIdentifier.isWellFormed(content)
        // SEQUENCE and SET are always constructed; 0 ends a length that DER does not have.
        case 0x00, 0x10, 0x11: return false
        default: return true
        }
    }

    /// The text of a string element; nil when it is not one, or its bytes are not text of its kind.
    ///
    /// T61 is read as Latin-1: its other characters are not used in practice, and other software reads it so.
    var text: String? {
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
    var time: Double? {
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

    private static let deepest = 32
    private static let five: UInt8 = 0x35
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

/// Writes elements of DER.
internal enum DERBuilder {
    static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        var bytes = [tag]
        let count = content.count
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
            bytes.append(0x80 | UInt8(octets))
            for index in (0..<octets).reversed() { bytes.append(UInt8(truncatingIfNeeded: count >> (8 * index))) }
        }
        return bytes + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, Array(elements.joined()))
    }

    static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.content)
    }

    static func utf8String(_ text: String) -> [UInt8] {
        element(DERTag.utf8String, Array(text.utf8))
    }

    /// A bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] {
        element(DERTag.bitString, [0] + bytes)
    }

    static let null: [UInt8] = [DERTag.null, 0]
}

/// First bytes of elements.
internal enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let numericString: UInt8 = 0x12
    static let printableString: UInt8 = 0x13
    static let t61String: UInt8 = 0x14
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let visibleString: UInt8 = 0x1A
    static let universalString: UInt8 = 0x1C
    static let bmpString: UInt8 = 0x1E
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// The tag [number] of the context, around or instead of another.
    static func context(_ number: UInt8, isConstructed: Bool) -> UInt8 {
        (isConstructed ? 0xA0 : 0x80) | number
    }
}
