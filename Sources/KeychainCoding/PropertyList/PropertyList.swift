// SPDX-License-Identifier: Apache-2.0

/// A value made of the kinds Apple's property lists have, with one encoding each (semantics §2.6).
///
/// For what is written rarely: keybags, access controls, quarantine rows, messages. Items have `AttributeCoding` and
/// `SecretCoding`, which give the same bytes.
package indirect enum PropertyList: Sendable, Hashable {
    case null
    case boolean(Bool)
    case number(Int64)
    case string(String)
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case array([PropertyList])
    /// Keys that Unicode holds equal are one key here, so bytes with both are refused as a duplicate.
    case dictionary([String: PropertyList])

    /// How many arrays and dictionaries may stand inside each other, in writing as in reading.
    package static let greatestDepth = 32
}

/// Values hold people's names for things; a description shows the kind alone.
extension PropertyList: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean(redacted)"
        case .number: "number(redacted)"
        case .string: "string(redacted)"
        case .data: "data(redacted)"
        case .date: "date(redacted)"
        case .array: "array(redacted)"
        case .dictionary: "dictionary(redacted)"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyList {
    /// The one encoding of the value: `.depthExceeded` or `.dateOutOfRange` when it has none.
    package func encoded() throws(CodingError) -> [UInt8] {
        try encoded(depthLeft: PropertyList.greatestDepth)
    }

    /// The encoding of a dictionary with these entries, whose keys all differ.
    package static func encoded(_ entries: [(key: String, value: PropertyList)]) throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(entries, to: &bytes, depthLeft: greatestDepth - 1)
        return bytes
    }

    private func encoded(depthLeft: Int) throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(to: &bytes, depthLeft: depthLeft)
        return bytes
    }

    private func append(to bytes: inout [UInt8], depthLeft: Int) throws(CodingError) {
        switch self {
        case .null: bytes += DERWriter.null
        case .boolean(let value): bytes += DERWriter.element(DERTag.boolean, [value ? 1 : 0])
        case .number(let value): bytes += DERWriter.integer(value)
        case .string(let value): PropertyList.append(value, to: &bytes)
        case .data(let value):
            PropertyList.append(DERTag.octetString, contentSize: value.count, to: &bytes)
            bytes += value
        case .date(let value):
            let seconds = try DecimalSeconds(value)
            bytes += DERWriter.bytes(count: DERSize.ofElement(GeneralizedTime.size(seconds))) { $0.date(seconds) }
        case .array(let values):
            guard depthLeft > 0 else { throw .depthExceeded }
            var content: [UInt8] = []
            content.reserveCapacity(values.reduce(0) { $0 + $1.likelySize })
            for value in values { try value.append(to: &content, depthLeft: depthLeft - 1) }
            PropertyList.append(DERTag.sequence, contentSize: content.count, to: &bytes)
            bytes += content
        case .dictionary(let values):
            guard depthLeft > 0 else { throw .depthExceeded }
            try PropertyList.append(values.map { ($0.key, $0.value) }, to: &bytes, depthLeft: depthLeft - 1)
        }
    }

    /// What an element of an array may take: growing it again and again takes longer than writing into it.
    private var likelySize: Int {
        switch self {
        case .string(let text): text.utf8.count + 4
        case .data(let bytes): bytes.count + 4
        case .null, .boolean, .number, .date, .array, .dictionary: 24
        }
    }

    private static func append(
        _ entries: [(key: String, value: PropertyList)], to bytes: inout [UInt8], depthLeft: Int
    ) throws(CodingError) {
        var content: [UInt8] = []
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(entries.count)
        var entry: [UInt8] = []
        for (key, value) in entries {
            entry.removeAll(keepingCapacity: true)
            append(key, to: &entry)
            try value.append(to: &entry, depthLeft: depthLeft)
            let start = content.count
            append(DERTag.sequence, contentSize: entry.count, to: &content)
            content += entry
            ranges.append(start..<content.count)
        }
        // As bytes. No entry is the beginning of another, because each says how long it is.
        ranges.sort { content[$0].lexicographicallyPrecedes(content[$1]) }
        append(DERTag.set, contentSize: content.count, to: &bytes)
        bytes.reserveCapacity(bytes.count + content.count)
        for range in ranges { bytes += content[range] }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(DERTag.utf8String, contentSize: text.utf8.count, to: &bytes)
        bytes += text.utf8
    }

    private static func append(_ tag: UInt8, contentSize: Int, to bytes: inout [UInt8]) {
        bytes.append(tag)
        guard contentSize >= 0x80 else { return bytes.append(UInt8(truncatingIfNeeded: contentSize)) }
        let count = DERSize.ofHeader(contentSize) - 2
        bytes.append(0x80 | UInt8(truncatingIfNeeded: count))
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: contentSize >> (8 * place))) }
    }

    /// The value of `bytes`, which must be exactly what `encoded()` gives for it.
    package init(decoding bytes: [UInt8]) throws(CodingError) {
        try self.init(decoding: bytes.span)
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(CodingError) {
        try self.init(decoding: unsafe Span(_unsafeBytes: bytes))
    }

    package init(decoding bytes: Span<UInt8>) throws(CodingError) {
        var offset = 0
        self = try PropertyList.read(bytes, at: &offset, end: bytes.count, depthLeft: PropertyList.greatestDepth)
        guard offset == bytes.count else { throw .trailingBytes }
    }

    private static func read(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int, depthLeft: Int
    ) throws(CodingError) -> PropertyList {
        let (tag, contentEnd) = try DERReader.listElement(bytes, at: &offset, end: end)
        let start = offset
        offset = contentEnd
        switch tag {
        case DERTag.null:
            guard start == contentEnd else { throw .notCanonical }
            return .null
        case DERTag.boolean: return .boolean(try DERReader.boolean(bytes, from: start, to: contentEnd))
        case DERTag.integer: return .number(try DERReader.integer(bytes, from: start, to: contentEnd))
        case DERTag.octetString: return .data(DERReader.data(bytes, from: start, to: contentEnd))
        case DERTag.utf8String: return .string(try DERReader.string(bytes, from: start, to: contentEnd))
        case DERTag.generalizedTime: return .date(try GeneralizedTime.read(bytes, from: start, to: contentEnd))
        case DERTag.sequence:
            guard depthLeft > 0 else { throw .depthExceeded }
            return .array(try array(bytes, from: start, to: contentEnd, depthLeft: depthLeft - 1))
        case DERTag.set:
            guard depthLeft > 0 else { throw .depthExceeded }
            return .dictionary(try dictionary(bytes, from: start, to: contentEnd, depthLeft: depthLeft - 1))
        default: throw .unknownTag
        }
    }

    private static func array(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, depthLeft: Int
    ) throws(CodingError) -> [PropertyList] {
        var values: [PropertyList] = []
        var offset = start
        while offset < end { values.append(try read(bytes, at: &offset, end: end, depthLeft: depthLeft)) }
        return values
    }

    private static func dictionary(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, depthLeft: Int
    ) throws(CodingError) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        var previous = start..<start
        var offset = start
        while offset < end {
            let entryStart = offset
            let entryEnd = try DERReader.expect(DERTag.sequence, bytes, at: &offset, end: end)
            let keyEnd = try DERReader.expect(DERTag.utf8String, bytes, at: &offset, end: entryEnd)
            let key = try DERReader.string(bytes, from: offset, to: keyEnd)
            offset = keyEnd
            let value = try read(bytes, at: &offset, end: entryEnd, depthLeft: depthLeft)
            guard offset == entryEnd else { throw .trailingBytes }
            guard values.updateValue(value, forKey: key) == nil else { throw .duplicateKey }
            guard precedes(bytes, previous, entryStart..<entryEnd) else { throw .notCanonical }
            previous = entryStart..<entryEnd
        }
        return values
    }

    /// Whether the bytes of one range sort before those of another; nothing sorts before everything.
    private static func precedes(_ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>) -> Bool {
        for index in 0..<min(left.count, right.count) {
            let (mine, theirs) = (bytes[left.lowerBound + index], bytes[right.lowerBound + index])
            if mine != theirs { return mine < theirs }
        }
        return left.count < right.count
    }
}

/// Why bytes were not read, or a value not written.
package enum CodingError: Error, Sendable, Equatable, CaseIterable {
    /// Text that breaks the rules of its format.
    case malformed
    /// An element ends after the bytes do.
    case truncated
    /// Bytes follow where nothing may follow.
    case trailingBytes
    /// The value could have been written in another, required way.
    case notCanonical
    case unknownTag
    case depthExceeded
    /// Text that is not UTF-8.
    case invalidString
    /// Not a time of the calendar.
    case invalidDate
    /// A date outside the years 0000 to 9999, or finer than 17 digits.
    case dateOutOfRange
    /// A number that needs more than 64 bits.
    case numberOutOfRange
    case unknownKey
    case duplicateKey
    /// A known kind of value where another is required.
    case wrongType
}
