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

    internal init(handle: OpaquePointer, database: Database) {
        unsafe self.handle = unsafe handle
        self.database = database
    }

    deinit {
        // Also after the connection was closed: SQLite keeps a closed database until its last statement goes.
        guard !database.isAbandoned else { return }
        llv_operation_enter()
        unsafe sqlite3_finalize(handle)
        llv_operation_leave()
    }

    /// Moves to the next row; false when there is none.
    package func step() throws(SQLiteError) -> Bool {
        try step(.step)
    }

    /// Runs to the end, ignoring rows, and resets, also when it fails.
    package func run() throws(SQLiteError) {
        try run(.step)
    }

    /// Makes the statement ready to run again and forgets the bound values.
    package func reset() {
        guard !database.isAbandoned else { return }
        llv_operation_enter()
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        llv_operation_leave()
    }

    internal func run(_ operation: SQLiteError.Operation) throws(SQLiteError) {
        defer { reset() }
        while try step(operation) {}
    }

    private func step(_ operation: SQLiteError.Operation) throws(SQLiteError) -> Bool {
        try database.requireUsable(operation)
        llv_operation_enter()
        let code = unsafe sqlite3_step(handle)
        llv_operation_leave()
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw database.error(code, operation)
    }
}
