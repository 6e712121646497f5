// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainSQLite

/// A value as the bytes of a database have it; text may have been damaged into something that is none.
enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// What a row holds in a column, byte for byte.
    init(_ statement: Statement, column: Int) {
        switch statement.columnType(column) {
        case .null: self = .null
        case .integer: self = .integer(statement.int64(column))
        case .real: self = .real(statement.double(column))
        case .text: self = .text(statement.blob(column))
        case .blob: self = .blob(statement.blob(column))
        }
    }

    /// As a column of a row; nil where the text is none.
    var column: ColumnValue? {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): String(validating: bytes, as: UTF8.self).map { .text($0) }
        case .blob(let bytes): .blob(bytes)
        }
    }

    /// As the quarantine keeps it.
    var kept: PropertyList {
        switch self {
        case .null: .null
        case .integer(let number): .number(number)
        case .real(let number): .array([.string("real"), .number(Int64(bitPattern: number.bitPattern))])
        case .text(let bytes): .array([.string("text"), .data(bytes)])
        case .blob(let bytes): .data(bytes)
        }
    }

    /// What `kept` wrote; nil where it is something else.
    init?(kept value: PropertyList) {
        switch value {
        case .null: self = .null
        case .number(let number): self = .integer(number)
        case .data(let bytes): self = .blob(bytes)
        case .array(let parts):
            guard parts.count == 2 else { return nil }
            switch (parts[0], parts[1]) {
            case (.string("real"), .number(let bits)): self = .real(Double(bitPattern: UInt64(bitPattern: bits)))
            case (.string("text"), .data(let bytes)): self = .text(bytes)
            default: return nil
            }
        default: return nil
        }
    }

    var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
    var characters: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// The head of a record of SQLite's: how large it is and what its columns are, before any of them is read.
struct RecordHead {
    /// Bytes of the head itself.
    let size: Int
    let types: [Int]
    /// Bytes of the whole record.
    let total: Int

    /// Reads one at a place; nil where there is none, or it has more columns than any of ours.
    init?(_ bytes: [UInt8], at place: Int, limit: Int) {
        guard let head = Varint(bytes, at: place, limit: limit), head.value >= 2, head.value <= RecordHead.largest,
            place + head.value <= limit
        else { return nil }
        var types: [Int] = []
        var at = place + head.count
        let end = place + head.value
        var total = head.value
        while at < end {
            guard let type = Varint(bytes, at: at, limit: end), let size = RecordHead.size(of: type.value) else {
                return nil
            }
            at += type.count
            total += size
            types.append(type.value)
            guard total <= RecordHead.largestRecord else { return nil }
        }
        size = head.value
        self.types = types
        self.total = total
    }

    /// The values of a whole record that begins with this head.
    func values(of record: [UInt8]) -> [StoredValue]? {
        guard record.count == total else { return nil }
        var at = size
        return types.map { type in
            let count = RecordHead.size(of: type) ?? 0
            defer { at += count }
            return RecordHead.value(type, record[at..<at + count])
        }
    }

    /// Bytes that a column of a type takes; nil for a type that there is not.
    static func size(of type: Int) -> Int? {
        switch type {
        case ..<0, 10, 11: nil
        case 0, 8, 9: 0
        case 1...4: type
        case 5: 6
        case 6, 7: 8
        default: (type - 12) / 2
        }
    }

    private static func value(_ type: Int, _ bytes: ArraySlice<UInt8>) -> StoredValue {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 1...6:
            let negative = bytes.first.map { $0 >= 0x80 } ?? false
            return .integer(bytes.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) })
        default: return type % 2 == 0 ? .blob(Array(bytes)) : .text(Array(bytes))
        }
    }

    /// A hundred columns, with sizes of nine bytes each.
    private static let largest = 1000
    /// SQLite's own limit.
    private static let largestRecord = 1_000_000_000
}

/// A number as SQLite writes sizes and row numbers: seven bits a byte, eight in the ninth.
struct Varint {
    let value: Int
    let count: Int

    init?(_ bytes: [UInt8], at place: Int, limit: Int) {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place >= 0, place + index < min(limit, bytes.count) else { return nil }
            let byte = bytes[place + index]
            if index == 8 {
                value = value << 8 | UInt64(byte)
            } else {
                value = value << 7 | UInt64(byte & 0x7f)
                if byte & 0x80 != 0 { continue }
            }
            self.value = Int(truncatingIfNeeded: Int64(bitPattern: value))
            count = index + 1
            return
        }
        return nil
    }
}
