// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// How far a pass over the items has come.
package struct ResealingStep: Sendable, Equatable {
    /// Rows looked at in this step.
    package var examined = 0
    /// Rows that were sealed under the current generation in this step.
    package var resealed = 0
    /// Whether the pass has seen every row.
    package var isAtEnd = false
}

/// Sealing items again that are still sealed under an earlier generation.
///
/// It goes through each table by row number and remembers where it was, so it can stop and go on at any time, in any
/// process. New rows come at the end and are of the current generation.
extension StoreLane {
    /// Looks at up to `limit` rows and seals again those that need it, in one transaction.
    ///
    /// Rows that cannot be opened stay as they are. Throws `locked` unless all keys are open.
    package func reseal(atMost limit: Int) throws(StoreError) -> ResealingStep {
        try write { () throws(StoreError) in
            // What is locked would be passed over, and the cursor does not come back.
            guard keybag.keys.isComplete else { throw .locked(.whenUnlocked) }
            var step = ResealingStep()
            for itemClass in ItemClass.allCases {
                let table = ItemTable.of(itemClass)
                let start = try resealingCursor(of: table)
                let rows = try rowsToReseal(of: table, from: start, atMost: limit - step.examined)
                for row in rows {
                    step.examined += 1
                    guard let item = row.item else { continue }
                    // A row whose columns were changed may have been added again meanwhile: it stays as it is.
                    if try replace(rowID: row.rowID, with: item) { step.resealed += 1 }
                }
                if let last = rows.last { try setResealingCursor(of: table, to: last.rowID + 1) }
                if step.examined >= limit { return step }
            }
            step.isAtEnd = true
            return step
        }
    }

    /// Begins the pass anew.
    package func restartResealing() throws(StoreError) {
        try write { () throws(StoreError) in
            do throws(SQLiteError) { try connection.execute("delete from resealing") } catch { throw .sqlite(error) }
        }
    }

    /// Looks at a few rows after a write, if a pass is under way and can be completed.
    ///
    /// What fails here fails nothing: the write before it is done.
    package func resealAfterWrite() {
        guard keybag.keys.hasEarlierGenerations, keybag.keys.isComplete, !isResealed else { return }
        let damaged = damagedRows
        defer { damagedRows = damaged }
        if let step = try? reseal(atMost: 16), step.isAtEnd { isResealed = true }
    }

    /// The access groups that items are in.
    package func groups() throws(StoreError) -> Set<String> {
        var groups: Set<String> = []
        do throws(SQLiteError) {
            for itemClass in ItemClass.allCases {
                let statement = try connection.prepare("select distinct agrp from \(ItemTable.of(itemClass).name)")
                defer { statement.reset() }
                while try statement.step() { groups.insert(statement.text(0)) }
            }
        } catch { throw .sqlite(error) }
        return groups
    }

    /// Whether there are items that can be read while the keychain is locked, and could not before it was first unlocked.
    package func hasItemsReadableAfterFirstUnlock() throws(StoreError) -> Bool {
        let names = Accessibility.allCases.filter { !$0.needsUnlockedDevice && !$0.isAlwaysAvailable }.map {
            "'\($0.name)'"
        }.joined(separator: ", ")
        do throws(SQLiteError) {
            for itemClass in ItemClass.allCases {
                let statement = try connection.prepare(
                    "select 1 from \(ItemTable.of(itemClass).name) where pdmn in (\(names)) limit 1")
                defer { statement.reset() }
                if try statement.step() { return true }
            }
        } catch { throw .sqlite(error) }
        return false
    }

    /// How many rows there are.
    package func rowCount() throws(StoreError) -> Int {
        var count = 0
        do throws(SQLiteError) {
            for itemClass in ItemClass.allCases {
                let statement = try connection.prepare("select count(*) from \(ItemTable.of(itemClass).name)")
                defer { statement.reset() }
                if try statement.step() { count += Int(statement.int64(0)) }
            }
        } catch { throw .sqlite(error) }
        return count
    }

    private func rowsToReseal(
        of table: ItemTable, from start: Int64, atMost limit: Int
    ) throws(StoreError) -> [(rowID: Int64, item: Item?)] {
        let generation = keybag.keys.header.generation
        var rows: [(rowID: Int64, item: Item?)] = []
        var failure: SealingError?
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                "select \(RowReader.columns) from \(table.name) where rowid >= ? order by rowid limit ?")
            defer { statement.reset() }
            try statement.bind(start, at: 1)
            try statement.bind(Int64(limit), at: 2)
            let row = reader(statement, table)
            while failure == nil, try statement.step() {
                var item: Item?
                do throws(SealingError) {
                    if try row.generation != generation {
                        item = try unsafe row.item(of: row.open(with: bench), with: bench)
                    }
                } catch {
                    switch error {
                    case .undecodable, .classUnavailable, .unknownVersion: break
                    case .unencodable, .noPasscode, .classKeyMissing, .crypto: failure = error
                    }
                }
                rows.append((row.rowID, item))
            }
        } catch { throw .sqlite(error) }
        if let failure { throw StoreError(failure) }
        return rows
    }

    private func resealingCursor(of table: ItemTable) throws(StoreError) -> Int64 {
        do throws(SQLiteError) {
            let statement = try connection.prepare("select next from resealing where class = ?")
            defer { statement.reset() }
            try statement.bind(text: table.name, at: 1)
            return try statement.step() ? statement.int64(0) : 0
        } catch { throw .sqlite(error) }
    }

    private func setResealingCursor(of table: ItemTable, to next: Int64) throws(StoreError) {
        do throws(SQLiteError) {
            let statement = try connection.prepare("insert or replace into resealing(class, next) values(?, ?)")
            try statement.bind(text: table.name, at: 1)
            try statement.bind(next, at: 2)
            try statement.run()
        } catch { throw .sqlite(error) }
    }
}
