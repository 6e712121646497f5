// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// Writing and removing rows, inside a transaction of the operation's.
extension StoreLane {
    /// Writes a new row.
    ///
    /// False when the unique key is taken.
    func insert(_ item: Item) throws(StoreError) -> Bool {
        let table = ItemTable.of(item.itemClass)
        let statement = try cached(\.inserts, item.itemClass) {
            let names = table.writtenColumns
            let places = repeatElement("?", count: names.count).joined(separator: ", ")
            return "insert into \(table.name)(\(names.joined(separator: ", "))) values(\(places))"
        }
        return try run(statement, try image(of: item), trailing: [])
    }

    /// Writes an item over the row it was read from.
    ///
    /// False when its new unique key is taken.
    func replace(rowID: Int64, with item: Item) throws(StoreError) -> Bool {
        let table = ItemTable.of(item.itemClass)
        let statement = try cached(\.updates, item.itemClass) {
            let names = table.writtenColumns
            return "update \(table.name) set \(names.map { $0 + " = ?" }.joined(separator: ", ")) where rowid = ?"
        }
        return try run(statement, try image(of: item), trailing: [.integer(rowID)])
    }

    func remove(rowID: Int64, from table: ItemTable) throws(StoreError) {
        let statement = try cached(\.deletes, table.itemClass) { "delete from \(table.name) where rowid = ?" }
        do throws(SQLiteError) {
            try statement.bind(rowID, at: 1)
            try statement.run()
        } catch { throw .sqlite(error) }
    }

    private func image(of item: Item) throws(StoreError) -> RowImage {
        do throws(SealingError) { return try RowImage(item, keychain: keybag.keychain, bench: bench) } catch {
            throw StoreError(error)
        }
    }

    private func run(
        _ statement: Statement, _ image: RowImage, trailing: [ColumnValue]
    ) throws(StoreError) -> Bool {
        do throws(SQLiteError) {
            var next = 1
            for value in image.columns {
                try value.bind(to: statement, at: next)
                next += 1
            }
            try statement.bind(blob: image.blob, at: next)
            for value in trailing {
                next += 1
                try value.bind(to: statement, at: next)
            }
            try statement.run()
            return true
        } catch {
            statement.reset()
            if error.code.isUniqueViolation { return false }
            throw .sqlite(error)
        }
    }

    func cached(
        _ statements: ReferenceWritableKeyPath<StoreLane, [ItemClass: Statement]>, _ itemClass: ItemClass,
        _ sql: () -> String
    ) throws(StoreError) -> Statement {
        if let statement = self[keyPath: statements][itemClass] { return statement }
        let statement: Statement
        do throws(SQLiteError) { statement = try connection.prepare(sql()) } catch { throw .sqlite(error) }
        self[keyPath: statements][itemClass] = statement
        return statement
    }
}
