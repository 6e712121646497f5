// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainSystem

/// What goes into the new database, row by row, inside one transaction.
///
/// Rows that SQLite reads come first, but for items of which a log has a later change that SQLite does not read. What was found
/// on pages besides may be older, or deleted: it is taken only where neither its reference nor its unique key is taken, the newest
/// first.
struct SalvageIntake {
    private(set) var report = SalvageReport()
    private let new: SQLiteConnection
    private var inserts: [ItemClass: Statement] = [:]
    private let proof: RowProof
    private let moment: Double
    /// Where an item is: its own row, or the quarantine.
    private var placed: Set<PersistentID> = []
    private var placedRows: Set<IndexEntry> = []
    private var ownNumbers: [PersistentID: Int64] = [:]
    /// What damaged frames of the log, and logs that were kept aside, hold of an item: a change that SQLite does not read.
    private var changed: [PersistentID: [FoundRow]] = [:]
    /// Rows that say of themselves what they are, and do not open.
    private var damaged: [PersistentID: FoundRow] = [:]
    /// What of the quarantine was taken already.
    private var kept: Set<[UInt8]> = []
    /// The numbers that indexes have of rows whose own is not readable.
    ///
    /// Other tables, too, have indexes of references, so there may be several.
    private let numbers: [PersistentID: [Int64]]
    /// The rows that the indexes of unique keys know.
    private let numbered: [ItemClass: Set<Int64>]
    /// Classes of which rows are in place whose numbers nobody knows.
    private var unnumbered: Set<ItemClass> = []

    init(
        _ new: SQLiteConnection, _ keybag: LoadedKeybag, _ entries: Set<IndexEntry>, at moment: Double
    ) throws(StoreError) {
        self.new = new
        numbers = entries.reduce(into: [:]) { numbers, entry in
            if let id = entry.id { numbers[id, default: []].append(entry.rowID) }
        }
        numbered = entries.reduce(into: [:]) { numbered, entry in
            if let itemClass = entry.itemClass { numbered[itemClass, default: []].insert(entry.rowID) }
        }
        self.moment = moment
        proof = try RowProof(keybag)
    }

    // MARK: Rows

    /// Has these rows stand for those of the same items that are older, where their seals open.
    mutating func prefer(_ rows: [FoundRow]) {
        for row in rows { if let id = row.id { changed[id, default: []].append(row) } }
    }

    /// Takes a row that stands in a table.
    mutating func take(_ found: FoundRow) throws(StoreError) {
        switch try proof.judge(found) {
        case .proved(let columns, let modified):
            for later in try changes(of: found, since: modified) {
                guard try store(later.row, later.columns) else { continue }
                report.changedInLogs += 1
                return
            }
            if try !store(found, columns) { try quarantine(found) }
        case .closed:
            let isStored = found.isSumRight ? try store(found, found.columns.map { Array($0.dropLast()) } ?? []) : false
            if isStored { report.unproved += 1 } else { try quarantine(found) }
        case .damaged:
            // A page of a row may be damaged that is whole elsewhere, as in the log; so this is the last choice.
            if let id = found.id { damaged[id] = found } else { try quarantine(found) }
        }
    }

    /// A row that is true, and what its columns have to be.
    private struct Proved {
        let row: FoundRow
        let columns: [ColumnValue]
        let modified: Double
    }

    /// What an item became later than its row in the table says, the newest first: there may be a row of each change.
    private func changes(of found: FoundRow, since modified: Double) throws(StoreError) -> [Proved] {
        var changes: [Proved] = []
        for row in found.id.flatMap({ changed[$0] }) ?? [] where row.values != found.values {
            if case .proved(let columns, let later) = try proof.judge(row), later > modified {
                changes.append(Proved(row: row, columns: columns, modified: later))
            }
        }
        return changes.sorted { $0.modified > $1.modified }
    }

