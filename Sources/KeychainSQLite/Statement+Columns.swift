// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

// Each reads the current row and converts as SQLite does: ask `columnType` where a file may hold something else.
extension Statement {
    /// What a row holds in a column; SQLite lets any column hold any of them.
    package enum ColumnType: Sendable {
        case null, integer, real, text, blob
    }

    package func columnType(_ column: Int) -> ColumnType {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func int64(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(column))
    }

    package func double(_ column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// The text, all of it, NULs included; empty for NULL.
    ///
    /// Bytes that are no UTF-8 become U+FFFD, so a damaged text never equals the one that was stored.
    package func text(_ column: Int) -> String {
        guard let characters = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
    }

    /// Lends the blob to `body`; empty for NULL.
    ///
    /// Valid until the statement steps or is reset.
    package func withBlob<Result: ~Copyable, Failure: Error>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(unsafeBlob(column))
    }

    package func blob(_ column: Int) -> [UInt8] {
        unsafe Array(unsafeBlob(column))
    }

    /// The blob where SQLite keeps it: valid until the statement steps or is reset, and no longer.
    package func unsafeBlob(_ column: Int) -> UnsafeRawBufferPointer {
        // In this order: asking for the blob may convert the value, and its size is known only then.
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}

extension Statement {
    package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    /// The name a result column has; empty when SQLite has no memory to tell.
    package func columnName(_ column: Int) -> String {
        guard let name = unsafe sqlite3_column_name(handle, Int32(column)) else { return "" }
        return unsafe String(cString: name)
    }
}
