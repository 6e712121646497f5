// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainSQLite

/// Makes a copy of a database of an earlier format in today's, and proves that it says the same.
package enum Upgrading {
    /// Whether a database is of an earlier format, and may be brought to today's by this software.
    package static func isNeeded(in sqlite: SQLiteConnection) throws(StoreError) -> Bool {
        let row = try KeychainRow.read(from: sqlite)
        return row.format < DatabaseSchema.format && row.mayWrite && row.movedTo.isEmpty
    }

    /// Fills an empty file with the copy; it is whole there when this returns, but not synced.
    ///
    /// The connection has the database alone, without a log beside it.
    package static func copy(
        _ sqlite: SQLiteConnection, to path: String, journal: String
    ) throws(StoreError) {
        let before = try KeychainRow.read(from: sqlite)
        try translating { () throws(SQLiteError) in
            try sqlite.copyWithSums(to: path)
            let copy = try SQLiteConnection(path: path, mode: .readWrite)
            defer { copy.close() }
            try copy.execute("pragma synchronous=full")
            // Without a log, until all is proved: what a log still had, because its last folding-in failed, would not be in the
            // file that takes the place of the original.
            try copy.execute("pragma journal_mode=delete")
            try copy.beginImmediate()
            try raise(copy, from: before)
            try copy.commit()
            try prove(copy, against: sqlite, since: before.format)
            try copy.execute("pragma journal_mode=\(journal)")
        }
    }

    /// Makes the tables and indexes that are new since the copy's format, and marks it as one of today's.
    private static func raise(_ copy: SQLiteConnection, from before: KeychainRow) throws(SQLiteError) {
        let old = Set(DatabaseSchema.definition(format: before.format))
        for statement in DatabaseSchema.definition() where !old.contains(statement) { try copy.execute(statement) }
        let format = DatabaseSchema.format
        try copy.execute(
            "update keychain set format = \(format), min_reader = \(format), min_writer = \(format) where id = 1")
        try copy.setUserVersion(before.version &+ 1)
    }

    /// Throws `corrupt` unless the copy is sound and has every row of every table as it was.
    private static func prove(
        _ copy: SQLiteConnection, against original: SQLiteConnection, since format: Int64
    ) throws(SQLiteError) {
        let check = try copy.prepare("pragma integrity_check")
        defer { check.reset() }
        guard try check.step(), check.text(0) == "ok", try copy.examinePages().hasSums else { throw different }
        let items = ItemClass.allCases.map { ItemTable.of($0).name }
        for table in items + ["keybag", "quarantine"] + (format < 2 ? [] : ["resealing"]) {
            let (old, new) = (
                try original.prepare("select * from \(table) order by rowid"),
                try copy.prepare("select * from \(table) order by rowid")
            )
            defer {
                old.reset()
                new.reset()
            }
            while true {
                let isThere = try old.step()
                guard try new.step() == isThere else { throw different }
                if !isThere { break }
                for column in 0..<old.columnCount
                where ColumnValue(of: old, column: column) != ColumnValue(of: new, column: column) {
                    throw different
                }
            }
        }
    }

    private static var different: SQLiteError { SQLiteError(code: .corrupt, operation: .step) }
}
