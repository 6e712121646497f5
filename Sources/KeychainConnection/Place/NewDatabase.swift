// SPDX-License-Identifier: Apache-2.0

internal import KeychainEngine
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// The database of a keychain that is being made: tables, identity and the first keybag in one transaction.
enum NewDatabase {
    /// Makes the file and closes it.
    static func onDisk(
        at path: String, of keychain: KeychainUUID, _ keybag: [UInt8], journal: String
    ) throws(KeychainError) {
        // SQLite would make the file readable by others; the log beside it takes its mode.
        try NewFile.write([], to: path)
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("pragma journal_mode=\(journal)")
            try connection.execute("pragma synchronous=full")
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            connection.close()
        } catch { throw KeychainError(error) }
    }

    static func inMemory(of keychain: KeychainUUID, _ keybag: [UInt8]) throws(KeychainError) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: "", mode: .memory)
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            return connection
        } catch { throw KeychainError(error) }
    }
}
