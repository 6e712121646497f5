// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// What is done to a database file by who has it alone: no other connection, of whatever process, is open, and the owner's turn is
/// held.
///
/// While that is not so, the file is used as it is, and the next writer tries again.
struct LoneDatabase {
    private let path: String
    private let journal: String

    /// nil where the database is no file that may be written.
    init?(_ location: DatabaseLocation) {
        guard case .file(let path, let access) = location else { return nil }
        switch access() {
        case .readWrite: journal = "wal"
        case .readWriteRollbackJournal: journal = "delete"
        case .readOnly, .immutable: return nil
        }
        self.path = path
    }

    // MARK: Upgrade

    /// Puts a copy in today's format in the place of a file of an earlier one; whether it did.
    ///
    /// The copy is made beside it, proved to say the same, synced, and renamed: a crash leaves the old file or the new one. What
    /// fails leaves the old one as it is: not alone, no room, or something is damaged.
    func upgrade(_ turn: borrowing OwnerLock) -> Bool {
        guard let old = try? alone() else { return false }
        defer {
            old.close()
            removeCopy()
        }
        guard let isNeeded = try? Upgrading.isNeeded(in: old), isNeeded else { return false }
        do throws(StoreError) {
            try foldLog(of: old)
            removeCopy()
            let file = unsafe open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw failure(errno) }
            Glibc.close(file)
            try Upgrading.copy(old, to: copy, journal: journal)
            // All there is has to be in the one file that is renamed.
            var status = llv_file_status()
            for ending in ["-wal", "-journal"] {
                guard unsafe llv_read_file_status(copy + ending, &status) == ENOENT else { throw failure(EBUSY) }
            }
            let unsynced = unsafe llv_sync_path(copy)
            guard unsynced == 0 else { throw failure(unsynced) }
            guard unsafe rename(copy, path) == 0 else { throw failure(errno) }
        } catch {
            keepLog(of: old)
            return false
        }
        _ = unsafe llv_sync_path(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
        return true
    }

    private var copy: String { path + ".new" }

    /// What is left of it was never in force.
    private func removeCopy() { for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(copy + ending) } }

    // MARK: Sums

    /// Makes the sums of the pages anew where another program, which knows nothing of them, has written to the file; whether it
    /// did.
    ///
    /// Nothing tells what such a program writes from what a bad disk gives. So everything that is stored has to be proved right
    /// by what protects it besides: SQLite's own examination, the seal of every row, and every column by its seal. What is locked
    /// cannot be judged, and then the sums stay, and the file too. So they do in a large file, whose proof would keep others
    /// waiting.
    func renewSums(
        _ turn: borrowing OwnerLock, _ keys: (SQLiteConnection) throws(KeychainError) -> LoadedKeybag
    ) -> Bool {
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == 0, status.size <= LoneDatabase.largestProved,
            let sqlite = try? alone(trusting: true)
        else { return false }
        defer { sqlite.close() }
        guard let keybag = try? keys(sqlite), let connection = try? StoreConnection(sqlite: sqlite, keybag: keybag),
            let isRight = try? connection.isProvedRight(), isRight
        else { return false }
        defer { keepLog(of: sqlite) }
        do throws(StoreError) {
            try foldLog(of: sqlite)
            try attempt { () throws(SQLiteError) in try sqlite.renewSums() }
            return true
        } catch { return false }
    }

    /// Some ninety thousand items; all other programs wait while they are proved.
    private static let largestProved: Int64 = 64 << 20

    // MARK: Alone

    /// A connection that keeps every other one away.
    private func alone(trusting: Bool = false) throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        connection.busyTimeout = 0
        do throws(SQLiteError) {
            if trusting { try connection.trustPages() }
            try connection.execute("pragma locking_mode=exclusive")
            try connection.execute("begin exclusive")
            try connection.execute("commit")
            try connection.execute("pragma synchronous=full")
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// Has the file have all there is in itself: the log is folded in and gone.
    ///
    /// A log belongs to its file by name, and would destroy another one that takes the file's place.
    private func foldLog(of connection: SQLiteConnection) throws(StoreError) {
        try attempt { () throws(SQLiteError) in try connection.execute("pragma journal_mode=delete") }
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path + "-wal", &status) == ENOENT else { throw failure(EBUSY) }
    }

    /// Has the file keep a log again, as it did; never once another file is in its place.
    private func keepLog(of connection: SQLiteConnection) {
        if journal == "wal" { try? connection.execute("pragma journal_mode=wal") }
    }

    private func failure(_ code: Int32) -> StoreError {
        .sqlite(SQLiteError(code: .io, operation: .execute, systemError: code))
    }

    private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw .sqlite(error) }
    }
}
