// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// The tables of a keychain that is in a circle.
///
/// One that is in none does not have them, and pays nothing.
package enum SyncTables {
    /// The classes of items that are shared.
    static let classes: [ItemClass] = [.genericPassword, .internetPassword]

    /// What a leaf has for an item whose record is void: as long as an item's, of which no reference is.
    static let void = "zeroblob(33)"

    /// The statements that make them; `check` compares.
    ///
    /// Whatever writes an item marks it, whichever operation of whichever version that is: so these are triggers.
    static let definition =
        [
            """
            create table sync_state(id integer primary key check (id in (1, 2)), version integer not null, \
            data blob not null)
            """,
            """
            create table sync_leaf(view blob not null, id blob not null, n integer not null, digest blob not null, \
            item blob not null, primary key(view, id)) without rowid
            """,
            "create table sync_pending(view blob not null, id blob not null, body blob not null, unique(view, id))",
            "create table sync_head(view blob not null, n integer not null, body blob not null, unique(view, n))",
            "create table sync_mark(mark integer primary key, item integer not null unique)",
        ] + classes.flatMap(triggers)

    private static func triggers(of itemClass: ItemClass) -> [String] {
        let (table, number) = (itemClass.name, SyncMarks.sql(of: itemClass))
        let marks = "insert or replace into sync_mark(item) values(\(number("new.rowid")))"
        let takesOff = "update or replace sync_mark set item = -item where item = \(number("old.rowid"))"
        return [
            "create trigger sync_\(table)_new after insert on \(table) when \(eligible("new")) begin \(marks); end",
            "create trigger sync_\(table)_changed after update on \(table) when \(eligible("new")) begin \(marks); end",
            """
            create trigger sync_\(table)_left after update on \(table) when old.sync = 1 and not (\(eligible("new"))) \
            begin \(takesOff); end
            """,
            "create trigger sync_\(table)_gone after delete on \(table) when old.sync = 1 begin \(takesOff); end",
        ]
    }

    /// Whether the columns of a row say that it is one to share; `SyncMerging` asks the seal.
    static func eligible(_ row: String) -> String {
        "\(row).sync = 1 and \(row).pdmn in ('ak', 'ck', 'dk')"
    }

    static func exist(in sqlite: SQLiteConnection) throws(SQLiteError) -> Bool {
        let statement = try sqlite.prepare(
            "select 1 from sqlite_schema where type = 'table' and name = 'sync_state'")
        defer { statement.reset() }
        return try statement.step()
    }

    /// Whether a keychain's database has them, for who may read the file; false also where that cannot be told.
    package static func exist(inDatabase path: String) -> Bool {
        (try? exist(in: SQLiteConnection(path: path, mode: .readOnly))) ?? false
    }

    static func make(in sqlite: SQLiteConnection) throws(SQLiteError) {
        for statement in definition { try sqlite.execute(statement) }
    }

    static func drop(in sqlite: SQLiteConnection) throws(SQLiteError) {
        for itemClass in classes {
            for event in ["new", "changed", "left", "gone"] {
                try sqlite.execute("drop trigger if exists sync_\(itemClass.name)_\(event)")
            }
        }
        for table in ["mark", "head", "pending", "leaf", "state"] {
            try sqlite.execute("drop table if exists sync_\(table)")
        }
    }
}

/// The state of the circle in its two rows: what most rounds change, and the base, which only some write.
///
/// The seal of the first has inside which seal of the base it belongs to, so that an older base beside a newer state, or a newer one
/// beside an older, is found damaged: members of one day with the heads of another would be a circle that there never was.
struct SyncStateRows {
    let connection: StoreConnection

