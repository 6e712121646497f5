// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// What stands where an item wants to go.
enum Occupant {
    case live(rowID: Int64, Item)
    case tombstone(rowID: Int64, Item)
    /// A row that cannot be read, or whose columns were changed from outside.
    case damaged(rowID: Int64)
}

extension StoreLane {
    /// Looks at the row that has an item's unique key; nil when the key is free.
    func occupant(of item: Item) throws(StoreError) -> Occupant? {
        let table = ItemTable.of(item.itemClass)
        let identity = table.columns.prefix(table.identityCount)
        let statement = try cached(\.collisions, item.itemClass) {
            let names = identity.map(\.name) + ItemTable.commonIdentity
            return "select \(RowReader.columns) from \(table.name) where "
                + names.map { $0 + " = ?" }.joined(separator: " and ")
        }
        defer { statement.reset() }
        let own: [ColumnValue]
        do throws(SealingError) { own = try RowImage.ownColumns(of: item, in: table, bench: bench) } catch {
            throw StoreError(error)
        }
        let common: [ColumnValue] = [
            .text(item.group), .integer(item.isSynchronizable ? 1 : 0), .text(item.viewHint), .text(item.tokenID),
            .blob([]), .text(""),
        ]
        do throws(SQLiteError) {
            for (index, value) in (own.prefix(table.identityCount) + common).enumerated() {
                try value.bind(to: statement, at: index + 1)
            }
        } catch { throw .sqlite(error) }
        guard try step(statement) else { return nil }
        let row = reader(statement, table)
        let found: Item
        do throws(SealingError) {
            // The secret too: an item that can be seen and not read must not keep its place for ever.
            found = try unsafe row.item(of: row.open(with: bench), with: bench)
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return .damaged(rowID: row.rowID)
        }
        guard found.hasSameIdentity(as: item) else { return .damaged(rowID: row.rowID) }
        return found.isTombstone ? .tombstone(rowID: row.rowID, found) : .live(rowID: row.rowID, found)
    }
}
