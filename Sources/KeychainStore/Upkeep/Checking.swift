// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

/// Examines a database: SQLite's own invariants, the schema, the keybag, the quarantine, and every row.
struct Checking {
    let connection: StoreConnection
    /// Whether pages are compared with their sums; not where all else has to prove that they are right.
    var comparesPages = true

    /// Examines a part of the database, the first before there is a position: SQLite's own invariants, the schema, and then
    /// of so many rows that their seals open and that their columns say what the seals say.
    ///
    /// Rows of locked classes are passed over, and counted.
    func check(
        from start: CheckPosition?, atMost most: Int, copyOfKeybag: [UInt8]?
    ) throws(StoreError) -> CheckedRows {
        var checked = CheckedRows()
        let notes = connection.keybag.isOfEarlierFormat ? [] : try connection.tally().notes()
        // One moment for all of it, and keys that are of that moment.
        try translating { () throws(SQLiteError) in try connection.sqlite.execute("begin") }
        defer { connection.sqlite.rollback() }
        let row: KeychainRow
        do throws(StoreError) { row = try KeychainRow.read(from: connection.sqlite) } catch {
            checked.findings = [Finding("keychain.db", "the keychain's own row cannot be read")]
            return checked
        }
        try connection.checkKeybag()
        if start == nil { try checkAroundRows(row, copyOfKeybag, notes, &checked.findings) }
        let first = start?.itemClass ?? .genericPassword
        var findings = checked.findings
        for itemClass in ItemClass.allCases where itemClass.rawValue >= first.rawValue {
            let table = ItemTable.of(itemClass)
            let begin = itemClass == start?.itemClass ? start?.row ?? .min : .min
            var last: Int64?
            // One damaged page must not hide what the others have to say.
            try part("\(itemClass.words)s", &findings) { (findings) throws(SQLiteError) in
                checked.total += try count(of: table)
                guard checked.next == nil else { return }
                last = try checkRows(of: table, after: begin, atMost: most - checked.rows, &checked, &findings)
            }
            if checked.next == nil, let last { checked.next = CheckPosition(itemClass: itemClass, row: last) }
        }
        for itemClass in ItemClass.allCases where itemClass.rawValue < first.rawValue {
            try part("\(itemClass.words)s", &findings) { (_) throws(SQLiteError) in
                checked.total += try count(of: ItemTable.of(itemClass))
            }
        }
        checked.findings = findings
        return checked
    }

    private func checkAroundRows(
        _ row: KeychainRow, _ copyOfKeybag: [UInt8]?, _ notes: [TallyNote], _ findings: inout [Finding]
    ) throws(StoreError) {
        checkKeybag(row, copyOfKeybag, &findings)
        if comparesPages {
            try part("keychain.db", &findings) { (findings) throws(SQLiteError) in
                try checkPages(row.format, &findings)
            }
        }
        try part("keychain.db", &findings) { (findings) throws(SQLiteError) in try checkIntegrity(&findings) }
        try part("keychain.db", &findings) { (findings) throws(SQLiteError) in try checkSchema(row.format, &findings) }
        try part("quarantine", &findings) { (findings) throws(SQLiteError) in try checkQuarantine(&findings) }
        guard row.format >= 3 else { return }
        findings += try tallyFindings(notes)
        try part("earlier versions", &findings) { (findings) throws(SQLiteError) in
            let unreadable = try History(connection: connection).unreadable().count
            guard unreadable > 0 else { return }
            findings.append(
                Finding("earlier versions", unreadable == 1 ? "one cannot be read" : "\(unreadable) cannot be read"))
        }
        try part("circle", &findings) { (findings) throws(SQLiteError) in
            try SyncChecking(connection: connection).check(&findings)
        }
    }

    private func tallyFindings(_ notes: [TallyNote]) throws(StoreError) -> [Finding] {
        do throws(StoreError) { return try connection.tally().findings(notes) } catch {
            guard error.isDamagedPage else { throw error }
            return [Finding("keychain.db", "the sum over its items is on a damaged page")]
        }
    }

    private func count(of table: ItemTable) throws(SQLiteError) -> Int {
        let statement = try connection.sqlite.prepare("select count(*) from \(table.name)")
        defer { statement.reset() }
        do throws(SQLiteError) { return try statement.step() ? Int(statement.int64(0)) : 0 } catch {
            // What is damaged is found and told where the rows are read.
            guard error.code.isDamagedPage else { throw error }
            return 0
        }
    }

    private func part(
        _ name: String, _ findings: inout [Finding], _ body: (inout [Finding]) throws(SQLiteError) -> Void
    ) throws(StoreError) {
        do throws(SQLiteError) { try body(&findings) } catch {
            guard error.code.isCorruption || error.code.isDamagedPage || error.code.primary == .error else {
                throw .sqlite(error)
            }
            findings.append(Finding(name, "is damaged; some of it cannot be examined"))
        }
    }

