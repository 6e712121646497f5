// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite

extension SQLiteConnection {
    /// One value, as SQL writes it.
    func quoted(_ expression: String, in table: String, row: Int) throws -> String {
        let statement = try prepare("select quote(\(expression)) from \(table) where rowid = \(row)")
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : "no row"
    }

    func blob(of table: String = "genp", row: Int = 1) throws -> [UInt8] {
        let statement = try prepare("select data from \(table) where rowid = \(row)")
        defer { statement.reset() }
        return try statement.step() ? statement.blob(0) : []
    }

    func setBlob(_ bytes: [UInt8], of table: String = "genp", row: Int = 1) throws {
        let statement = try prepare("update \(table) set data = ? where rowid = \(row)")
        try statement.bind(blob: bytes, at: 1)
        try statement.run()
    }

    func columns(of table: String) throws -> [String] {
        let statement = try prepare("select name from pragma_table_info('\(table)') where name <> 'rowid'")
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        return names
    }

    /// A whole row, column by column, as SQL writes it.
    func values(of table: String, row: Int) throws -> [String: String] {
        var values: [String: String] = [:]
        for column in try columns(of: table) { values[column] = try quoted(column, in: table, row: row) }
        return values
    }

    func insert(_ values: [String: String], into table: String, row: Int) throws {
        let names = values.keys.sorted()
        let list = names.compactMap { values[$0] }.joined(separator: ", ")
        try execute("insert into \(table)(rowid, \(names.joined(separator: ", "))) values(\(row), \(list))")
    }

    func count(_ table: String) throws -> Int {
        let statement = try prepare("select count(*) from \(table)")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int64(0)) : -1
    }
}