    /// How often the state was written; nil of a keychain in no circle.
    func version() throws(StoreError) -> UInt64? {
        try translating { () throws(SQLiteError) in
            guard try SyncTables.exist(in: connection.sqlite) else { return nil }
            let statement = try connection.statements.upkeep("select version from sync_state where id = 1")
            defer { statement.reset() }
            // The tables without the row: damage, which is no reason to go on as if there were no circle.
            guard try statement.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
            return UInt64(clamping: statement.int64(0))
        }
    }

    /// nil of a keychain in no circle; without the base for who has that of this name.
    func read(knowing known: [UInt8]? = nil) throws(StoreError) -> SyncState? {
        guard try version() != nil else { return nil }
        // One statement, so that both rows are of one moment.
        let statement = try translating { () throws(SQLiteError) in
            try connection.statements.upkeep("select version, data from sync_state order by id")
        }
        defer { statement.reset() }
        let (version, bytes, name) = try state(statement)
        if name == known { return SyncState(version: version, bytes: bytes, base: nil, baseName: name) }
        let (written, sealed) = try next(statement)
        guard SyncStateSeal.name(of: sealed) == name else { throw .sealing(.undecodable) }
        let base = try sealing { () throws(SealingError) in
            try connection.sealer.openSyncState(sealed, as: .base, version: written)
        }
        return SyncState(version: version, bytes: bytes, base: base, baseName: name)
    }

    private func state(
        _ statement: Statement
    ) throws(StoreError) -> (version: UInt64, bytes: [UInt8], baseName: [UInt8]) {
        let (version, sealed) = try next(statement)
        let plain = try sealing { () throws(SealingError) in
            let plain = try connection.sealer.openSyncState(sealed, as: .state, version: version)
            guard plain.count >= SyncState.nameSize else { throw .undecodable }
            return plain
        }
        return (version, Array(plain.dropFirst(SyncState.nameSize)), Array(plain.prefix(SyncState.nameSize)))
    }

    private func next(_ statement: Statement) throws(StoreError) -> (version: UInt64, sealed: [UInt8]) {
        guard try statement.nextRow() else { throw .sqlite(SQLiteError(code: .corrupt, operation: .step)) }
        return (UInt64(clamping: statement.int64(0)), statement.blob(1))
    }

    private static func number(of part: SyncStateSeal.Part) -> Int64 {
        switch part {
        case .state: 1
        case .base: 2
        }
    }

    /// Writes the state, and the base too where it is another one.
    func write(_ state: [UInt8], base: [UInt8]?, version: UInt64) throws(StoreError) {
        let name: [UInt8]
        if let base {
            name = SyncStateSeal.name(of: try write(base, as: .base, version: version))
        } else {
            // Out of the seal that is replaced, and not out of the base's row, which anybody might have put there.
            let statement = try translating { () throws(SQLiteError) in
                try connection.statements.upkeep("select version, data from sync_state where id = 1")
            }
            defer { statement.reset() }
            name = try self.state(statement).baseName
        }
        try write(name + state, as: .state, version: version)
    }

    @discardableResult
    private func write(
        _ plain: [UInt8], as part: SyncStateSeal.Part, version: UInt64
    ) throws(StoreError) -> [UInt8] {
        let data = try sealing { () throws(SealingError) in
            try connection.sealer.sealSyncState(plain, as: part, version: version)
        }
        try translating { () throws(SQLiteError) in
            let statement = try connection.statements.upkeep(
                "insert or replace into sync_state(id, version, data) values(?, ?, ?)")
            try statement.bind(SyncStateRows.number(of: part), at: 1)
            try statement.bind(Int64(clamping: version), at: 2)
            try statement.bind(blob: data, at: 3)
            try statement.run()
        }
        return data
    }

    /// Seals both parts again where one is sealed under an earlier generation; what does not open stays as it is.
    func reseal() throws(StoreError) {
        guard !connection.keybag.isOfEarlierFormat, try version() != nil else { return }
        let current = connection.keybag.keys.header.generation
        let isCurrent = try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare("select data from sync_state")
            defer { statement.reset() }
            while try statement.step() {
                if SyncStateSeal.generation(of: statement.blob(0)) != current { return false }
            }
            return true
        }
        guard !isCurrent, let state = try? read(), let base = state.base else { return }
        try write(state.bytes, base: base, version: state.version)
    }
}

