// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// What can be told of the items by their columns and seals, without opening any.
struct Survey {
    let connection: StoreConnection

    /// The access groups that items are in, as far as their pages can be read: what lies on others is served all the same.
    func groups() throws(SQLiteError) -> Set<String> {
        var groups: Set<String> = []
        for itemClass in ItemClass.allCases {
            let statement = try connection.sqlite.prepare(
                "select distinct agrp from \(ItemTable.of(itemClass).name)")
            defer { statement.reset() }
            do throws(SQLiteError) {
                while try statement.step() { groups.insert(statement.text(0)) }
            } catch {
                guard error.code.isDamagedPage else { throw error }
                connection.notes.metDamage = true
            }
        }
        return groups
    }

    /// How many live items each access group has.
    func itemsOfGroups() throws(SQLiteError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for itemClass in ItemClass.allCases {
            let statement = try connection.sqlite.prepare(
                "select agrp, count(*) from \(ItemTable.of(itemClass).name) where tomb = 0 group by agrp")
            defer { statement.reset() }
            while try statement.step() { counts[statement.text(0), default: 0] += Int(statement.int64(1)) }
        }
        return counts
    }

    /// Whether there are items that can be read while the keychain is locked, and could not before it was first unlocked.
    func hasItemsReadableAfterFirstUnlock() throws(SQLiteError) -> Bool {
        let names = Accessibility.allCases.filter { !$0.needsUnlockedDevice && !$0.isAlwaysAvailable }.map {
            "'\($0.name)'"
        }.joined(separator: ", ")
        for itemClass in ItemClass.allCases {
            let statement = try connection.sqlite.prepare(
                "select 1 from \(ItemTable.of(itemClass).name) where pdmn in (\(names)) limit 1")
            defer { statement.reset() }
            if try statement.step() { return true }
        }
        return false
    }

    /// How many rows there are.
    func rowCount() throws(SQLiteError) -> Int {
        var count = 0
        for itemClass in ItemClass.allCases {
            let statement = try connection.sqlite.prepare("select count(*) from \(ItemTable.of(itemClass).name)")
            defer { statement.reset() }
            if try statement.step() { count += Int(statement.int64(0)) }
        }
        return count
    }

    /// The stamps of live rows: the last eight bytes of a row's seal are others after each change, and say nothing.
    func stamps(of itemClass: ItemClass, behind row: Int64) throws(SQLiteError) -> [RowStamp] {
        let statement = try connection.sqlite.prepare(
            """
            select rowid, persistref, substr(data, -8) from \(ItemTable.of(itemClass).name) \
            where rowid > ? and tomb = 0 order by rowid limit \(RowStamp.most)
            """)
        defer { statement.reset() }
        try statement.bind(row, at: 1)
        var (stamps, last): ([RowStamp], Int64?) = ([], nil)
        while try statement.step() {
            // In a file without sums, a damaged page above the rows may lead back to some that were read already.
            guard last.map({ $0 < statement.int64(0) }) ?? true else {
                throw SQLiteError(code: .damagedPage, operation: .step)
            }
            last = statement.int64(0)
            // What names itself in no way is told of by an examination.
            guard let id = unsafe PersistentID(unsafeBytes: statement.unsafeBlob(1)) else { continue }
            let stamp = statement.blob(2).reduce(0) { $0 << 8 | UInt64($1) }
            stamps.append(RowStamp(row: statement.int64(0), id: id, stamp: stamp))
        }
        return stamps
    }

    /// Bytes of the file that the next rows are written to before it grows.
    func freeBytes() throws(SQLiteError) -> Int {
        try Int(connection.sqlite.number("freelist_count")) * Int(connection.sqlite.number("page_size"))
    }

    /// Those of some class keys that no row needs any more, the quarantine's included: what cannot be read today may be
    /// repaired tomorrow, and then wants its key.
    func unused(_ names: Set<ClassKeyName>) throws(SQLiteError) -> Set<ClassKeyName> {
        if names.isEmpty { return [] }
        var used: Set<[UInt8]> = []
        for itemClass in ItemClass.allCases {
            // The blob's class and generation stand side by side.
            let statement = try connection.sqlite.prepare(
                "select distinct substr(data, 4, 5) from \(ItemTable.of(itemClass).name)")
            defer { statement.reset() }
            while try statement.step() { used.insert(statement.blob(0)) }
        }
        let past = connection.keybag.isOfEarlierFormat ? "" : " union all select row from past"
        let kept = try connection.sqlite.prepare("select row from quarantine where class <> 'keybag'" + past)
        defer { kept.reset() }
        while try kept.step() {
            guard case .dictionary(let columns)? = try? PropertyList(decoding: kept.blob(0)),
                case .data(let blob)? = columns["data"]
            else { return [] }
            used.insert(Array(blob.dropFirst(3).prefix(5)))
        }
        if try SyncTables.exist(in: connection.sqlite) {
            let state = try connection.sqlite.prepare("select data from sync_state")
            defer { state.reset() }
            while try state.step() {
                // What says nothing of its key may need any.
                guard let generation = SyncStateSeal.generation(of: state.blob(0)) else { return [] }
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: generation >> (8 * UInt32($0))) }
                used.insert([Accessibility.afterFirstUnlock.rawValue] + bytes)
            }
        }
        return names.filter { name in
            let generation = (0..<4).map { UInt8(truncatingIfNeeded: name.generation >> (8 * UInt32($0))) }
            return !used.contains([name.accessibility.rawValue] + generation)
        }
    }

    /// The keys that live in the enclave: they cannot follow the keychain into another one.
    func enclaveKeys() throws(SQLiteError) -> [PersistentID] {
        let statement = try connection.sqlite.prepare(
            "select persistref from keys where tkid <> '' and tomb = 0 order by rowid")
        defer { statement.reset() }
        var keys: [PersistentID] = []
        while try statement.step() {
            if let id = PersistentID(statement.blob(0)) { keys.append(id) }
        }
        return keys
    }

    /// The items that went with an old device key or passcode.
    func lostItems() throws(SQLiteError) -> [PersistentReference] {
        var items: [PersistentReference] = []
        for itemClass in ItemClass.allCases {
            let table = ItemTable.of(itemClass)
            let statement = try connection.sqlite.prepare("select \(RowReader.columns) from \(table.name)")
            defer { statement.reset() }
            let row = connection.reader(statement, table)
            while try statement.step() {
                guard !row.isTombstone, connection.hasLostKey(row), let id = row.id else { continue }
                items.append(.item(itemClass, id))
            }
        }
        return items
    }
}
