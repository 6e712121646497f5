// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSQLite

/// A value as it stands in a column.
enum ColumnValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// The 16 bytes of a keyed hash.
    case hash(UInt64, UInt64)

    /// A value stored in the clear.
    init(clear value: AttributeValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .blob(bytes)
        case .number(let number): self = .integer(number)
        case .date(let date): self = .real(date)
        }
    }

    func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        switch self {
        case .null: try statement.bindNull(at: index)
        case .integer(let number): try statement.bind(number, at: index)
        case .real(let number): try statement.bind(number, at: index)
        case .text(let text): try statement.bind(text: text, at: index)
        case .blob(let bytes): try statement.bind(blob: bytes, at: index)
        case .hash(let high, let low):
            try unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { (bytes) throws(SQLiteError) in
                try unsafe statement.bind(blob: bytes, at: index)
            }
        }
    }

    /// What a row holds in a column.
    init(of statement: Statement, column: Int) {
        switch statement.columnType(column) {
        case .null: self = .null
        case .integer: self = .integer(statement.int64(column))
        case .real: self = .real(statement.double(column))
        case .text: self = .text(statement.text(column))
        case .blob: self = .blob(statement.blob(column))
        }
    }

    /// Equality that sees a hash and its bytes as one.
    func isSame(as other: ColumnValue) -> Bool { normalized == other.normalized }

    private var normalized: ColumnValue {
        guard case .hash(let high, let low) = self else { return self }
        return .blob(PersistentID(high: high, low: low).bytes)
    }
}
