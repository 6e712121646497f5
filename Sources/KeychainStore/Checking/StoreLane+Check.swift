// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

extension StoreLane {
    /// Examines the database: SQLite's own invariants, the schema, and of every row that its seals open and that its
    /// columns say what the seals say.
    ///
    /// Rows of locked classes are passed over.
    package func check(copyOfKeybag: [UInt8]?) throws(StoreError) -> [Finding] {
        var findings: [Finding] = []
        // One moment for all of it, and keys that are of that moment.
        do throws(SQLiteError) { try connection.execute("begin") } catch { throw .sqlite(error) }
        defer { connection.rollback() }
        let row: KeychainRow
        do throws(KeychainRow.Refusal) { row = try KeychainRow.read(from: connection) } catch {
            return [Finding("keychain.db", "the keychain's own row cannot be read")]
        }
        try checkKeybag()
        checkKeybag(row, copyOfKeybag, &findings)
        // One damaged page must not hide what the others have to say.
        try part("keychain.db", &findings) { (findings) throws(SQLiteError) in try checkIntegrity(&findings) }
        try part("keychain.db", &findings) { (findings) throws(SQLiteError) in try checkSchema(row.format, &findings) }
        for itemClass in ItemClass.allCases {
            try part(itemClass.name, &findings) { (findings) throws(SQLiteError) in
                try checkRows(of: ItemTable.of(itemClass), &findings)
            }
        }
        try part("quarantine", &findings) { (findings) throws(SQLiteError) in try checkQuarantine(&findings) }
        return findings
    }

    private func part(
        _ name: String, _ findings: inout [Finding], _ body: (inout [Finding]) throws(SQLiteError) -> Void
    ) throws(StoreError) {
        do throws(SQLiteError) { try body(&findings) } catch {
            guard error.code.isCorruption || error.code.primary == .error else { throw .sqlite(error) }
            findings.append(Finding(name, "is damaged; some of it cannot be examined"))
        }
    }

    private func checkKeybag(_ row: KeychainRow, _ copy: [UInt8]?, _ findings: inout [Finding]) {
        var isCopy = copy == nil || copy == row.keybag
        defer { if !isCopy { findings.append(Finding("keybag.copy", "is not the keybag in the database")) } }
        do throws(KeybagError) {
            let keybag = try LockedKeybag(decoding: row.keybag)
            if !isCopy { isCopy = copy == (try keybag.encoded()) }
            if keybag.isHalfDamaged {
                findings.append(Finding("keychain.db", "one of the keybag's two copies is damaged"))
            }
        } catch { findings.append(Finding("keychain.db", "the keybag cannot be read")) }
    }

    private func checkQuarantine(_ findings: inout [Finding]) throws(SQLiteError) {
        let statement = try connection.prepare("select id, row from quarantine order by id")
        defer { statement.reset() }
        while try statement.step() {
            let row = try? PropertyList(decoding: statement.blob(1))
            guard case .dictionary? = row else {
                findings.append(Finding("quarantine row \(statement.int64(0))", "cannot be read"))
                continue
            }
        }
    }

    private func checkIntegrity(_ findings: inout [Finding]) throws(SQLiteError) {
        let statement = try connection.prepare("pragma integrity_check")
        defer { statement.reset() }
        while try statement.step() {
            let line = statement.text(0)
            // SQLite quotes values of columns in no line of this report; row and index names alone.
            if line != "ok" { findings.append(Finding("keychain.db", line)) }
        }
    }

    private func checkSchema(_ format: Int64, _ findings: inout [Finding]) throws(SQLiteError) {
        let statement = try connection.prepare(
            "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
        defer { statement.reset() }
        var found: Set<String> = []
        while try statement.step() { found.insert(StoreLane.normalized(statement.text(0))) }
        let expected = Set(DatabaseSchema.definition(format: format).map(StoreLane.normalized))
        if found != expected { findings.append(Finding("keychain.db", "the tables are not those of this format")) }
    }

    /// SQLite keeps the text of a definition but writes its first words itself.
    private static func normalized(_ sql: String) -> String { sql.lowercased().filter { !$0.isWhitespace } }

    private func checkRows(of table: ItemTable, _ findings: inout [Finding]) throws(SQLiteError) {
        let own = table.columns.map(\.name).joined(separator: ", ")
        let statement = try connection.prepare(
            "select \(RowReader.columns), \(own) from \(table.name) order by rowid")
        defer { statement.reset() }
        let row = reader(statement, table)
        while try statement.step() {
            if let trouble = trouble(in: row) {
                findings.append(Finding("\(table.name) row \(row.rowID)", trouble))
            }
        }
    }

    private func trouble(in row: RowReader) -> String? {
        do throws(SealingError) {
            let opened = try unsafe row.open(with: bench)
            let item = try unsafe row.item(of: opened, with: bench)
            guard row.statement.columnType(RowReader.columnCount - 1) == .blob else { return "the item is no blob" }
            let written = try RowImage.columns(of: item, in: row.table, bench: bench)
            for (index, name) in (ItemTable.commonColumns + row.table.columns.map(\.name)).enumerated() {
                // The blob stands between the common columns and the class's own.
                let column = index < ItemTable.commonColumns.count ? index + 1 : index + 2
                if !written[index].isSame(as: ColumnValue(of: row.statement, column: column)) {
                    return "the column \(name) is not what the item says"
                }
            }
            for entry in item.attributes.entries where !entry.attribute.isKnown(to: row.table.itemClass) {
                return "the item has an attribute its class does not know"
            }
            return nil
        } catch {
            switch error {
            case .classUnavailable: return nil
            case .unknownVersion: return "written by later software"
            case .undecodable: return "cannot be read"
            case .unencodable, .noPasscode, .classKeyMissing, .crypto: return "cannot be examined"
            }
        }
    }
}
