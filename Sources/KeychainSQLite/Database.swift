// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSQLite
internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// The open database that a connection and its statements share.
///
/// Statements hold this and not the connection, which holds some of them.
// Safe: the handle is used inside this module only, after `isUsable`.
@safe
internal final class Database {
    let handle: OpaquePointer
    /// Here, because SQLite may call it for as long as there is a statement.
    let busyHandler = BusyHandler(timeout: 30)
    /// Likewise.
    private let trace: AnyObject?
    private let epoch: UInt32
    private var isClosed = false
    private var isForgotten = false

    init(handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
        llv_fork_watch()
        epoch = llv_fork_epoch()
        trace = unsafe SQLTrace.statements(of: handle)
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
        // The disk gave a page, and it is not the one that was written.
        if code == .damagedPage { return SQLiteError(code: code, operation: operation) }
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

/// Where a database file is, in the form SQLite is to be told.
internal struct DatabasePath {
    /// Absolute, without a symbolic link except perhaps the file itself.
    let resolved: String

    /// Fails with the errno when the folder cannot be reached.
    ///
    /// SQLITE_OPEN_NOFOLLOW refuses a symbolic link anywhere in the path, also where a whole home folder is one. Only
    /// the file itself must not be one, so the folder is resolved first. An absolute path can also never be taken for
    /// a URI.
    init(_ path: String) throws(SQLiteError) {
        // A NUL would cut the path short, and an empty one means a nameless temporary database.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.refusal(EINVAL) }
        var folder = "."
        var name = path[...]
        if let slash = path.lastIndex(of: "/") {
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = path[path.index(after: slash)...]
        }
        guard !name.isEmpty, name != ".", name != ".." else { throw Self.refusal(EISDIR) }
        guard let real = unsafe realpath(folder, nil) else { throw Self.refusal(errno) }
        defer { unsafe Glibc.free(real) }
        let parent = unsafe String(cString: real)
        resolved = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
        guard resolved.utf8.count <= Self.longest else { throw Self.refusal(ENAMETOOLONG) }
    }

    /// The file as a URI: `immutable=1` for one that does not change (no locks, no journal, no `-wal` beside it), `sums=1` for one
    /// that is to become a database with a sum in each page.
    func uri(_ parameter: String) -> String {
        var uri = "file:"
        for byte in resolved.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += "%" + Hexadecimal.digits(of: [byte], uppercase: true)
            }
        }
        return uri + "?" + parameter
    }

    /// SQLite takes 512 bytes with the endings of its other files, and says of a longer path that it cannot open it.
    static let longest = 500

    private static func refusal(_ systemError: Int32) -> SQLiteError {
        SQLiteError(code: .cannotOpen, operation: .open, systemError: systemError)
    }
}

/// The SQLite handles of this process, so that a forked child can rid SQLite of those it inherited.
///
/// SQLite keeps, per file, what locks its process holds. A child inherits that record and none of the locks: what it
/// opens next would rely on a lock that no process holds, and when the parent's last connection closes, it would fold in and
/// delete the log the child goes on writing to.
internal enum InheritedHandles {
    /// Safe to share: a handle is only used by the child that inherited it, where no other code knows it.
    @safe
    private struct Entry: @unchecked Sendable {
        let handle: OpaquePointer
        let epoch: UInt32
    }

    private static let entries = ForkSafeMutex<[Entry]>([])

    /// Call it inside an operation, like the two below.
    static func insert(_ handle: OpaquePointer, epoch: UInt32) {
        let entry = unsafe Entry(handle: handle, epoch: epoch)
        entries.withLock { $0.append(entry) }
    }

    static func remove(_ handle: OpaquePointer) {
        entries.withLock { entries in
            let index = entries.firstIndex { unsafe $0.handle == handle }
            if let index { entries.remove(at: index) }
        }
    }

    /// Closes what an earlier process opened; its own locks and files are out of reach from here and stay.
    static func closeAll() {
        let now = llv_fork_epoch()
        entries.withLock { entries in
            for entry in entries where entry.epoch != now { unsafe close(entry.handle) }
            entries.removeAll { $0.epoch != now }
        }
    }

    private static func close(_ handle: OpaquePointer) {
        // A rollback would change the log's index, which is shared with the parent. There is a transaction only when a
        // thread forked in the middle of its own, and such a child is good for exec alone.
        guard unsafe sqlite3_get_autocommit(handle) != 0 else { return }
        // Without this, closing folds in the log and deletes it as soon as the parent is gone.
        guard unsafe llv_sqlite_set_option(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) == SQLITE_OK else { return }
        while let statement = unsafe sqlite3_next_stmt(handle, nil) { unsafe sqlite3_finalize(statement) }
        unsafe sqlite3_close_v2(handle)
    }
}
