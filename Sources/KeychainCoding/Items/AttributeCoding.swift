// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// An item's attributes as the dictionary its metadata envelope holds: the four-letter keys, and text, bytes, numbers
/// and dates as values.
package enum AttributeCoding {
    /// The encoding; `.duplicateKey` for a list that repeats an attribute, `.dateOutOfRange` for a date without text.
    package static func encode(_ list: AttributeList) throws(CodingError) -> [UInt8] {
        try EntryPlan.withPlan(for: list) { plan throws(CodingError) in
            let size = plan.encodedSize
            return DERWriter.bytes(count: size) { writer in unsafe plan.write(list, data: nil, to: &writer) }
        }
    }

    /// How many bytes `encode` gives, without giving them.
    package static func encodedSize(_ list: AttributeList) throws(CodingError) -> Int {
        try EntryPlan.withPlan(for: list) { plan in plan.encodedSize }
    }

    /// The attributes of a metadata plaintext, in the order of their entries.
    ///
    /// Refuses what `encode` would not have written: `.unknownKey` for a key that is no attribute, `.wrongType` for a
    /// value that is not text, bytes, a number or a date.
    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> AttributeList {
        try decode(unsafe Span(_unsafeBytes: bytes))
    }

    package static func decode(_ bytes: Span<UInt8>) throws(CodingError) -> AttributeList {
        var offset = 0
        let end = try DERReader.expect(DERTag.set, bytes, at: &offset, end: bytes.count)
        guard end == bytes.count else { throw .trailingBytes }

        // A guess that is right for most items and harmless for bytes that were made to mislead it.
        var list = AttributeList(reservingCapacity: min((end - offset) / 16, 32))
        var seen = AttributeSketch()
        var previousSize = 0
        var previousKey: UInt32 = 0
        while offset < end {
            let entryEnd = try DERReader.expect(DERTag.sequence, bytes, at: &offset, end: end)
            let contentSize = entryEnd - offset
            let keyEnd = try DERReader.expect(DERTag.utf8String, bytes, at: &offset, end: entryEnd)
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
        let (tag, contentEnd) = try DERReader.listElement(bytes, at: &offset, end: end)
        guard contentEnd == end else { throw .trailingBytes }
        let start = offset
        offset = end
        switch tag {
        case DERTag.utf8String: return .string(try DERReader.string(bytes, from: start, to: end))
        case DERTag.octetString: return .data(DERReader.data(bytes, from: start, to: end))
        case DERTag.integer: return .number(try DERReader.integer(bytes, from: start, to: end))
        case DERTag.generalizedTime: return .date(try GeneralizedTime.read(bytes, from: start, to: end))
        default: throw .wrongType
        }
    }

    /// Lends the bytes an item's SHA-1 digest is taken of: its digested attributes and its secret in one dictionary.
    ///
    /// They contain the secret, so they exist only during `body` and are wiped after it. No `data` means an item
    /// without a secret, which is another item than one whose secret is empty.
    package static func withDigestEncoding<Result: ~Copyable>(
        _ attributes: AttributeList, data: UnsafeRawBufferPointer?, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(CodingError) -> Result {
        let dataCount = unsafe data.map { $0.count }
        return try EntryPlan.withPlan(for: attributes, dataCount: dataCount, including: isDigested) { plan in
            let size = plan.encodedSize
            return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
                // Before the memory is freed, whichever way this is left.
                defer { if let start = memory.baseAddress { unsafe explicit_bzero(start, size) } }
                var writer = unsafe DERWriter(unsafeMemory: UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
                unsafe plan.write(attributes, data: data, to: &writer)
                precondition(writer.offset == size, "an item has another size than announced")
                return unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<size]))
            }
        }
    }

    /// Whether an attribute takes part in the digest (semantics §2.2): not what differs between copies of one item.
    private static func isDigested(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .syncIdentifier, .circleFacts, .multiUser, .digest, .accessControl: false
        default: true
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
