// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite
internal import Glibc

/// The open database that a connection and its statements share.
///
/// Statements hold this and not the connection, which holds some of them.
/// Every call that may lock or allocate inside SQLite is an operation (CLinux's fork.c): SQLite has mutexes for the whole
/// process, and a child forked while another thread holds one would wait for it for ever.
// Safe: the handle is used inside this module only, after `isUsable`.
@safe
internal final class Database {
    let handle: OpaquePointer
    /// Here, because SQLite may call it for as long as there is a statement.
    let busyHandler = BusyHandler(timeout: 30)
    private let epoch: UInt32
    private var isClosed = false
    private var isForgotten = false

    init(handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
        llv_fork_watch()
        epoch = llv_fork_epoch()
        unsafe busyHandler.install(on: handle)
        unsafe InheritedHandles.insert(handle, epoch: epoch)
    }

    /// Whether calls may go to SQLite.
    var isUsable: Bool { !isClosed && !isAbandoned }

    /// Whether the handle must not be touched any more, not even to close it.
    ///
    /// True in every forked child: its copy believes that it holds locks which are its parent's.
    var isAbandoned: Bool { isForgotten || epoch != llv_fork_epoch() }

    func abandon() {
        isForgotten = true
    }

    /// Closes the database once the last statement is gone as well.
    func close() {
        guard isUsable else { return }
        isClosed = true
        llv_operation_enter()
        defer { llv_operation_leave() }
        // The last connection folds the log in, and the file may grow no larger than the process was told (ulimit -f).
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        unsafe InheritedHandles.remove(handle)
        unsafe sqlite3_close_v2(handle)
    }

    func check(_ code: Int32, _ operation: SQLiteError.Operation) throws(SQLiteError) {
        if code != SQLITE_OK { throw error(code, operation) }
    }

    /// The error for a code SQLite has just returned.
    func error(_ code: Int32, _ operation: SQLiteError.Operation) -> SQLiteError {
        let code = ResultCode(rawValue: code)
        if code.isCorruption {
            let failure = unsafe llv_sqlite_failure_of_disk(handle)
            if failure == EIO || failure == ENXIO {
                return SQLiteError(code: .io, operation: operation, systemError: failure)
            }
        }
        // SQLite sets the errno for these two only; after others it is an older failure's.
        let hasErrno = code.isIO || code.primary == .cannotOpen
        var failure = hasErrno ? unsafe sqlite3_system_errno(handle) : 0
        if code.isIO, failure == 0 { failure = unsafe llv_sqlite_failure_of_disk(handle) }
        return SQLiteError(code: code, operation: operation, systemError: failure)
    }

    func requireUsable(_ operation: SQLiteError.Operation) throws(SQLiteError) {
        if !isUsable { throw SQLiteError(code: .misuse, operation: operation) }
    }
}
