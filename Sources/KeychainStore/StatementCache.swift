// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSQLite

/// The statements that a store connection has compiled to run many times, each under what tells it from others of its kind.
final class StatementCache {
    private let sqlite: SQLiteConnection
    private var selects = Kept<QueryShape>(limit: 64)
    private var joins = Kept<IdentitySelection.Shape>(limit: 64)
    private var issuerLookups = Kept<QueryShape>(limit: 8)
    private var rowStatements = Kept<RowStatement>(limit: .max)
    private var upkeepStatements = Kept<String>(limit: 48)
    /// The select asked for last: a program asks the same question again and again.
    private var lastSelect: (shape: QueryShape, statement: Statement)?

    init(_ sqlite: SQLiteConnection) { self.sqlite = sqlite }

    /// The statement that selects the rows of a shape.
    func select(_ shape: QueryShape) throws(StoreError) -> Statement {
        if let lastSelect, lastSelect.shape == shape { return lastSelect.statement }
        let statement = try prepared(shape, in: &selects, shape.sql)
        lastSelect = (shape, statement)
        return statement
    }

    /// The statement that looks for issuers while a select is under way, perhaps one of the same shape.
    func issuerLookup(_ shape: QueryShape) throws(StoreError) -> Statement {
        try prepared(shape, in: &issuerLookups, shape.sql)
    }

    /// The statement that joins certificates and keys.
    func join(_ shape: IdentitySelection.Shape) throws(StoreError) -> Statement {
        try prepared(shape, in: &joins, shape.sql)
    }

    /// The statement that does something with one row of a class.
    func row(_ task: RowStatement.Task, of itemClass: ItemClass) throws(StoreError) -> Statement {
        let key = RowStatement(task: task, itemClass: itemClass)
        return try prepared(key, in: &rowStatements, key.sql)
    }

    /// A statement beside the operations on items, by its text.
    func upkeep(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = upkeepStatements.statements[sql] { return statement }
        if upkeepStatements.statements.count >= upkeepStatements.limit { upkeepStatements.statements.removeAll() }
        let statement = try sqlite.prepare(sql)
        upkeepStatements.statements[sql] = statement
        return statement
    }

    func removeAll() {
        lastSelect = nil
        selects.statements.removeAll()
        joins.statements.removeAll()
        issuerLookups.statements.removeAll()
        rowStatements.statements.removeAll()
        upkeepStatements.statements.removeAll()
    }

    /// Statements of one kind.
    private struct Kept<Key: Hashable> {
        /// A program has a handful of shapes; one that makes up endless ones must not fill memory.
        let limit: Int
        var statements: [Key: Statement] = [:]
    }

    private func prepared<Key>(
        _ key: Key, in kept: inout Kept<Key>, _ sql: @autoclosure () -> String
    ) throws(StoreError) -> Statement {
        if let statement = kept.statements[key] { return statement }
        if kept.statements.count >= kept.limit { kept.statements.removeAll() }
        let statement = try translating { () throws(SQLiteError) in try sqlite.prepare(sql()) }
        kept.statements[key] = statement
        return statement
    }
}

/// A statement about one row of a class's table.
struct RowStatement: Hashable {
    enum Task {
        case insert
        /// Writes a whole row over the one that has a number.
        case replace
        case remove
        /// Reads the row that has a number.
        case read
        /// Reads of the row that has a number what the tally goes by.
        case readTag
        /// Reads the row that has an item's unique key.
        case readOccupant
    }

    let task: Task
    let itemClass: ItemClass

    var sql: String {
        let table = ItemTable.of(itemClass)
        switch task {
        case .insert:
            let names = table.writtenColumns
            let places = repeatElement("?", count: names.count).joined(separator: ", ")
            return "insert into \(table.name)(\(names.joined(separator: ", "))) values(\(places))"
        case .replace:
            return "update \(table.name) set \(Self.equal(table.writtenColumns, ", ")) where rowid = ?"
        case .remove: return "delete from \(table.name) where rowid = ?"
        case .read: return "select \(RowReader.columns) from \(table.name) where rowid = ?"
        case .readTag: return "\(Self.tags(of: table)) where rowid = ?"
        case .readOccupant:
            let names = table.columns.prefix(table.identityCount).map(\.name) + ItemTable.commonIdentity
            return "select \(RowReader.columns) from \(table.name) where \(Self.equal(names, " and "))"
        }
    }

    /// What the tally goes by, of all rows.
    static func tags(of table: ItemTable) -> String {
        "select persistref, substr(data, -\(RowTally.tagSize)) from \(table.name)"
    }

    private static func equal(_ names: [String], _ separator: String) -> String {
        names.map { $0 + " = ?" }.joined(separator: separator)
    }
}
