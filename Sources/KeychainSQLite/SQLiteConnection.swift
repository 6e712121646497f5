// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPages
internal import CSQLite
internal import Glibc

/// One connection to a database, for one thread at a time.
///
/// SQLite has mutexes for the whole process, and a child forked while another thread holds one would wait for it for ever. So
/// every user of a connection is inside an operation (`ForkGate`): a public call, or a read or write of the engine's. Only
/// closing, which may come with the last reference, enters one of its own.
package final class SQLiteConnection {
    /// What may be done with the file.
    ///
    /// Only `create` makes one that is not there.
    package enum OpenMode: Sendable {
        case readWrite, create, readOnly
        /// Make a database of an empty file, with a sum in each page.
        case fill
        /// Read a file that does not change, such as one on a read-only mount: no locks, no journal.
        case immutable
        /// A database in memory, this connection's own; the path is ignored.
        case memory
    }

    internal let database: Database
    /// Where the file is; nil in memory.
    package let path: String?
    internal var transaction = CachedStatements()
    /// Where the connection waits before it writes; nil where writers wait for SQLite's locks alone.
    internal let queue: WriterQueue?

    /// `queue` is the file of the queue that writers of the database wait in.
    package init(path: String, mode: OpenMode, queue: String? = nil) throws(SQLiteError) {
        self.queue = queue.map(WriterQueue.init(path:))
        self.path = mode == .memory ? nil : path
        database = try Self.open(path, mode)
        // Files come from others: no statement may write SQLite's own tables, and a schema's views and triggers may
        // call no function with effects.
        try unsafe database.check(llv_sqlite_set_option(database.handle, SQLITE_DBCONFIG_DEFENSIVE, 1), .configure)
        try unsafe database.check(llv_sqlite_set_option(database.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), .configure)
    }

    deinit {
        close()
    }

    /// The version of the library that this process runs with.
    package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Seconds a call waits for another connection's lock.
    package var busyTimeout: Double {
        get { database.busyHandler.timeout }
        set { database.busyHandler.timeout = newValue }
    }

    /// Runs statements without values, ignoring their rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        try database.requireUsable(.execute)
        try unsafe database.check(sqlite3_exec(database.handle, sql, nil, nil, nil), .execute)
    }

    /// Compiles one statement that will be run many times.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try database.requireUsable(.prepare)
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        try database.check(code, .prepare)
        // Text without a statement in it compiles to nothing.
        guard let statement = unsafe statement else { throw SQLiteError(code: .misuse, operation: .prepare) }
        return unsafe Statement(handle: statement, database: database)
    }

    /// A number that differs after another connection, or this one, has committed.
    ///
    /// Read it inside a transaction, or after the first step of a statement; before, it may be the last transaction's.
    package var dataVersion: UInt32 {
        database.isUsable ? unsafe llv_sqlite_data_version(database.handle) : 0
    }

    /// Rows the last finished insert, update or delete changed.
    package var changes: Int {
        database.isUsable ? unsafe Int(sqlite3_changes64(database.handle)) : 0
    }

    package var lastInsertRowID: Int64 {
        database.isUsable ? unsafe sqlite3_last_insert_rowid(database.handle) : 0
    }

    /// Whether writing is impossible.
    ///
    /// True also of a `readWrite` connection to a file this user may only read.
    package var isReadOnly: Bool {
        database.isUsable ? unsafe sqlite3_db_readonly(database.handle, "main") == 1 : true
    }

    /// Closes the connection; calls after this fail with `misuse`.
    ///
    /// The last connection to close folds the WAL in.
    package func close() {
        guard database.isUsable else { return }
        // A connection is also closed by the end of a process, by a timer, and with its last reference.
        llv_operation_enter()
        defer { llv_operation_leave() }
        rollback()
        transaction = CachedStatements()
        database.close()
        queue?.close()
    }

    /// How long the path of a database may be, in bytes and with every link on the way resolved.
    package static let longestPath = DatabasePath.longest

    /// Whether this was opened by the process this one was forked from, or given up by `abandon`.
    package var isAbandoned: Bool { database.isAbandoned }

    /// Gives the connection up without closing it.
    ///
    /// In a forked child every connection from before the fork is given up by itself, and `InheritedHandles` rids SQLite
    /// of it before the child opens one of its own.
    package func abandon() {
        database.abandon()
    }

    private static func open(_ path: String, _ mode: OpenMode) throws(SQLiteError) -> Database {
        // NOMUTEX: one thread at a time. NOFOLLOW: a user who can put a link there could point us at another's file.
        // URI: for copies with sums; no absolute path is taken for one.
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI
        var name = ":memory:"
        switch mode {
        case .memory: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
        case .readWrite, .fill: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readOnly, .immutable: flags |= SQLITE_OPEN_READONLY
        }
        switch mode {
        case .memory: break
        case .readWrite, .create, .readOnly: name = try DatabasePath(path).resolved
        case .fill: name = try DatabasePath(path).uri("sums=1")
        case .immutable: name = try DatabasePath(path).uri("immutable=1")
        }
        InheritedHandles.closeAll()
        guard llv_pages_register() == SQLITE_OK else { throw SQLiteError(code: .noMemory, operation: .open) }
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(name, &handle, flags, "llavero")
        guard let handle = unsafe handle else { throw SQLiteError(code: .noMemory, operation: .open) }
        let database = unsafe Database(handle: handle)
        guard code == SQLITE_OK else {
            let error = database.error(code, .open)
            database.close()
            throw error
        }
        if case .fill = mode {
            do throws(SQLiteError) {
                try unsafe database.check(llv_sqlite_reserve(database.handle, PageSums.reserved), .configure)
                // What is deleted can be given back to the disk.
                try unsafe database.check(
                    sqlite3_exec(database.handle, "pragma auto_vacuum=incremental", nil, nil, nil), .configure)
            } catch {
                database.close()
                throw error
            }
        }
        return database
    }
}

extension SQLiteConnection {
    /// A database as it is now together with the log beside it, where both can be read and nothing can be written: SQLite
    /// makes the index of a log anew only in a file beside it.
    ///
    /// It is a copy in a folder that is gone when this returns; what happens to the database later it does not show.
    package static func copy(of path: String) throws(SQLiteError) -> SQLiteConnection {
        let original = try DatabasePath(path).resolved
        var failure: Int32 = 0
        // In memory where that is possible; it is as readable there as here, for this user alone.
        for parent in ["/dev/shm", "/tmp"] {
            var template = Array("\(parent)/llavero-copy-XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                failure = errno
                continue
            }
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let copy = folder + "/copy.db"
            defer {
                for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(copy + ending) }
                unsafe rmdir(folder)
            }
            failure = 0
            for ending in ["", "-wal"] where failure == 0 {
                failure = unsafe llv_copy_file(original + ending, copy + ending)
            }
            guard failure == 0 else { continue }
            let connection = try SQLiteConnection(path: copy, mode: .readWrite)
            do throws(SQLiteError) {
                try connection.execute("pragma locking_mode=exclusive")
                _ = try connection.userVersion()
                try connection.execute("pragma query_only=1")
            } catch {
                connection.close()
                throw error
            }
            return connection
        }
        throw SQLiteError(code: .cannotOpen, operation: .open, systemError: failure)
    }
}