    /// Takes rows that were found outside of any table, where they are true and their places are free.
    mutating func takeFree(_ rows: [FoundRow]) throws(StoreError) {
        let ids = Set(rows.compactMap(\.id)).subtracting(placed)
        for row in try provedAndFree(rows + ids.flatMap { changed[$0] ?? [] }) { _ = try store(row.row, row.columns) }
    }

    /// Takes the items that are in damaged frames or logs alone.
    mutating func takeAdded() throws(StoreError) {
        for row in try provedAndFree(changed.values.flatMap(\.self)) {
            if try !store(row.row, row.columns), try !storeInPlaceOfOlder(row) { continue }
            report.changedInLogs += 1
        }
    }

    /// Those that are true and whose references are free, the newest first: of two that are the same item, that one counts.
    private mutating func provedAndFree(_ rows: [FoundRow]) throws(StoreError) -> [Proved] {
        var proved: [Proved] = []
        for row in rows {
            guard let id = row.id, !placed.contains(id) else { continue }
            switch try proof.judge(row) {
            case .proved(let columns, let modified):
                proved.append(Proved(row: row, columns: columns, modified: modified))
            case .closed:
                if row.isSumRight, let columns = row.columns, try store(row, Array(columns.dropLast())) {
                    report.unproved += 1
                } else if damaged[id] == nil {
                    damaged[id] = row
                }
            case .damaged: if damaged[id] == nil { damaged[id] = row }
            }
        }
        return proved.sorted { $0.modified > $1.modified }
    }

    /// Has a row of a log take the place of an older item with its unique key: behind the damage that one was removed, or renamed,
    /// before this one was added.
    ///
    /// Nothing says which of the two, so the older one is kept in the quarantine, and named.
    private mutating func storeInPlaceOfOlder(_ later: Proved) throws(StoreError) -> Bool {
        guard let id = later.row.id, !placed.contains(id), let older = try holder(ofKeyOf: later) else { return false }
        let table = ItemTable.of(older.itemClass)
        try translating { () throws(SQLiteError) in
            let delete = try new.prepare("delete from \(table.name) where rowid = ?")
            try delete.run(with: [.integer(older.rowID ?? 0)])
        }
        let isStored = try store(later.row, later.columns)
        // The sixth column says whether it is a tombstone.
        guard older.values[5] == .integer(0) else { return isStored }
        report.saved[older.itemClass, default: 1] -= 1
        try quarantine(older)
        return isStored
    }

    /// The row of the new database that has the unique key of a later one.
    private func holder(ofKeyOf later: Proved) throws(StoreError) -> FoundRow? {
        let table = ItemTable.of(later.row.itemClass)
        let names = table.writtenColumns
        let key = table.columns.prefix(table.identityCount).map(\.name) + ItemTable.commonIdentity
        let places = key.compactMap(names.firstIndex)
        guard places.allSatisfy(later.columns.indices.contains),
            let modified = names.firstIndex(of: Attribute.modificationDate.key)
        else { return nil }
        return try translating { () throws(SQLiteError) -> FoundRow? in
            let find = try new.prepare(
                "select rowid, \(names.joined(separator: ", ")) from \(table.name) where "
                    + key.map { "\($0) = ?" }.joined(separator: " and "))
            defer { find.reset() }
            for (index, place) in places.enumerated() { try later.columns[place].bind(to: find, at: index + 1) }
            guard try find.step(), find.double(modified + 1) < later.modified else { return nil }
            return FoundRow(
                itemClass: later.row.itemClass, rowID: find.int64(0),
                values: names.indices.map { StoredValue(find, column: $0 + 1) }, isSumRight: true)
        }
    }

    /// Whether the row has its place now; a reference or a unique key may be taken.
    private mutating func store(_ found: FoundRow, _ columns: [ColumnValue]) throws(StoreError) -> Bool {
        guard let id = found.id, !placed.contains(id), let blob = found.values.last?.column else { return false }
        let table = ItemTable.of(found.itemClass)
        guard columns.count + 1 == table.writtenColumns.count else { return false }
        guard try insert(columns + [blob], into: table, as: number(of: found)) else { return false }
        place(found)
        damaged[id] = nil
        // The sixth column says whether it is a tombstone.
        if columns[5] == .integer(0) { report.saved[found.itemClass, default: 0] += 1 }
        return true
    }

