// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel
package import KeychainSQLite

/// Where an engine finds its database, and what it may do with it.
package enum DatabaseLocation: Sendable {
    /// A file in a keychain folder; what may be done with it is asked at each opening, because disks turn read-only.
    case file(path: String, access: @Sendable () -> Access)
    /// A database in memory, already filled; it lives as long as this one connection.
    case memory(MemoryDatabase)

    /// What the file system lets us do.
    package enum Access: Sendable {
        case readWrite
        /// WAL needs memory that processes share; network file systems have none, so they get a rollback journal.
        case readWriteRollbackJournal
        case readOnly
        /// The mount cannot be written: SQLite is told that the file does not change.
        case immutable
    }
}

/// The one connection of a keychain in memory.
// Sendable: handed over once, to the engine that keeps it behind its writer's mutex.
package struct MemoryDatabase: @unchecked Sendable {
    package let sqlite: SQLiteConnection
    package init(_ sqlite: SQLiteConnection) { self.sqlite = sqlite }
}

/// Which file a path leads to.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// nil when the path leads to no file.
    init?(of path: String) {
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == 0 else { return nil }
        device = status.device
        inode = status.inode
    }
}

/// What is special about a connection.
enum OpenLimit: Sendable {
    case readOnly
    case immutable
    /// The disk has no space for the index of the log that processes share. The connection has the index in memory, keeps all
    /// other processes away, and is closed when its operation ends.
    case alone

    init?(_ access: DatabaseLocation.Access) {
        switch access {
        case .readWrite, .readWriteRollbackJournal: return nil
        case .readOnly: self = .readOnly
        case .immutable: self = .immutable
        }
    }
}

/// A connection, and the one file that it surely has open; nil for a keychain in memory.
struct OpenedDatabase {
    let sqlite: SQLiteConnection
    let file: FileIdentity?
    let limit: OpenLimit?
}

extension DatabaseLocation {
    /// A connection to the file that the path leads to, both before and after the opening.
    func open(forWriting: Bool) throws(KeychainError) -> OpenedDatabase {
        let path: String
        let access: @Sendable () -> Access
        switch self {
        case .memory(let database): return OpenedDatabase(sqlite: database.sqlite, file: nil, limit: nil)
        case .file(let file, let current): (path, access) = (file, current)
        }
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        for _ in 0..<16 {
            let before = FileIdentity(of: path)
            let sqlite: SQLiteConnection
            let limit: OpenLimit?
            do throws(KeychainError) {
                (sqlite, limit) = try DatabaseLocation.connect(to: path, access(), forWriting: forWriting)
            } catch {
                // A folder that goes under SQLite's hands looks to it like a disk that fails.
                if before != FileIdentity(of: path) { continue }
                throw error
            }
            if before != nil, before == FileIdentity(of: path) {
                return OpenedDatabase(sqlite: sqlite, file: before, limit: limit)
            }
            sqlite.close()
        }
        var status = llv_file_status()
        let failure = unsafe llv_read_file_status(path, &status)
        guard failure == 0 else {
            throw KeychainError(ofFile: failure, .notAvailable, "the database's path cannot be examined", subject: path)
        }
        throw KeychainError(
            .notAvailable, "the database was replaced each time it was opened; try again", subject: "keychain.db")
    }

    /// A connection as the file system allows it, or as a full disk does.
    private static func connect(
        to path: String, _ access: Access, forWriting: Bool
    ) throws(KeychainError) -> (SQLiteConnection, OpenLimit?) {
        if case .readWrite = access {
            // SQLite takes every failure of a lock for another process that has it, and tries again for half a minute.
            let failure = unsafe llv_try_locking(file("owner", besideDatabase: path))
            guard failure == 0 else {
                throw KeychainError(
                    .inputOutput, "the file system does not support file locks; keep the keychain on one that does",
                    subject: path, code: Int64(failure))
            }
        }
        do throws(SQLiteError) {
            return (try sqlite(to: path, access, forWriting: forWriting, alone: false), OpenLimit(access))
        } catch {
            if case .readOnly = access, error.code.primary == .cannotOpen {
                // A log, and no index of it.
                do throws(SQLiteError) { return (try SQLiteConnection.copy(of: path), .alone) } catch {}
            }
            guard case .readWrite = access, error.isForWantOfRoom else { throw KeychainError(opening: error) }
        }
        do throws(SQLiteError) {
            return (try sqlite(to: path, access, forWriting: forWriting, alone: true), .alone)
        } catch { throw KeychainError(opening: error) }
    }

    /// A connection that has read: what stands in the way of reading shows here, and not in the middle of an operation.
    private static func sqlite(
        to path: String, _ access: Access, forWriting: Bool, alone: Bool
    ) throws(SQLiteError) -> SQLiteConnection {
        let mode: SQLiteConnection.OpenMode
        var journal: String?
        var queue: String?
        switch access {
        case .readWrite: (mode, queue) = (.readWrite, file("queue", besideDatabase: path))
        // Locks of processes on other machines cannot be waited for; those writers ask from time to time.
        case .readWriteRollbackJournal: (mode, journal) = (.readWrite, "delete")
        case .readOnly: mode = .readOnly
        case .immutable: mode = .immutable
        }
        let sqlite = try SQLiteConnection(path: path, mode: mode, queue: queue)
        do throws(SQLiteError) {
            // Before the first read, or it has no effect on where the index of the log is.
            if alone { try sqlite.execute("pragma locking_mode=exclusive") }
            if let journal { try sqlite.execute("pragma journal_mode=\(journal)") }
            // What was acknowledged survives a power cut, whatever this SQLite was built to think. More pages are kept than
            // SQLite would: one that is missed is read with a system call and compared with its sum, which costs as much as a seal.
            try sqlite.execute("pragma cache_size=-6000")
            if forWriting { try sqlite.execute("pragma synchronous=full") }
            _ = try sqlite.userVersion()
            return sqlite
        } catch {
            sqlite.close()
            throw error
        }
    }

    /// Another file in the folder of a database.
    private static func file(_ name: String, besideDatabase path: String) -> String {
        (path.lastIndex(of: "/").map { path[...$0] } ?? "") + name
    }
}
