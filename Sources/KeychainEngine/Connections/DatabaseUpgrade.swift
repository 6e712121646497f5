// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// The upgrade of a database file of an earlier format.
///
/// A copy in today's format is made beside it, proved to say the same, synced, and takes its place by being renamed: a crash leaves
/// the old file or the new one. That needs the file alone, since the log beside it belongs to it by name. While any other
/// connection, of whatever process, is open, the keychain is used as it is, and the next writer tries again.
struct DatabaseUpgrade {
    let path: String
    let journal: String

    /// nil where the database is no file that may be written.
    init?(of location: DatabaseLocation) {
        guard case .file(let path, let access) = location else { return nil }
        switch access() {
        case .readWrite: journal = "wal"
        case .readWriteRollbackJournal: journal = "delete"
        case .readOnly, .immutable: return nil
        }
        self.path = path
    }

    /// Whether the file is another one now.
    func run(_ turn: borrowing OwnerLock) -> Bool {
        do throws(StoreError) { return try replace() } catch {
            // Not alone, no room, or something is damaged: what is there is used as it is.
            unsafe unlink(copy)
            return false
        }
    }

    private var copy: String { path + ".new" }

    private func replace() throws(StoreError) -> Bool {
        let old = try attempt { () throws(SQLiteError) in try alone() }
        defer { old.close() }
        guard try Upgrading.isNeeded(in: old) else { return false }
        do throws(StoreError) {
            // The log is folded in and gone: a copy with a log of the old file beside it would be destroyed by it.
            try attempt { () throws(SQLiteError) in try old.execute("pragma journal_mode=delete") }
            guard !hasLog else { throw failure(EBUSY) }
            guard unsafe unlink(copy) == 0 || errno == ENOENT else { throw failure(errno) }
            let file = unsafe open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw failure(errno) }
            Glibc.close(file)
            try Upgrading.copy(old, to: copy, journal: journal)
            let unsynced = unsafe llv_sync_path(copy)
            guard unsynced == 0 else { throw failure(unsynced) }
            guard unsafe rename(copy, path) == 0 else { throw failure(errno) }
        } catch {
            // As it was, for those who come next.
            if journal == "wal" { try? old.execute("pragma journal_mode=wal") }
            throw error
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        _ = unsafe llv_sync_path(folder)
        return true
    }

    /// A connection that has the database, and keeps every other one away until it is closed.
    private func alone() throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        connection.busyTimeout = 0
        do throws(SQLiteError) {
            try connection.execute("pragma locking_mode=exclusive")
            try connection.execute("begin exclusive")
            try connection.execute("commit")
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    private var hasLog: Bool {
        var status = llv_file_status()
        return unsafe llv_read_file_status(path + "-wal", &status) != ENOENT
    }

    private func failure(_ code: Int32) -> StoreError {
        .sqlite(SQLiteError(code: .io, operation: .execute, systemError: code))
    }

    private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw .sqlite(error) }
    }
}
