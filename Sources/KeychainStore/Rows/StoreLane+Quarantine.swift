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
                columns[whole.columnName(index)] = PropertyList(column: ColumnValue(of: whole, column: index))
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
    /// A column as it stands.
    ///
    /// Real numbers go as their bits, since the codec knows whole numbers only.
    fileprivate init(column: ColumnValue) {
        switch column {
        case .null: self = .null
        case .integer(let number): self = .number(number)
        case .real(let number): self = .array([.string("real"), .number(Int64(bitPattern: number.bitPattern))])
        case .text(let text): self = .string(text)
        case .blob(let bytes): self = .data(bytes)
        case .hash(let high, let low): self = .data(PersistentID(high: high, low: low).bytes)
        }
    }
}
