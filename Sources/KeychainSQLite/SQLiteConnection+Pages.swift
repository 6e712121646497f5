// SPDX-License-Identifier: Apache-2.0

internal import CPages
internal import CSQLite

/// The sums in a database's pages (`CPages`), as a connection sees them.
package enum PageSums {
    /// Bytes at the end of each page that SQLite leaves free for them.
    static let reserved: Int32 = 16

    /// Bytes of a page.
    package static let pageSize = 4096

    /// Whether a page is what was written; for who reads the file without SQLite.
    package static func isRight(_ page: [UInt8], number: UInt32) -> Bool {
        unsafe page.count == pageSize && llv_pages_is_right(page, number) != 0
    }

    /// Whether a page has the mark of those with a sum.
    package static func isMarked(_ page: [UInt8]) -> Bool {
        unsafe page.count == pageSize && llv_pages_is_marked(page) != 0
    }

    /// Makes the sum of a page.
    package static func seal(_ page: inout [UInt8], number: UInt32) {
        if page.count == pageSize { unsafe llv_pages_seal(&page, number) }
    }

    /// What an examination of all pages found.
    package struct Examination: Sendable, Equatable {
        /// Whether the database has sums; those of earlier formats have none.
        package let hasSums: Bool
        package let pages: Int
        /// Pages that are not what was written, or that another program wrote without sums.
        package let damaged: Int
    }
}

extension SQLiteConnection {
    /// Reads every page of the file and compares it with its sum.
    ///
    /// Call it inside a transaction. What lies in the log is not in the file yet, and is compared when it is read.
    package func examinePages() throws(SQLiteError) -> PageSums.Examination {
        try examine(LLV_PAGES_EXAMINE, llv_pages_examined())
    }

    /// The same with one of `step` pages alone, the first of them the page with that number (from 1).
    package func examinePages(from first: UInt32, step: UInt32) throws(SQLiteError) -> PageSums.Examination {
        try examine(LLV_PAGES_SAMPLE, llv_pages_examined(first: first, step: step, has_sums: 0, pages: 0, damaged: 0))
    }

    private func examine(
        _ operation: Int, _ wanted: llv_pages_examined
    ) throws(SQLiteError) -> PageSums.Examination {
        try database.requireUsable(.step)
        var found = wanted
        let code = unsafe control(operation, &found)
        // A database in memory has no file.
        if code != SQLITE_NOTFOUND { try database.check(code, .step) }
        return PageSums.Examination(
            hasSums: found.has_sums != 0, pages: Int(found.pages), damaged: Int(found.damaged))
    }

    /// Has this connection read the pages of the file as they are, whatever their sums say; those of the log it compares.
    ///
    /// For who looks at what is damaged, on a connection that is closed afterwards: pages that were read stay in memory.
    package func trustPages() throws(SQLiteError) {
        try database.requireUsable(.configure)
        var value: Int32 = 1
        try unsafe database.check(control(LLV_PAGES_TRUST, &value), .configure)
    }

    /// Makes the sums of all pages anew, and syncs the file.
    ///
    /// The caller has the database alone, without a log, and has proved that all that is in it is right.
    package func renewSums() throws(SQLiteError) {
        try database.requireUsable(.execute)
        var found = llv_pages_examined()
        try unsafe database.check(control(LLV_PAGES_RENEW, &found), .execute)
    }

    /// Copies the database into an empty file, with a sum in each page and the room of what was deleted given up.
    ///
    /// The copy keeps no log.
    package func copyWithSums(to path: String) throws(SQLiteError) {
        try database.requireUsable(.execute)
        try unsafe database.check(llv_sqlite_reserve(database.handle, PageSums.reserved), .configure)
        try execute("pragma auto_vacuum=incremental")
        let copy = try prepare("vacuum into ?")
        try copy.bind(text: DatabasePath(path).uri("sums=1"), at: 1)
        try copy.run(.execute)
    }

    private func control(_ operation: Int, _ argument: UnsafeMutableRawPointer) -> Int32 {
        unsafe sqlite3_file_control(database.handle, "main", Int32(operation), argument)
    }
}
