// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// Tells by its seals whether a found row is true.
///
/// The row is laid into a database in memory, so that it is read there as every other row is.
struct RowProof {
    enum Verdict {
        /// Both envelopes open; what its columns have to be follows from them. They may have been damaged.
        case proved(columns: [ColumnValue], modified: Double)
        /// Its class is locked, or the keybag has lost its key: nobody can tell.
        case closed
        case damaged
    }

    private let connection: StoreConnection

    init(_ keybag: LoadedKeybag) throws(StoreError) {
        connection = try StoreConnection(
            sqlite: try translating { () throws(SQLiteError) in
                let sqlite = try SQLiteConnection(path: "", mode: .memory)
                try DatabaseSchema.create(in: sqlite, keychain: keybag.keychain, keybag: [])
                return sqlite
            }, keybag: keybag)
    }

    func judge(_ found: FoundRow) throws(StoreError) -> Verdict {
        let table = ItemTable.of(found.itemClass)
        guard let columns = found.columns, columns.count == table.writtenColumns.count else { return .damaged }
        guard try lay(columns, table) else { return .damaged }
        let rowID = connection.sqlite.lastInsertRowID
        let remove = try connection.statements.row(.remove, of: found.itemClass)
        let statement = try connection.statements.row(.read, of: found.itemClass)
        try translating { () throws(SQLiteError) in try statement.bind(rowID, at: 1) }
        let result: Verdict
        do throws(StoreError) {
            result = try statement.nextRow() ? try verdict(on: connection.reader(statement, table)) : .damaged
        } catch {
            statement.reset()
            throw error
        }
        statement.reset()
        try translating { () throws(SQLiteError) in try remove.run(with: [.integer(rowID)]) }
        return result
    }

    private func verdict(on row: RowReader) throws(StoreError) -> Verdict {
        do throws(SealingError) {
            let opened = try unsafe row.open(with: connection.sealer)
            let item = try unsafe row.item(of: opened, with: connection.sealer)
            return .proved(
                columns: try RowImage.columns(of: item, in: row.table, sealer: connection.sealer),
                modified: item.date(.modificationDate))
        } catch {
            switch error {
            case .classUnavailable: return .closed
            case .undecodable: return connection.hasMissingKey(row) ? .closed : .damaged
            case .unencodable, .noPasscode, .classKeyMissing, .crypto: throw StoreError(error)
            }
        }
    }

    /// Whether the values can stand in a row at all.
    private func lay(_ columns: [ColumnValue], _ table: ItemTable) throws(StoreError) -> Bool {
        let statement = try connection.statements.row(.insert, of: table.itemClass)
        do throws(SQLiteError) {
            try statement.run(with: columns)
            return true
        } catch {
            guard error.code.primary == .constraint else { throw .sqlite(error) }
            return false
        }
    }
}

extension FoundRow {
    /// The values as columns; nil where a text is none.
    var columns: [ColumnValue]? {
        var columns: [ColumnValue] = []
        for value in values {
            guard let column = value.column else { return nil }
            columns.append(column)
        }
        return columns
    }
}

extension Statement {
    /// Runs it with a value for each of its parameters, in order.
    func run(with columns: [ColumnValue]) throws(SQLiteError) {
        do throws(SQLiteError) {
            for index in columns.indices where columns[index] != .null {
                try columns[index].bind(to: self, at: index + 1)
            }
        } catch {
            reset()
            throw error
        }
        try run()
    }
}
