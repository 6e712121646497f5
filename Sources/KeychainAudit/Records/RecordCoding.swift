// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// Writes a record as one list, behind whatever is in `bytes`.
///
/// The bytes are those of `PropertyList.encoded()`, which readers take nothing else for; what is saved is a box and an array
/// for every element, on the way of every call that is recorded.
struct RecordWriter {
    var bytes: [UInt8] = []

    mutating func null() {
        bytes.append(0x05)
        bytes.append(0)
    }

    /// The fewest bytes of two's complement, at least one.
    mutating func number(_ value: Int64) {
        let magnitude = value < 0 ? ~value : value
        let count = (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
        bytes.append(0x02)
        bytes.append(UInt8(count))
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> Int64(8 * (count - 1 - index)))) }
    }

    mutating func optional(_ value: Int64?) {
        if let value { number(value) } else { null() }
    }

    mutating func string(_ text: String) {
        header(0x0C, text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func data(_ data: [UInt8]) {
        header(0x04, data.count)
        bytes.append(contentsOf: data)
    }

    mutating func reference(_ id: PersistentID) {
        header(0x04, 16)
        bigEndian(id.high)
        bigEndian(id.low)
    }

    /// The elements that `body` writes, as one.
    mutating func list(_ body: (inout RecordWriter) -> Void) {
        let start = bytes.count
        bytes.append(0x30)
        bytes.append(0)
        body(&self)
        let size = bytes.count - start - 2
        if size < 0x80 {
            bytes[start + 1] = UInt8(size)
        } else {
            let octets = RecordWriter.octets(of: size)
            bytes[start + 1] = 0x80 | UInt8(octets.count)
            bytes.insert(contentsOf: octets, at: start + 2)
        }
    }

    private mutating func bigEndian(_ value: UInt64) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func header(_ tag: UInt8, _ size: Int) {
        bytes.append(tag)
        if size < 0x80 {
            bytes.append(UInt8(size))
        } else {
            let octets = RecordWriter.octets(of: size)
            bytes.append(0x80 | UInt8(octets.count))
            bytes.append(contentsOf: octets)
        }
    }

    private static func octets(of size: Int) -> [UInt8] {
        let count = (Int.bitWidth - size.leadingZeroBitCount + 7) / 8
        return (0..<count).map { UInt8(truncatingIfNeeded: size >> (8 * (count - 1 - $0))) }
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