/// Which items changed since they were last sent: a number for each, and a changed item gets a higher one than any before.
///
/// What is taken off keeps its row for now, under the negative of its item; the highest keeps it until there is a higher one,
/// because the next one counts on from there.
struct SyncMarks {
    let connection: StoreConnection

    /// nil of a keychain in no circle.
    static func ofCircle(_ connection: StoreConnection) throws(StoreError) -> SyncMarks? {
        try translating { () throws(SQLiteError) in try SyncTables.exist(in: connection.sqlite) }
            ? SyncMarks(connection: connection) : nil
    }

    /// The number of an item: of its row, and of its table in the last bit.
    static func item(_ itemClass: ItemClass, _ rowID: Int64) -> Int64 {
        rowID &* 2 &+ (itemClass == .internetPassword ? 1 : 0)
    }

    static func sql(of itemClass: ItemClass) -> (String) -> String {
        { row in "\(row) * 2" + (itemClass == .internetPassword ? " + 1" : "") }
    }

    static func row(of item: Int64) -> (itemClass: ItemClass, rowID: Int64) {
        (item & 1 == 1 ? .internetPassword : .genericPassword, item >> 1)
    }

    /// The highest that there ever was.
    func highest() throws(StoreError) -> Int64 {
        try number("select max(mark) from sync_mark") ?? 0
    }

    func isMarked(_ item: Int64) throws(StoreError) -> Bool {
        try number("select mark from sync_mark where item = ?", item) != nil
    }

    /// The item that has a mark; nil when it has none, or a higher one by now.
    func item(of mark: Int64) throws(StoreError) -> Int64? {
        let item = try number("select item from sync_mark where mark = ?", mark)
        return item.flatMap { $0 > 0 ? $0 : nil }
    }

    func mark(_ item: Int64) throws(StoreError) { try run("insert or ignore into sync_mark(item) values(?)", item) }

    func takeOff(_ item: Int64) throws(StoreError) {
        try run("update or replace sync_mark set item = -item where item = ?", item)
    }

    /// Takes off what came behind a mark.
    func takeOff(behind mark: Int64) throws(StoreError) {
        try run("update or replace sync_mark set item = -item where mark > ? and item > 0", mark)
    }

    /// Lets go of rows that are no marks any more, but for the highest.
    func sweep() throws(StoreError) {
        try run("delete from sync_mark where item < 0 and mark < (select max(mark) from sync_mark)")
    }

    func markAll() throws(StoreError) {
        try translating { () throws(SQLiteError) in try SyncMarks.markAll(in: connection.sqlite) }
    }

    static func markAll(in sqlite: SQLiteConnection) throws(SQLiteError) {
        for itemClass in SyncTables.classes {
            try sqlite.execute(
                """
                insert or ignore into sync_mark(item) select \(sql(of: itemClass)("rowid")) \
                from \(itemClass.name) where \(SyncTables.eligible(itemClass.name)) order by rowid
                """)
        }
    }

    private func number(_ sql: String, _ value: Int64? = nil) throws(StoreError) -> Int64? {
        try translating { () throws(SQLiteError) in
            let statement = try connection.statements.upkeep(sql)
            defer { statement.reset() }
            if let value { try statement.bind(value, at: 1) }
            guard try statement.step(), statement.columnType(0) == .integer else { return nil }
            return statement.int64(0)
        }
    }

    private func run(_ sql: String, _ value: Int64? = nil) throws(StoreError) {
        try translating { () throws(SQLiteError) in
            let statement = try connection.statements.upkeep(sql)
            if let value { try statement.bind(value, at: 1) }
            try statement.run()
        }
    }
}
