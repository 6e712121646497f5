// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainSQLite

/// The tables of a keychain database, and the row that says whose it is.
package enum DatabaseSchema {
    /// The format this software writes; `min_reader` and `min_writer` say who may still touch it.
    package static let format: Int64 = 2

    /// Where the sealing-again of items under the current generation has come to, by table; since format 2.
    static let resealing = "create table resealing(class text primary key, next integer not null)"

    /// The statements that make a database of today's format, or of an older one, which is used as it is until its keybag
    /// changes.
    package static func definition(format: Int64 = format) -> [String] {
        common + (format < 2 ? [] : [resealing])
            + ItemClass.allCases.flatMap { ItemTable.of($0).definition(format: format) }
    }

    private static var common: [String] {
        [
            """
            create table keychain(id integer primary key check (id = 1), uuid blob not null, format integer not null, \
            min_reader integer not null, min_writer integer not null, owner text not null default '', \
            moved_to text not null default '')
            """,
            "create table keybag(generation integer primary key, data blob not null)",
            """
            create table quarantine(id integer primary key, class text not null, moved real not null, \
            reason text not null, row blob not null)
            """,
        ]
    }

    /// Makes the tables in an empty database, in one transaction with the keychain's first keybag.
    package static func create(
        in connection: Connection, keychain: KeychainUUID, keybag: [UInt8]
    ) throws(SQLiteError) {
        try connection.beginImmediate()
        do throws(SQLiteError) {
            for statement in definition() { try connection.execute(statement) }
            let keychainRow = try connection.prepare(
                "insert into keychain(id, uuid, format, min_reader, min_writer) values(1, ?, ?, ?, ?)")
            try keychainRow.bind(blob: keychain.bytes, at: 1)
            for index in 2...4 { try keychainRow.bind(format, at: index) }
            try keychainRow.run()
            let keybagRow = try connection.prepare("insert into keybag(generation, data) values(1, ?)")
            try keybagRow.bind(blob: keybag, at: 1)
            try keybagRow.run()
            // Not the same in every keychain: a process that has the keys of one must notice that a file is another.
            let start = keychain.bytes.prefix(3).reduce(Int32(1)) { $0 << 8 | Int32($1) }
            try connection.setUserVersion(start)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Makes what is stored now survive a power cut, whatever became of a commit that failed before; returns the keybag.
    ///
    /// A commit that could not be synced may lie in the log all the same, and be found there after a crash. The next
    /// commit that succeeds ends that doubt.
    package static func confirmedKeybag(in connection: Connection) throws(SQLiteError) -> [UInt8] {
        try connection.beginImmediate()
        do throws(SQLiteError) {
            try connection.execute("update keychain set format = format where id = 1")
            let row = try connection.prepare("select data from keybag order by generation desc limit 1")
            guard try row.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
            let keybag = row.blob(0)
            row.reset()
            try connection.commit()
            return keybag
        } catch {
            connection.rollback()
            throw error
        }
    }
}
