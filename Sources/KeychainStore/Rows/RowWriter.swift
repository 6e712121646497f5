// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// How an operation writes and removes rows, inside its transaction.
struct RowWriter {
    let connection: StoreConnection
    let notes: OperationNotes

    init(_ connection: StoreConnection) {
        self.connection = connection
        notes = connection.notes
    }

    // MARK: Writing

    /// Writes a new row.
    ///
    /// False when the unique key is taken.
    func insert(_ item: Item) throws(StoreError) -> Bool {
        let image = try image(of: item)
        guard try run(try connection.statements.row(.insert, of: item.itemClass), image, rowID: nil) else {
            return false
        }
        try connection.tally().added(item.itemClass, item.id, blob: image.blob)
        return true
    }

    /// Writes an item over the row it was read from.
    ///
    /// False when its new unique key is taken.
    func replace(rowID: Int64, with item: Item) throws(StoreError) -> Bool {
        let (image, tally) = (try image(of: item), try connection.tally())
        let before = tally.changeSoFar
        // An update of several items may have removed a tombstone that was one of them; then nothing is written.
        let isThere = try tally.removing(rowID, from: ItemTable.of(item.itemClass))
        guard try run(try connection.statements.row(.replace, of: item.itemClass), image, rowID: rowID) else {
            tally.restore(before)
            return false
        }
        if isThere { try tally.added(item.itemClass, item.id, blob: image.blob) }
        return true
    }

    func remove(rowID: Int64, from table: ItemTable) throws(StoreError) {
        try connection.tally().removing(rowID, from: table)
        let statement = try connection.statements.row(.remove, of: table.itemClass)
        try translating { () throws(SQLiteError) in
            try statement.bind(rowID, at: 1)
            try statement.run()
        }
        notes.removedRow(rowID)
    }

    /// All that is written for an item.
    func image(of item: Item) throws(StoreError) -> RowImage {
        try sealing { () throws(SealingError) in
            try RowImage(item, keychain: connection.keybag.keychain, sealer: connection.sealer)
        }
    }

    private func run(_ statement: Statement, _ image: RowImage, rowID: Int64?) throws(StoreError) -> Bool {
        do throws(SQLiteError) {
            // What is not bound is NULL, because a reset forgets what was.
            for index in image.columns.indices where image.columns[index] != .null {
                try image.columns[index].bind(to: statement, at: index + 1)
            }
            try statement.bind(blob: image.blob, at: image.columns.count + 1)
            if let rowID { try statement.bind(rowID, at: image.columns.count + 2) }
            try statement.run()
            return true
        } catch {
            statement.reset()
            if error.code.isUniqueViolation { return false }
            throw .sqlite(error)
        }
    }

    // MARK: What is in the way

    /// What stands where an item wants to go.
    enum Occupant {
        case live(rowID: Int64, Item)
        case tombstone(rowID: Int64, Item)
        /// A row that cannot be read, or whose columns were changed from outside.
        case damaged(rowID: Int64)
    }

    /// Looks at the row that has an item's unique key; nil when the key is free.
    func occupant(of item: Item) throws(StoreError) -> Occupant? {
        let table = ItemTable.of(item.itemClass)
        let statement = try connection.statements.row(.readOccupant, of: item.itemClass)
        try statement.bindingPlaceholders { (placeholders) throws(StoreError) in
            for column in table.columns.prefix(table.identityCount) {
                let value = try sealing { () throws(SealingError) in
                    try ColumnValue(of: item, column, in: table, sealer: connection.sealer)
                }
                try placeholders.bind(value)
            }
            // As `ItemTable.commonIdentity` orders them.
            try placeholders.bind(.text(item.group))
            try placeholders.bind(.integer(item.isSynchronizable ? 1 : 0))
            try placeholders.bind(.text(item.viewHint))
            try placeholders.bind(.text(item.tokenID))
            try placeholders.bind(.blob([]))
            try placeholders.bind(.text(""))
        }
        defer { statement.reset() }
        guard try statement.nextRow() else { return nil }
        let row = connection.reader(statement, table)
        let found: Item
        do throws(SealingError) {
            // The secret too: an item that can be seen and not read must not keep its place for ever.
            found = try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return .damaged(rowID: row.rowID)
        }
        guard found.hasSameIdentity(as: item) else { return .damaged(rowID: row.rowID) }
        return found.isTombstone ? .tombstone(rowID: row.rowID, found) : .live(rowID: row.rowID, found)
    }

    /// Takes out of an item's way what is no item: a tombstone, or a row that cannot be read; false where an item has its key.
    ///
    /// The item becomes later than the deletion whose place it takes: that one is on other devices, too, and would undo it.
    func makesRoom(for item: inout Item, at moment: WriteContext) throws(StoreError) -> Bool {
        let table = ItemTable.of(item.itemClass)
        switch try occupant(of: item) {
        case .live, nil: return false
        case .tombstone(let rowID, let tombstone):
            let deletion = tombstone.date(.modificationDate)
            if item.date(.modificationDate) <= deletion {
                item.attributes[.modificationDate] = .date(moment.later(than: deletion))
            }
            try remove(rowID: rowID, from: table)
        case .damaged(let rowID): try quarantine(rowID: rowID, from: table, at: moment.now)
        }
        return true
    }

    // MARK: Quarantine

    /// Moves a row that cannot be read out of the way, whole, so that its unique key is free again.
    ///
    /// Nothing is lost: the quarantine keeps every column, for a repair that knows more than we do now.
    func quarantine(rowID: Int64, from table: ItemTable, at moment: Double) throws(StoreError) {
        guard let row = try wholeRow(rowID, of: table) else { return }
        try translating { () throws(SQLiteError) in
            let insert = try connection.sqlite.prepare(
                "insert into quarantine(class, moved, reason, row) values(?, ?, 'undecodable', ?)")
            try insert.bind(text: table.name, at: 1)
            try insert.bind(moment, at: 2)
            try insert.bind(blob: row, at: 3)
            try insert.run()
        }
        try remove(rowID: rowID, from: table)
        notes.damagedRows += 1
    }

    /// Every column of a row, byte for byte; nil where there is no such row.
    func wholeRow(_ rowID: Int64, of table: ItemTable) throws(StoreError) -> [UInt8]? {
        try translating { () throws(SQLiteError) in
            let whole = try connection.statements.upkeep("select * from \(table.name) where rowid = ?")
            defer { whole.reset() }
            try whole.bind(rowID, at: 1)
            guard try whole.step() else { return nil }
            let columns = (0..<whole.columnCount).map { index in
                (key: whole.columnName(index), value: PropertyList(whole, column: index))
            }
            do throws(CodingError) { return try PropertyList.encoded(columns) } catch {
                // Every case of a column has an encoding, so this is no row of SQLite's.
                throw SQLiteError(code: .misuse, operation: .step)
            }
        }
    }
}

extension PropertyList {
    /// A column as it stands, byte for byte: text may have been damaged into something that is not text, and real
    /// numbers go as their bits, since the codec knows whole numbers only.
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
