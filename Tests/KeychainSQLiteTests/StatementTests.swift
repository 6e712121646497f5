// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite
import Testing

@Suite struct StatementTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: "", mode: .memory)
        try connection.execute("create table t(v)")
    }

    /// Stores one value and hands its row to `read`.
    private func stored<Value>(
        _ bind: (Statement) throws -> Void, _ read: (Statement) -> Value
    ) throws -> (Statement.ColumnType, Value)? {
        try connection.execute("delete from t")
        let insert = try connection.prepare("insert into t values(?1)")
        try bind(insert)
        try insert.run()
        let select = try connection.prepare("select v from t")
        guard try select.step() else { return nil }
        return (select.columnType(0), read(select))
    }

    @Test("integers come back", arguments: [0, 1, -1, .max, .min] as [Int64])
    func integers(value: Int64) throws {
        let row = try stored({ try $0.bind(value, at: 1) }, { $0.int64(0) })
        #expect(row?.0 == .integer)
        #expect(row?.1 == value)
    }

    @Test("numbers with fractions come back", arguments: [0.5, -1e300, 725846400.123456])
    func reals(value: Double) throws {
        let row = try stored({ try $0.bind(value, at: 1) }, { $0.double(0) })
        #expect(row?.0 == .real)
        #expect(row?.1 == value)
    }

    @Test("texts come back whole", arguments: ["", "a", "a\0b", "é🔑", String(repeating: "long ", count: 1000)])
    func texts(value: String) throws {
        let row = try stored({ try $0.bind(text: value, at: 1) }, { $0.text(0) })
        #expect(row?.0 == .text)
        #expect(row?.1 == value)
    }

    @Test("blobs come back whole, and an empty one is not NULL", arguments: [0, 1, 16, 100_000])
    func blobs(count: Int) throws {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let row = try stored({ try $0.bind(blob: value, at: 1) }, { $0.blob(0) })
        #expect(row?.0 == .blob)
        #expect(row?.1 == value)
        let raw = try stored(
            { statement in try value.withUnsafeBytes { try statement.bind(blob: $0, at: 1) } },
            { $0.withBlob(0) { Array($0) } })
        #expect(raw?.0 == .blob)
        #expect(raw?.1 == value)
        let none = try stored(
            { try $0.bind(blob: UnsafeRawBufferPointer(start: nil, count: 0), at: 1) }, { $0.blob(0) })
        #expect(none?.0 == .blob)
    }

    @Test("NULL is a type of its own and reads as nothing")
    func null() throws {
        let row = try stored({ try $0.bindNull(at: 1) }, { ($0.text(0), $0.blob(0), $0.int64(0)) })
        #expect(row?.0 == .null)
        #expect(row?.1.0 == "")
        #expect(row?.1.1 == [])
        #expect(row?.1.2 == 0)
    }

    @Test("resetting forgets what was bound")
    func forgets() throws {
        let statement = try connection.prepare("select ?1")
        try statement.bind(text: "secret", at: 1)
        #expect(try statement.step())
        #expect(statement.text(0) == "secret")
        statement.reset()
        #expect(try statement.step())
        #expect(statement.columnType(0) == .null)
    }

    @Test("a statement steps through its rows once, and again after a reset")
    func rows() throws {
        try connection.execute("insert into t values(1), (2), (3)")
        let statement = try connection.prepare("select v from t order by v")
        for _ in 0..<2 {
            var seen: [Int64] = []
            while try statement.step() { seen.append(statement.int64(0)) }
            #expect(seen == [1, 2, 3])
            statement.reset()
        }
    }

    @Test("a failed run leaves the statement ready")
    func failedRun() throws {
        try connection.execute("create unique index i on t(v)")
        let insert = try connection.prepare("insert into t values(?1)")
        for expected in [nil, ResultCode.uniqueViolation, .uniqueViolation] {
            try insert.bind(1 as Int64, at: 1)
            do throws(SQLiteError) {
                try insert.run()
                #expect(expected == nil)
            } catch {
                #expect(error.code == expected)
            }
        }
    }

    @Test("a body that throws while a blob is lent throws its own error")
    func lending() throws {
        struct Refusal: Error, Equatable {}
        let statement = try connection.prepare("select x'0102'")
        _ = try statement.step()
        do throws(Refusal) {
            try statement.withBlob(0) { _ throws(Refusal) in throw Refusal() }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == Refusal())
        }
    }
}
