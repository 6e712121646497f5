// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
package import KeychainModel
package import KeychainSQLite

/// What a keychain database says of itself, and its newest keybag.
package struct KeychainRow: Sendable {
    package let keychain: KeychainUUID
    /// Who serves the keychain; empty while programs open it themselves.
    package let owner: String
    package let movedTo: String
    package let keybag: [UInt8]
    /// `pragma user_version`: changes whenever any of this does.
    package let version: Int32
    /// Whether this software is recent enough to write.
    package let mayWrite: Bool
    /// The format the database was made in, or last upgraded to.
    package let format: Int64

    /// Why the database is not one to use.
    package enum Refusal: Error, Sendable, Equatable {
        case sqlite(SQLiteError)
        /// Made for later software.
        case newerFormat
        /// Not a keychain, or a damaged one.
        case damaged
        /// Somebody else has it.
        case otherOwner
    }

    package static func read(from connection: Connection) throws(Refusal) -> KeychainRow {
        let statement: Statement
        do throws(SQLiteError) {
            // One statement, so that the row, the keybag and the version are of one moment.
            statement = try connection.prepare(
                """
                select k.uuid, k.owner, k.moved_to, k.min_reader, k.min_writer, \
                (select data from keybag order by generation desc limit 1), k.format from keychain k where k.id = 1
                """)
            guard try statement.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
        } catch { throw .sqlite(error) }
        defer { statement.reset() }
        guard statement.int64(3) <= DatabaseSchema.format else { throw .newerFormat }
        guard let keychain = KeychainUUID(statement.blob(0)), statement.columnType(5) == .blob else {
            throw .damaged
        }
        let version: Int32
        do throws(SQLiteError) { version = try connection.userVersion() } catch { throw .sqlite(error) }
        return KeychainRow(
            keychain: keychain, owner: statement.text(1), movedTo: statement.text(2), keybag: statement.blob(5),
            version: version, mayWrite: statement.int64(4) <= DatabaseSchema.format, format: statement.int64(6))
    }

    /// Writes another owner into a database that has the old one; nothing when it has the new one already.
    package static func setOwner(
        from old: String, to new: String, with connection: Connection, _ turn: borrowing OwnersTurn
    ) throws(Refusal) {
        do throws(SQLiteError) { try connection.beginImmediate() } catch { throw .sqlite(error) }
        defer { connection.rollback() }
        let row = try read(from: connection)
        if row.owner == new { return }
        guard row.owner == old, row.movedTo.isEmpty else { throw .otherOwner }
        guard row.mayWrite else { throw .newerFormat }
        do throws(SQLiteError) {
            let statement = try connection.prepare("update keychain set owner = ? where id = 1")
            try statement.bind(text: new, at: 1)
            try statement.run()
            try connection.setUserVersion(row.version &+ 1)
            try connection.commit()
        } catch { throw .sqlite(error) }
    }
}
