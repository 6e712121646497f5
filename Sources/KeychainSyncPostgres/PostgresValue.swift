// SPDX-License-Identifier: Apache-2.0

internal import CPostgres

/// A statement with its values.
struct PostgresStatement {
    let text: String
    var values: [PostgresValue] = []
    /// How many rows it has to insert, where that is known.
    var inserts: Int?
}

/// A value that goes into a statement beside its text, in PostgreSQL's binary form.
struct PostgresValue {
    let type: Oid
    let bytes: [UInt8]

    static func bytes(_ bytes: [UInt8]) -> PostgresValue {
        PostgresValue(type: PostgresType.bytes.rawValue, bytes: bytes)
    }

    static func number(_ number: Int64) -> PostgresValue {
        PostgresValue(type: PostgresType.number.rawValue, bytes: bigEndian(number))
    }

    static func text(_ text: String) -> PostgresValue {
        PostgresValue(type: PostgresType.text.rawValue, bytes: Array(text.utf8))
    }

    static func list(_ values: [[UInt8]]) -> PostgresValue { array(of: .bytes, as: 1001, values) }
    static func list(_ numbers: [Int64]) -> PostgresValue { array(of: .number, as: 1016, numbers.map(bigEndian)) }

    /// Dimensions, whether there are nulls, the elements' type; size and lower bound; then each element behind its size.
    private static func array(of element: PostgresType, as type: Oid, _ values: [[UInt8]]) -> PostgresValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + $1.count })
        let count = Int32(clamping: values.count)
        for number in [count == 0 ? 0 : 1, 0, Int32(bitPattern: element.rawValue)] { bytes += bigEndian(number) }
        if count > 0 { bytes += bigEndian(count) + bigEndian(Int32(1)) }
        for value in values {
            bytes += bigEndian(Int32(clamping: value.count))
            bytes += value
        }
        return PostgresValue(type: type, bytes: bytes)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
    }
}

/// The types that our tables have, by PostgreSQL's numbers.
enum PostgresType: Oid {
    case bytes = 17
    case number = 20
    case text = 25
}

/// One row of an answer: the types of all its columns are checked, and every value as it is read.
// Safe: it is lent to the call that reads it, and the result lives longer.
@safe
struct PostgresRow: ~Copyable {
    private let functions: UnsafePointer<llv_pq>
    private let result: OpaquePointer

    init(functions: UnsafePointer<llv_pq>, result: OpaquePointer) {
        unsafe self.functions = functions
        unsafe self.result = result
    }

    /// Bytes of at most so many.
    func bytes(_ column: Int32, most: Int) throws(PostgresMisfit) -> [UInt8] {
        let value = try unsafe value(column)
        guard value.count <= most else { throw PostgresMisfit() }
        return unsafe Array(value)
    }

    /// Bytes of exactly one size.
    func bytes(_ column: Int32, size: Int) throws(PostgresMisfit) -> [UInt8] {
        let value = try bytes(column, most: size)
        guard value.count == size else { throw PostgresMisfit() }
        return value
    }

    func number(_ column: Int32) throws(PostgresMisfit) -> Int64 {
        let value = try unsafe value(column)
        guard value.count == 8 else { throw PostgresMisfit() }
        return unsafe value.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// A number that counts something: never negative.
    func count(_ column: Int32) throws(PostgresMisfit) -> UInt64 {
        guard let count = UInt64(exactly: try number(column)) else { throw PostgresMisfit() }
        return count
    }

    func text(_ column: Int32, most: Int) throws(PostgresMisfit) -> String {
        guard let text = String(validating: try bytes(column, most: most), as: UTF8.self) else {
            throw PostgresMisfit()
        }
        return text
    }

    private func value(_ column: Int32) throws(PostgresMisfit) -> UnsafeRawBufferPointer {
        guard unsafe functions.pointee.PQgetisnull(result, 0, column) == 0 else { throw PostgresMisfit() }
        let count = unsafe functions.pointee.PQgetlength(result, 0, column)
        guard count >= 0, let start = unsafe functions.pointee.PQgetvalue(result, 0, column) else {
            throw PostgresMisfit()
        }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
    }
}

/// A value is not what was asked for: null, of another size, no text.
struct PostgresMisfit: Error {}