    /// Inserts a row, under its own number where that is free: by their numbers rows are in the order in which they were stored.
    private mutating func insert(
        _ columns: [ColumnValue], into table: ItemTable, as rowID: Int64?
    ) throws(StoreError) -> Bool {
        let statement = try inserting(into: table)
        for number in rowID.map({ [.integer($0), .null] }) ?? [ColumnValue.null] {
            do throws(SQLiteError) {
                try statement.run(with: [number] + columns)
                return true
            } catch {
                guard error.code.primary == .constraint else { throw .sqlite(error) }
            }
        }
        return false
    }

    private mutating func inserting(into table: ItemTable) throws(StoreError) -> Statement {
        if let statement = inserts[table.itemClass] { return statement }
        let names = table.writtenColumns.joined(separator: ", ")
        let places = repeatElement("?", count: table.writtenColumns.count + 1).joined(separator: ", ")
        let statement = try translating { () throws(SQLiteError) in
            try new.prepare("insert into \(table.name)(rowid, \(names)) values(\(places))")
        }
        inserts[table.itemClass] = statement
        return statement
    }

    /// Its number; on a damaged page the indexes know it better than the row, where they agree.
    private func number(of found: FoundRow) -> Int64? {
        if found.isSumRight, let rowID = found.rowID { return rowID }
        let known = numbered[found.itemClass] ?? []
        let named = Set(found.id.flatMap { numbers[$0] } ?? []).intersection(known)
        return named.count == 1 ? named.first : found.rowID
    }

    private mutating func place(_ found: FoundRow) {
        if let id = found.id { placed.insert(id) }
        if let rowID = number(of: found) {
            placedRows.insert(IndexEntry(rowID: rowID, itemClass: found.itemClass))
            if let id = found.id { ownNumbers[id] = rowID }
        } else {
            unnumbered.insert(found.itemClass)
        }
    }

    // MARK: Quarantine

    /// Takes rows of the quarantine: those that open after all go back to their place.
    mutating func take(quarantine rows: [[StoredValue]]) throws(StoreError) {
        for row in rows where row.count == 4 {
            guard let name = row[0].characters, let bytes = row[3].bytes, kept.insert(bytes).inserted else { continue }
            if let found = SalvageIntake.row(name, bytes), case .proved(let columns, _) = try proof.judge(found),
                try store(found, columns)
            {
                report.released += 1
                continue
            }
            try keep(row)
        }
    }

    /// Takes what does not open, and was found nowhere else.
    mutating func takeDamaged() throws(StoreError) {
        let rows = damaged.filter { !placed.contains($0.key) }.values
        for row in rows.sorted(by: { ($0.id?.high ?? 0) < ($1.id?.high ?? 0) }) { try quarantine(row) }
    }

    private static func row(_ name: [UInt8], _ bytes: [UInt8]) -> FoundRow? {
        guard case .dictionary(let columns)? = try? PropertyList(decoding: bytes),
            let itemClass = ItemClass.allCases.first(where: { Array($0.name.utf8) == name })
        else { return nil }
        var values: [StoredValue] = []
        for name in ItemTable.of(itemClass).writtenColumns {
            guard let value = columns[name].flatMap(StoredValue.init(kept:)) else { return nil }
            values.append(value)
        }
        return FoundRow(itemClass: itemClass, rowID: nil, values: values, isSumRight: false)
    }

