// SPDX-License-Identifier: Apache-2.0

package import KeychainSQLite

/// Where an engine finds its database, and what it may do with it.
package enum DatabaseLocation: Sendable {
    /// A file in a keychain folder; what may be done with it is asked whenever it is opened, for disks turn read-only.
    case file(path: String, access: @Sendable () -> Access)
    /// A database in memory, already filled; it lives as long as this one connection.
    case memory(MemoryDatabase)

    /// What the file system lets us do.
    package enum Access: Sendable {
        case readWrite
        /// WAL needs memory that processes share; network file systems have none, so they get a rollback journal.
        case readWriteRollbackJournal
        case readOnly
        /// A mount nobody can write to: SQLite is told that the file does not change.
        case immutable
    }
}

extension DatabaseLocation {
    /// Another file in the folder of a database.
    static func file(_ name: String, besideDatabase path: String) -> String {
        (path.lastIndex(of: "/").map { path[...$0] } ?? "") + name
    }
}

/// The one connection of a keychain in memory.
// Sendable: handed over once, to the engine that keeps it behind its writer's mutex.
package struct MemoryDatabase: @unchecked Sendable {
    package let connection: Connection
    package init(_ connection: Connection) { self.connection = connection }
}
