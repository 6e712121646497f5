// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainEngine
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// The database of a keychain that is being made: tables, identity and the first keybag in one transaction.
enum NewDatabase {
    /// Makes the file and closes it; returns the keybag's bytes.
    static func onDisk(
        at path: String, of keychain: KeychainUUID, _ root: borrowing DeviceRoot, journal: String
    ) throws(KeychainError) -> [UInt8] {
        let keybag = try keybag(of: keychain, root)
        // SQLite would make the file readable by others; the log beside it takes its mode.
        try NewFile.write([], to: path)
        do throws(SQLiteError) {
            let connection = try Connection(path: path, mode: .readWrite)
            try connection.execute("pragma journal_mode=\(journal)")
            try connection.execute("pragma synchronous=full")
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            connection.close()
        } catch { throw KeychainError(error) }
        return keybag
    }

    static func inMemory(
        of keychain: KeychainUUID, _ root: borrowing DeviceRoot
    ) throws(KeychainError) -> Connection {
        let keybag = try keybag(of: keychain, root)
        do throws(SQLiteError) {
            let connection = try Connection(path: "", mode: .memory)
            try DatabaseSchema.create(in: connection, keychain: keychain, keybag: keybag)
            return connection
        } catch { throw KeychainError(error) }
    }

    private static func keybag(
        of keychain: KeychainUUID, _ root: borrowing DeviceRoot
    ) throws(KeychainError) -> [UInt8] {
        do throws(KeybagError) {
            return try LockedKeybag.create(keychain: keychain, enclave: .software, root: root).encoded()
        } catch { throw KeychainError(error) }
    }
}