    private func checkKeybag(_ row: KeychainRow, _ copy: [UInt8]?, _ findings: inout [Finding]) {
        var isCopy = copy == nil || copy == row.keybag
        defer { if !isCopy { findings.append(Finding("keybag.copy", "differs from the keybag in the database")) } }
        do throws(KeybagError) {
            let keybag = try LockedKeybag(decoding: row.keybag)
            if !isCopy { isCopy = copy == (try keybag.encoded()) }
            // A change that was cut off leaves the copy of before, and the next use makes it anew.
            if !isCopy, let copy, let earlier = try? LockedKeybag(decoding: copy) {
                isCopy = !earlier.isHalfDamaged && earlier.isFollowed(by: keybag)
            }
            if keybag.isHalfDamaged {
                findings.append(Finding("keychain.db", "one of the keybag's two copies is damaged"))
            }
        } catch { findings.append(Finding("keychain.db", "the keybag cannot be read")) }
    }

    private func checkQuarantine(_ findings: inout [Finding]) throws(SQLiteError) {
        let statement = try connection.sqlite.prepare("select id, row from quarantine order by id")
        defer { statement.reset() }
        while try statement.step() {
            let row = try? PropertyList(decoding: statement.blob(1))
            guard case .dictionary? = row else {
                findings.append(Finding("quarantine row \(statement.int64(0))", "cannot be read"))
                continue
            }
        }
    }

    private func checkPages(_ format: Int64, _ findings: inout [Finding]) throws(SQLiteError) {
        let pages = try connection.sqlite.examinePages()
        if pages.damaged > 0 {
            connection.notes.metDamage = true
            findings.append(
                Finding("keychain.db", "\(pages.damaged) of its \(pages.pages) pages are not what was written there"))
        }
        if format >= 3, !pages.hasSums, pages.pages > 0 {
            findings.append(Finding("keychain.db", "its pages have no sums"))
        }
    }

