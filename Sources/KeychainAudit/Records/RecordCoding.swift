// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// Writes a record as one list, behind whatever is in `bytes`.
///
/// The bytes are those of `PropertyList.encoded()`, which readers take nothing else for; what is saved is a box and an array
/// for every element, on the way of every call that is recorded.
struct RecordWriter {
    var bytes: [UInt8] = []

    mutating func null() { DERWriter.appendHeader(DERTag.null, contentSize: 0, to: &bytes) }

    mutating func number(_ value: Int64) { DERWriter.appendInteger(value, to: &bytes) }

    mutating func optional(_ value: Int64?) {
        if let value { number(value) } else { null() }
    }

    mutating func string(_ text: String) {
        DERWriter.appendHeader(DERTag.utf8String, contentSize: text.utf8.count, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func data(_ data: [UInt8]) {
        DERWriter.appendHeader(DERTag.octetString, contentSize: data.count, to: &bytes)
        bytes.append(contentsOf: data)
    }

    mutating func reference(_ id: PersistentID) {
        DERWriter.appendHeader(DERTag.octetString, contentSize: 16, to: &bytes)
        bigEndian(id.high)
        bigEndian(id.low)
    }

    /// The elements that `body` writes, as one.
    mutating func list(_ body: (inout RecordWriter) -> Void) {
        let start = DERWriter.begin(DERTag.sequence, in: &bytes)
        body(&self)
        DERWriter.end(contentStart: start, in: &bytes)
    }

    private mutating func bigEndian(_ value: UInt64) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

/// The elements of a list, read one after the other.
struct RecordFields {
    private var rest: ArraySlice<PropertyList>

    init(_ parts: [PropertyList]) { rest = parts[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> PropertyList? { rest.popFirst() }

    mutating func number() -> Int64? { next().flatMap(Int64.init(part:)) }

    /// What `read` makes of the next element: `.some(nil)` when it is null, nil when it is neither.
    mutating func optional<Value>(_ read: (PropertyList) -> Value?) -> Value?? {
        guard let part = next() else { return nil }
        if case .null = part { return .some(nil) }
        guard let value = read(part) else { return nil }
        return .some(value)
    }
}

extension Int64 {
    init?(part: PropertyList) {
        guard case .number(let number) = part else { return nil }
        self = number
    }
}

extension String {
    init?(part: PropertyList) {
        guard case .string(let string) = part else { return nil }
        self = string
    }
}
