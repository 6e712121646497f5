// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel
internal import KeychainSQLite

extension StoreLane {
    /// Moves a row that cannot be read out of the way, whole, so that its unique key is free again.
    ///
    /// Nothing is lost: the quarantine keeps every column, for a repair that knows more than we do now.
    func quarantine(rowID: Int64, from table: ItemTable, at moment: Double) throws(StoreError) {
        do throws(SQLiteError) {
            let whole = try connection.prepare("select * from \(table.name) where rowid = ?")
            try whole.bind(rowID, at: 1)
            guard try whole.step() else { return }
            var columns: [String: PropertyList] = [:]
            for index in 0..<whole.columnCount {
                columns[whole.columnName(index)] = PropertyList(whole, column: index)
            }
            whole.reset()
            let encoded: [UInt8]
            do throws(CodingError) { encoded = try PropertyList.dictionary(columns).encoded() } catch {
                // Every case of a column has an encoding, so this is no row of SQLite's.
                throw SQLiteError(code: .misuse, operation: .step)
            }
            let insert = try connection.prepare(
                "insert into quarantine(class, moved, reason, row) values(?, ?, 'undecodable', ?)")
            try insert.bind(text: table.name, at: 1)
            try insert.bind(moment, at: 2)
            try insert.bind(blob: encoded, at: 3)
            try insert.run()
        } catch { throw .sqlite(error) }
        try remove(rowID: rowID, from: table)
        damagedRows += 1
    }
}

extension PropertyList {
    /// A column as it stands, byte for byte: text may have been damaged into something that is none, and real numbers go
    /// as their bits, since the codec knows whole numbers only.
    fileprivate init(_ statement: Statement, column: Int) {
        switch statement.columnType(column) {
        case .null: self = .null
        case .integer: self = .number(statement.int64(column))
        case .real: self = .array([.string("real"), .number(Int64(bitPattern: statement.double(column).bitPattern))])
        case .text: self = .array([.string("text"), .data(statement.blob(column))])
        case .blob: self = .data(statement.blob(column))
        }
    }
}