    private func checkIntegrity(_ findings: inout [Finding]) throws(SQLiteError) {
        let statement = try connection.sqlite.prepare("pragma integrity_check")
        defer { statement.reset() }
        // SQLite has a line for each entry and page, in words of its own; a finding says only what they mean for the items.
        var (indexes, places): ([ItemClass: Int], Int) = ([:], 0)
        while try statement.step() {
            // One row may have several lines: what is wrong with pages comes under the database's name, "*** in database main ***".
            for line in statement.text(0).split(separator: "\n") where line != "ok" && !line.hasPrefix("***") {
                if let itemClass = Checking.classOfIndex(in: line) {
                    indexes[itemClass, default: 0] += 1
                } else {
                    places += 1
                }
            }
        }
        for (itemClass, count) in indexes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            findings.append(
                Finding(
                    "\(itemClass.words)s",
                    "an index is wrong in \(Checking.counted(count)): searches may miss items"))
        }
        if places > 0 {
            findings.append(Finding("keychain.db", "the file is damaged in \(Checking.counted(places))"))
        }
    }

    /// SQLite stops after a hundred.
    private static func counted(_ places: Int) -> String {
        places == 1 ? "one place" : places < 100 ? "\(places) places" : "a hundred places or more"
    }

    /// The class whose index a line of SQLite's is about, as "row 3 missing from index genp_service" is.
    private static func classOfIndex(in line: Substring) -> ItemClass? {
        let words = line.split(separator: " ")
        guard let place = words.lastIndex(of: "index"), words.indices.contains(place + 1) else { return nil }
        return ItemClass.allCases.first { itemClass in
            words[place + 1].split(separator: "_").contains { $0 == itemClass.name }
        }
    }

    private func checkSchema(_ format: Int64, _ findings: inout [Finding]) throws(SQLiteError) {
        if try !Checking.hasTables(of: format, connection.sqlite) {
            findings.append(Finding("keychain.db", "the tables do not match the format"))
        }
    }

    /// Whether a database has the tables and indexes of a format and, in a circle, those of that, and no others.
    static func hasTables(of format: Int64, _ sqlite: SQLiteConnection) throws(SQLiteError) -> Bool {
        let statement = try sqlite.prepare(
            "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
        defer { statement.reset() }
        var found: Set<String> = []
        while try statement.step() { found.insert(Checking.normalized(statement.text(0))) }
        let tables = Set(DatabaseSchema.definition(format: format).map(Checking.normalized))
        return found == tables
            || format >= 3 && found == tables.union(SyncTables.definition.map(Checking.normalized))
    }

    /// SQLite keeps the text of a definition but writes its first words itself.
    private static func normalized(_ sql: String) -> String { sql.lowercased().filter { !$0.isWhitespace } }

    /// The last row that was come to, where there may be more; nil where there are none.
    private func checkRows(
        of table: ItemTable, after start: Int64, atMost most: Int, _ checked: inout CheckedRows,
        _ findings: inout [Finding]
    ) throws(SQLiteError) -> Int64? {
        let own = table.columns.map(\.name).joined(separator: ", ")
        let statement = try connection.sqlite.prepare(
            "select \(RowReader.columns), \(own) from \(table.name) not indexed where rowid >= ? order by rowid limit ?"
        )
        defer { statement.reset() }
        func begin(from row: Int64, atMost most: Int) throws(SQLiteError) {
            statement.reset()
            try statement.bind(row, at: 1)
            try statement.bind(Int64(most), at: 2)
        }
        var next = start == .min ? start : RowCursor.number(after: start)
        try begin(from: next, atMost: most)
        let row = connection.reader(statement, table)
        var (last, rows): (Int64?, Int) = (nil, 0)
        var troubled: [(trouble: String, rows: [Int64])] = []
        defer {
            findings += troubled.map { Finding(Checking.named(table.itemClass, $0.rows), $0.trouble) }
        }
        while rows < most {
            do throws(SQLiteError) { guard try statement.step() else { break } } catch {
                guard error.code.isDamagedPage else { throw error }
                let gap = try TableGap(from: next, in: table, connection.sqlite)
                findings.append(
                    gap.lost.isEmpty
                        ? Finding("\(table.itemClass.words)s", "a damaged page cannot be read")
                        : Finding(
                            Checking.named(table.itemClass, gap.lost.map(\.row)), "on a damaged page: cannot be read"))
                guard let end = gap.end else { return nil }
                (last, next) = (end - 1, end)
                try begin(from: end, atMost: most - rows)
                continue
            }
            // A damaged page above the rows may lead back to some that were read already, and so on for ever.
            guard row.rowID >= next else {
                findings.append(Finding("\(table.itemClass.words)s", "a damaged page cannot be read"))
                return nil
            }
            (last, rows) = (row.rowID, rows + 1)
            next = RowCursor.number(after: row.rowID)
            checked.rows += 1
            guard let trouble = trouble(in: row, &checked.locked) else { continue }
            if let place = troubled.firstIndex(where: { $0.trouble == trouble }) {
                troubled[place].rows.append(row.rowID)
            } else {
                troubled.append((trouble, [row.rowID]))
            }
        }
        return rows == most ? last ?? start : nil
    }

    /// Items of one class that the same is wrong with, by their numbers in the file: their names may be what is damaged.
    private static func named(_ itemClass: ItemClass, _ rows: [Int64]) -> String {
        let shown = rows.prefix(8).map(String.init)
        if rows.count == 1 { return "\(itemClass.words) \(shown[0])" }
        let rest = rows.count - shown.count
        let numbers =
            rest > 0
            ? shown.joined(separator: ", ") + " and \(rest) more"
            : shown.dropLast().joined(separator: ", ") + " and " + (shown.last ?? "")
        return "\(itemClass.words)s \(numbers)"
    }

    private func trouble(in row: RowReader, _ locked: inout Int) -> String? {
        do throws(SealingError) {
            let opened = try unsafe row.open(with: connection.sealer)
            let item = try unsafe row.item(of: opened, with: connection.sealer)
            guard row.statement.columnType(RowReader.columnCount - 1) == .blob else { return "the item is not a blob" }
            let written = try RowImage.columns(of: item, in: row.table, sealer: connection.sealer)
            for (index, name) in (ItemTable.commonColumns + row.table.columns.map(\.name)).enumerated() {
                // The blob stands between the common columns and the class's own.
                let column = index < ItemTable.commonColumns.count ? index + 1 : index + 2
                if !written[index].isSame(as: ColumnValue(of: row.statement, column: column)) {
                    return "the column \(name) differs from the item"
                }
            }
            for entry in item.attributes.entries where !entry.attribute.isKnown(to: row.table.itemClass) {
                return "the item has an attribute that its class does not have"
            }
            return nil
        } catch {
            switch error {
            case .classUnavailable:
                locked += 1
                return nil
            // What went with an old device key or passcode is lost, and no damage.
            case .undecodable: return connection.hasLostKey(row) ? nil : "cannot be read"
            case .unencodable, .noPasscode, .classKeyMissing, .crypto: return "cannot be examined"
            }
        }
    }
}

/// What the examination of a part of a database has found; `CheckedPart` says what the numbers are.
package struct CheckedRows: Sendable {
    package internal(set) var findings: [Finding] = []
    package internal(set) var rows = 0
    package internal(set) var locked = 0
    package internal(set) var total = 0
    package internal(set) var next: CheckPosition?
}

/// Something that is not as it must be.
///
/// It names places, never values.
package struct Finding: Sendable, Equatable, CustomStringConvertible {
    package let place: String
    package let trouble: String

    package init(_ place: String, _ trouble: String) {
        self.place = place
        self.trouble = trouble
    }

    package var description: String { "\(place): \(trouble)" }
}
