// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
package import KeychainSQLite

/// The tables of a keychain database, and the row that says whose it is.
package enum DatabaseSchema {
    /// The format this software writes; `min_reader` and `min_writer` say who may still touch it.
    package static let format: Int64 = 3
    /// The format that a change of the keybag brings an older database to, in place; what came later needs other pages.
    static let keybagFormat: Int64 = 2

    /// Where the sealing-again of items under the current generation has come to, by table; since format 2.
    static let resealing = "create table resealing(class text primary key, next integer not null)"

    /// The sum over all items, of one row; earlier versions of items, and the index they are found by; since format 3.
    private static let third = [
        "create table tally(id integer primary key check (id = 1), data blob not null)",
        """
        create table past(id integer primary key, class text not null, persistref blob not null, why text not null, \
        since real not null, until real not null, agrp text not null, row blob not null)
        """,
        "create index pastref on past(persistref)",
    ]

    /// The statements that make a database of today's format, or of an older one, which is used as it is until it is upgraded.
    package static func definition(format: Int64 = format) -> [String] {
        common + (format < 2 ? [] : [resealing]) + (format < 3 ? [] : third)
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
        in sqlite: SQLiteConnection, keychain: KeychainUUID, keybag: [UInt8]
    ) throws(SQLiteError) {
        try sqlite.beginImmediate()
        do throws(SQLiteError) {
            for statement in definition() { try sqlite.execute(statement) }
            let keychainRow = try sqlite.prepare(
                "insert into keychain(id, uuid, format, min_reader, min_writer) values(1, ?, ?, ?, ?)")
            try keychainRow.bind(blob: keychain.bytes, at: 1)
            for index in 2...4 { try keychainRow.bind(format, at: index) }
            try keychainRow.run()
            let keybagRow = try sqlite.prepare("insert into keybag(generation, data) values(1, ?)")
            try keybagRow.bind(blob: keybag, at: 1)
            try keybagRow.run()
            // Not the same in every keychain: a process that has the keys of one must notice that a file is another.
            let start = keychain.bytes.prefix(3).reduce(Int32(1)) { $0 << 8 | Int32($1) }
            try sqlite.setUserVersion(start)
            try sqlite.commit()
        } catch {
            sqlite.rollback()
            throw error
        }
    }

    /// Stores the whole bytes of a keybag in the place of half damaged ones, if those are still stored.
    package static func mendKeybag(
        _ damaged: [UInt8], with whole: [UInt8], in sqlite: SQLiteConnection
    ) throws(SQLiteError) {
        try sqlite.beginImmediate()
        defer { sqlite.rollback() }
        let statement = try sqlite.prepare("update keybag set data = ? where data = ?")
        try statement.bind(blob: whole, at: 1)
        try statement.bind(blob: damaged, at: 2)
        try statement.run()
        try sqlite.commit()
    }

    /// Makes what is stored now survive a power cut, whatever became of a commit that failed before; returns the keybag.
    ///
    /// A commit that could not be synced may lie in the log all the same, and be found there after a crash. The next
    /// commit that succeeds ends that doubt.
    package static func confirmedKeybag(in sqlite: SQLiteConnection) throws(SQLiteError) -> [UInt8] {
        try sqlite.beginImmediate()
        do throws(SQLiteError) {
            try sqlite.execute("update keychain set format = format where id = 1")
            let row = try sqlite.prepare("select data from keybag order by generation desc limit 1")
            guard try row.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
            let keybag = row.blob(0)
            row.reset()
            try sqlite.commit()
            return keybag
        } catch {
            sqlite.rollback()
            throw error
        }
    }
}

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

    package static func read(
        from sqlite: SQLiteConnection, forWriting: Bool = false
    ) throws(StoreError) -> KeychainRow {
        let statement = try translatingForWhole { () throws(SQLiteError) in
            // One statement, so that the row, the keybag and the version are of one moment.
            let statement = try sqlite.prepare(
                """
                select k.uuid, k.owner, k.moved_to, k.min_reader, k.min_writer, \
                (select data from keybag order by generation desc limit 1), k.format from keychain k where k.id = 1
                """)
            guard try statement.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
            return statement
        }
        defer { statement.reset() }
        guard statement.int64(3) <= DatabaseSchema.format else {
            throw .newerFormat(forWriting: forWriting)
        }
        guard let keychain = KeychainUUID(statement.blob(0)), statement.columnType(5) == .blob else {
            throw .notKeychain
        }
        let version = try translatingForWhole { () throws(SQLiteError) in try sqlite.userVersion() }
        return KeychainRow(
            keychain: keychain, owner: statement.text(1), movedTo: statement.text(2), keybag: statement.blob(5),
            version: version, mayWrite: statement.int64(4) <= DatabaseSchema.format, format: statement.int64(6))
    }

    /// Writes another owner into a database that has the old one; nothing when it has the new one already.
    package static func setOwner(
        from old: String, to new: String, with sqlite: SQLiteConnection, _ turn: borrowing OwnerLock
    ) throws(StoreError) {
        try translating { () throws(SQLiteError) in try sqlite.beginImmediate() }
        defer { sqlite.rollback() }
        let row = try read(from: sqlite, forWriting: true)
        if row.owner == new { return }
        guard row.owner == old, row.movedTo.isEmpty else { throw .otherOwner }
        guard row.mayWrite else { throw .newerFormat(forWriting: true) }
        try translating { () throws(SQLiteError) in
            let statement = try sqlite.prepare("update keychain set owner = ? where id = 1")
            try statement.bind(text: new, at: 1)
            try statement.run()
            try sqlite.setUserVersion(row.version &+ 1)
            try sqlite.commit()
        }
    }
}
