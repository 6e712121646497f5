// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

extension StoreLane {
    /// How many items say of themselves that they are sealed under keys that the keybag has no more.
    package func lostItems() throws(StoreError) -> Int {
        var count = 0
        do throws(SQLiteError) {
            for itemClass in ItemClass.allCases {
                let table = ItemTable.of(itemClass)
                let statement = try connection.prepare("select \(RowReader.columns) from \(table.name)")
                defer { statement.reset() }
                let row = reader(statement, table)
                while try statement.step() { if !row.isTombstone, isLost(row) { count += 1 } }
            }
        } catch { throw .sqlite(error) }
        return count
    }

    private func isLost(_ row: RowReader) -> Bool {
        guard let accessibility = row.accessibility, let generation = try? row.generation,
            case .missing = keybag.keys.availability(of: accessibility, generation: generation)
        else { return false }
        return true
    }
}
