// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// Seals items again that are still sealed under an earlier generation.
///
/// It goes through each table by row number and remembers where it was, so it can stop and go on at any time, in any
/// process. New rows come at the end and are of the current generation.
struct Resealing {
    let connection: StoreConnection

    /// Looks at up to `limit` rows and seals again those that need it, in one transaction.
    ///
    /// Rows that cannot be opened stay as they are. Throws `locked` unless all keys are open.
    func step(atMost limit: Int) throws(StoreError) -> ResealingStep {
        try connection.write { () throws(StoreError) in
            // What is locked would be passed over, and the cursor does not come back.
            guard connection.keybag.keys.isComplete else { throw .locked(.whenUnlocked) }
            let writer = RowWriter(connection)
            var step = ResealingStep()
            try SyncStateRows(connection: connection).reseal()
            let marks = try SyncMarks.ofCircle(connection)
            for itemClass in ItemClass.allCases {
                let table = ItemTable.of(itemClass)
                let start = try translating { () throws(SQLiteError) in try cursor(of: table.name) }
                let rows = try rowsToReseal(of: table, from: start, atMost: limit - step.examined)
                for row in rows {
                    step.examined += 1
                    guard let item = row.item else { continue }
                    let mark = SyncMarks.item(itemClass, row.rowID)
                    let marks = SyncTables.classes.contains(itemClass) ? marks : nil
                    let isMarked = try marks?.isMarked(mark) ?? true
                    // A row whose columns were changed may have been added again meanwhile: it stays as it is.
                    if try writer.replace(rowID: row.rowID, with: item) { step.resealed += 1 }
                    // To other devices nothing has changed.
                    if !isMarked { try marks?.takeOff(mark) }
                }
                if let last = rows.last {
                    try translating { () throws(SQLiteError) in try setCursor(of: table.name, to: last.rowID + 1) }
                }
                if step.examined >= limit { break }
            }
            try marks?.sweep()
            if step.examined >= limit { return step }
            // Last, so that no row of an earlier generation becomes a version behind it.
            step.isAtEnd = try resealHistory(atMost: limit - step.examined)
            return step
        }
    }

    /// Whether the pass has seen every earlier version of an item.
    private func resealHistory(atMost limit: Int) throws(StoreError) -> Bool {
        let history = History(connection: connection)
        let start = try translating { () throws(SQLiteError) in try cursor(of: History.table) }
        guard let last = try history.reseal(from: start, atMost: limit) else { return true }
        try translating { () throws(SQLiteError) in try setCursor(of: History.table, to: last + 1) }
        return false
    }

    /// Begins the pass anew.
    func restart() throws(StoreError) {
        try connection.write { () throws(StoreError) in
            try translating { () throws(SQLiteError) in try connection.sqlite.execute("delete from resealing") }
        }
    }

    private func rowsToReseal(
        of table: ItemTable, from start: Int64, atMost limit: Int
    ) throws(StoreError) -> [(rowID: Int64, item: Item?)] {
        let generation = connection.keybag.keys.header.generation
        var rows: [(rowID: Int64, item: Item?)] = []
        var failure: SealingError?
        try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                "select \(RowReader.columns) from \(table.name) where rowid >= ? order by rowid limit ?")
            defer { statement.reset() }
            try statement.bind(start, at: 1)
            try statement.bind(Int64(limit), at: 2)
            let row = connection.reader(statement, table)
            while failure == nil, try statement.step() {
                var item: Item?
                do throws(SealingError) {
                    if try row.generation != generation {
                        item = try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
                    }
                } catch {
                    switch error {
                    case .undecodable, .classUnavailable: break
                    case .unencodable, .noPasscode, .classKeyMissing, .crypto: failure = error
                    }
                }
                rows.append((row.rowID, item))
            }
        }
        if let failure { throw StoreError(failure) }
        return rows
    }

    private func cursor(of table: String) throws(SQLiteError) -> Int64 {
        let statement = try connection.sqlite.prepare("select next from resealing where class = ?")
        defer { statement.reset() }
        try statement.bind(text: table, at: 1)
        return try statement.step() ? statement.int64(0) : 0
    }

    private func setCursor(of table: String, to next: Int64) throws(SQLiteError) {
        let statement = try connection.sqlite.prepare("insert or replace into resealing(class, next) values(?, ?)")
        try statement.bind(text: table, at: 1)
        try statement.bind(next, at: 2)
        try statement.run()
    }
}

/// How far a pass over the items has come.
package struct ResealingStep: Sendable, Equatable {
    /// Rows looked at in this step.
    package var examined = 0
    /// Rows that were sealed under the current generation in this step.
    package var resealed = 0
    /// Whether the pass has seen every row.
    package var isAtEnd = false
}
