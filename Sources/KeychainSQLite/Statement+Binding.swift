// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite

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
        llv_operation_enter()
        defer { llv_operation_leave() }
        let code = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                unsafe llv_sqlite_bind_text(handle, Int32(index), characters.baseAddress, UInt64(characters.count))
            }
        }
        try check(code)
    }

    /// Binds a blob; an empty one is a blob too, not NULL.
    package func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
        llv_operation_enter()
        defer { llv_operation_leave() }
        try unsafe check(llv_sqlite_bind_blob(handle, Int32(index), blob.baseAddress, UInt64(blob.count)))
    }

    package func bind(blob: [UInt8], at index: Int) throws(SQLiteError) {
        llv_operation_enter()
        defer { llv_operation_leave() }
        let code = unsafe blob.withUnsafeBytes { bytes in
            unsafe llv_sqlite_bind_blob(handle, Int32(index), bytes.baseAddress, UInt64(bytes.count))
        }
        try check(code)
    }

    package func bindNull(at index: Int) throws(SQLiteError) {
        try unsafe check(sqlite3_bind_null(handle, Int32(index)))
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        try database.check(code, .bind)
    }
}
