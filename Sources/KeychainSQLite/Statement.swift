// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite

/// A compiled statement: bind values, step through the rows, reset.
///
/// Parameters count from 1, as `?1` does; columns from 0.
// Safe: the handle lives from init to deinit and is used inside this module only.
@safe
package final class Statement {
    internal let handle: OpaquePointer
    internal let database: Database
    /// A place for a short value of each parameter.
    ///
    /// SQLite would allocate memory for each value, and free it again, under a lock of the whole process.
    private let places: UnsafeMutableRawPointer
    private let placeCount: Int

    internal init(handle: OpaquePointer, database: Database) {
        unsafe self.handle = unsafe handle
        self.database = database
        placeCount = unsafe Int(sqlite3_bind_parameter_count(handle))
        unsafe places = .allocate(byteCount: placeCount * Statement.placeSize, alignment: 16)
    }

    deinit {
        // After the statement, which may hold addresses of them. What a forked child inherits of it never reads them.
        defer { unsafe places.deallocate() }
        // Also after the connection was closed: SQLite keeps a closed database until its last statement goes.
        guard !database.isAbandoned else { return }
        // The last reference may go outside of every call of ours.
        llv_operation_enter()
        unsafe sqlite3_finalize(handle)
        llv_operation_leave()
    }

    /// Runs to the end, ignoring rows, and resets, also when it fails.
    package func run() throws(SQLiteError) {
        try run(.step)
    }

    /// Makes the statement ready to run again and forgets the bound values.
    package func reset() {
        guard !database.isAbandoned else { return }
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    internal func run(_ operation: SQLiteError.Operation) throws(SQLiteError) {
        defer { reset() }
        while try step(operation) {}
    }

    /// Moves to the next row; false when there is none.
    package func step(_ operation: SQLiteError.Operation = .step) throws(SQLiteError) -> Bool {
        try database.requireUsable(operation)
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw database.error(code, operation)
    }
}

// Values are copied: a caller may wipe its own at once. They never reach an error.
extension Statement {
    package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
        try unsafe check(sqlite3_bind_int64(handle, Int32(index), value))
    }

    package func bind(_ value: Double, at index: Int) throws(SQLiteError) {
        try unsafe check(sqlite3_bind_double(handle, Int32(index), value))
    }

    /// Binds all of the text, NULs included.
    package func bind(text: String, at index: Int) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            if let kept = unsafe keep(UnsafeRawBufferPointer(utf8), of: index) {
                return unsafe kept.withMemoryRebound(to: CChar.self) { characters in
                    unsafe llv_sqlite_bind_kept_text(
                        handle, Int32(index), characters.baseAddress, UInt64(characters.count))
                }
            }
            return unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                unsafe llv_sqlite_bind_text(handle, Int32(index), characters.baseAddress, UInt64(characters.count))
            }
        }
        try check(code)
    }

    /// Binds a blob; an empty one is a blob too, not NULL.
    package func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
        if let kept = unsafe keep(blob, of: index) {
            return try unsafe check(
                llv_sqlite_bind_kept_blob(handle, Int32(index), kept.baseAddress, UInt64(kept.count)))
        }
        try unsafe check(llv_sqlite_bind_blob(handle, Int32(index), blob.baseAddress, UInt64(blob.count)))
    }

    package func bind(blob: [UInt8], at index: Int) throws(SQLiteError) {
        try unsafe blob.span.bytes.withUnsafeBytes { (bytes) throws(SQLiteError) in
            try unsafe bind(blob: bytes, at: index)
        }
    }

    package func bindNull(at index: Int) throws(SQLiteError) {
        try unsafe check(sqlite3_bind_null(handle, Int32(index)))
    }

    /// A short value in its parameter's place; nil where it is longer, or the parameter is none, or SQLite still reads there.
    private func keep(_ value: UnsafeRawBufferPointer, of index: Int) -> UnsafeRawBufferPointer? {
        guard value.count <= Statement.placeSize, index >= 1, index <= placeCount,
            unsafe sqlite3_stmt_busy(handle) == 0
        else { return nil }
        let place = unsafe places + (index - 1) * Statement.placeSize
        if let start = value.baseAddress { unsafe place.copyMemory(from: start, byteCount: value.count) }
        return unsafe UnsafeRawBufferPointer(start: place, count: value.count)
    }

    /// A hash, a time, the name of a group.
    private static var placeSize: Int { 48 }

    private func check(_ code: Int32) throws(SQLiteError) {
        try database.check(code, .bind)
    }
}

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
