// SPDX-License-Identifier: Apache-2.0

internal import KeychainSQLite

/// Gives room of the file that deletions have left free back to the file system, in parts, so that other writers come between
/// them.
///
/// A database of an earlier format keeps its room for what is stored next.
struct Shrinking {
    let sqlite: SQLiteConnection

    /// Whether anything was given back.
    func run() throws(SQLiteError) -> Bool {
        var free = try sqlite.number("freelist_count")
        let atFirst = free
        // What is stored next needs some room, and moving pages costs as much as storing them.
        while free > max(Shrinking.fewPages, try sqlite.number("page_count") / 4) {
            try givePart()
            let rest = try sqlite.number("freelist_count")
            if rest >= free { break }
            free = rest
        }
        return free < atFirst
    }

    /// Gives all of it back, whatever that costs.
    func runToEnd() throws(SQLiteError) {
        var free = try sqlite.number("freelist_count")
        while free > 0 {
            try givePart()
            let rest = try sqlite.number("freelist_count")
            if rest >= free { return }
            free = rest
        }
    }

    private func givePart() throws(SQLiteError) {
        try sqlite.beginImmediate()
        do throws(SQLiteError) {
            try sqlite.execute("pragma incremental_vacuum(\(Shrinking.part))")
            try sqlite.commit()
        } catch {
            sqlite.rollback()
            throw error
        }
    }

    /// A quarter of a megabyte.
    private static let fewPages: Int64 = 64
    private static let part = 512
}
