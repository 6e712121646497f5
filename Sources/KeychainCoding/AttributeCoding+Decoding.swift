// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension AttributeCoding {
    /// The attributes of a metadata plaintext, in the order of their entries.
    ///
    /// Refuses what `encode` would not have written: `.unknownKey` for a key that is no attribute, `.wrongType` for a
    /// value that is not text, bytes, a number or a date.
    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> AttributeList {
        try decode(unsafe Span(_unsafeBytes: bytes))
    }

    package static func decode(_ bytes: Span<UInt8>) throws(CodingError) -> AttributeList {
        var offset = 0
        let end = try DERReader.expect(.set, bytes, at: &offset, end: bytes.count)
        guard end == bytes.count else { throw .trailingBytes }

        // A guess that is right for most items and harmless for bytes that were made to mislead it.
        var list = AttributeList(reservingCapacity: min((end - offset) / 16, 32))
        var seen = AttributeSketch()
        var previousSize = 0
        var previousKey: UInt32 = 0
        while offset < end {
            let entryEnd = try DERReader.expect(.sequence, bytes, at: &offset, end: end)
            let contentSize = entryEnd - offset
            let keyEnd = try DERReader.expect(.utf8String, bytes, at: &offset, end: entryEnd)
            guard keyEnd - offset == 4 else { throw .unknownKey }
            var key: UInt32 = 0
            for index in offset..<keyEnd { key = key << 8 | UInt32(bytes[index]) }
            offset = keyEnd
            guard let attribute = Attribute(rawValue: key) else { throw .unknownKey }
            // Entries are in the order of their sizes first, so the same key may come again much later.
            if seen.mayContain(attribute), list.contains(attribute) { throw .duplicateKey }
            guard contentSize > previousSize || contentSize == previousSize && key > previousKey else {
                throw .notCanonical
            }
            seen.insert(attribute)
            previousSize = contentSize
            previousKey = key
            list.append(unchecked: attribute, try value(bytes, at: &offset, end: entryEnd))
        }
        return list
    }

    /// The value that fills an entry to its end.
    @inline(__always)
    private static func value(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(CodingError) -> AttributeValue {
        let (tag, contentEnd) = try DERReader.header(bytes, at: &offset, end: end)
        guard contentEnd == end else { throw .trailingBytes }
        let start = offset
        offset = end
        switch tag {
        case .utf8String: return .string(try DERReader.string(bytes, from: start, to: end))
        case .octetString: return .data(DERReader.data(bytes, from: start, to: end))
        case .integer: return .number(try DERReader.integer(bytes, from: start, to: end))
        case .generalizedTime: return .date(try GeneralizedTime.read(bytes, from: start, to: end))
        case .null, .boolean, .sequence, .set: throw .wrongType
        }
    }
}

/// Which attributes may have been seen: one bit for each, shared by a few.
///
/// Saves looking through the list.
private struct AttributeSketch {
    private var bits: UInt64 = 0

    @inline(__always)
    func mayContain(_ attribute: Attribute) -> Bool { bits & bit(of: attribute) != 0 }

    @inline(__always)
    mutating func insert(_ attribute: Attribute) { bits |= bit(of: attribute) }

    @inline(__always)
    private func bit(of attribute: Attribute) -> UInt64 {
        // A factor that gives the attributes of passwords a bit each.
        1 << UInt64((attribute.rawValue &* 0x3DB1_8A29) >> 26)
    }
}