    private mutating func quarantine(_ found: FoundRow) throws(StoreError) {
        var columns: [String: PropertyList] = [:]
        for (name, value) in zip(ItemTable.of(found.itemClass).writtenColumns, found.values) {
            columns[name] = value.kept
        }
        if let rowID = found.rowID { columns["rowid"] = .number(rowID) }
        let encoded: [UInt8]
        do throws(CodingError) { encoded = try PropertyList.dictionary(columns).encoded() } catch {
            throw .sqlite(SQLiteError(code: .misuse, operation: .step))
        }
        try keep([
            .text(Array(found.itemClass.name.utf8)), .real(moment), .text(Array("undecodable".utf8)), .blob(encoded),
        ])
        report.quarantined += 1
        place(found)
        report.lost.append(LostItem(itemClass: found.itemClass, group: SalvageIntake.text(found.group), id: found.id))
    }

    private func keep(_ row: [StoredValue]) throws(StoreError) {
        // A name that is no text is no name of ours, and would not be stored as it is.
        let columns = row.compactMap(\.column)
        guard columns.count == 4 else { return }
        try translating { () throws(SQLiteError) in
            try new.prepare("insert into quarantine(class, moved, reason, row) values(?, ?, ?, ?)").run(with: columns)
        }
    }

    // MARK: What is lost

    /// Names what an index still knows and nothing else has.
    mutating func nameLost(_ entries: Set<IndexEntry>) {
        var groups: [Int64: [IndexEntry]] = [:]
        for entry in entries where entry.itemClass != nil {
            let plain = IndexEntry(rowID: entry.rowID, itemClass: entry.itemClass)
            if !placedRows.contains(plain) { groups[entry.rowID, default: []].append(entry) }
        }
        for entry in entries.sorted(by: { ($0.id?.high ?? 0, $0.rowID) < ($1.id?.high ?? 0, $1.rowID) }) {
            guard let id = entry.id, isReference(id), !placed.contains(id),
                groups[entry.rowID] != nil || numbered.isEmpty, placed.insert(id).inserted
            else { continue }
            // Rows of several classes may have the same number.
            let named = groups[entry.rowID] ?? []
            let classes = Set(named.compactMap(\.itemClass))
            let group = classes.count == 1 ? named.compactMap(\.group).first : nil
            if classes.count == 1 { groups[entry.rowID] = nil }
            report.lost.append(
                LostItem(
                    itemClass: entry.itemClass ?? (classes.count == 1 ? classes.first : nil),
                    group: SalvageIntake.text(group), id: id))
        }
        for (_, named) in groups.sorted(by: { $0.key < $1.key }) {
            for entry in named where entry.itemClass.map({ !unnumbered.contains($0) }) ?? false {
                report.lost.append(
                    LostItem(itemClass: entry.itemClass, group: SalvageIntake.text(entry.group), id: nil))
            }
        }
    }

    /// The numbers that indexes name of earlier versions, once all items are placed or named: what is left but for an item's own.
    ///
    /// `known` are those that are known of versions already. A version with the number of its item's own row is not told from that.
    func versionNumbers(
        besides known: [PersistentID: Set<Int64>], in entries: Set<IndexEntry>
    ) -> [PersistentID: Set<Int64>] {
        var named: [PersistentID: Set<Int64>] = [:]
        for entry in entries {
            guard let id = entry.id, entry.itemClass == nil, isReference(id), entry.rowID != ownNumbers[id],
                known[id]?.contains(entry.rowID) != true
            else { continue }
            named[id, default: []].insert(entry.rowID)
        }
        // Of an item whose row is lost, one is its own; nothing says which.
        for id in report.lost.compactMap(\.id) where ownNumbers[id] == nil { _ = named[id]?.popFirst() }
        return named
    }

    /// Whether sixteen bytes of an index can be a reference, and no hash: a reference begins with when it was made, and before
    /// 2025 there was no Llavero to make one.
    private func isReference(_ id: PersistentID) -> Bool {
        let seconds = Double(id.high >> 16) / 1000 - Double(UTCTime.secondsFrom1970To2001)
        return seconds >= SalvageIntake.firstReference && seconds <= moment + 86_400
    }

    /// The beginning of 2025, in seconds since 2001.
    private static let firstReference: Double = 757_382_400

    private static func text(_ bytes: [UInt8]?) -> String? {
        bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
