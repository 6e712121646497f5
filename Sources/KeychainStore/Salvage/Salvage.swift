// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
package import KeychainSQLite

/// What can be had of a damaged database: read by SQLite where that is possible, and by its pages alone where it is not.
///
/// It works on bytes that were read from the files, and changes none of these.
package final class Salvage {
    private let pages: PageImages
    private let walk: PageWalk
    /// The database put together into one file, as far as SQLite takes it for one.
    private let sqlite: SQLiteConnection?
    /// Whether SQLite finds everything in order: then its pages hold nothing else that counts.
    private let isWhole: Bool

    /// What the logs hold that were kept because they were damaged, before SQLite cut them; the newest first.
    private let keptLogs: [PageWalk]

    /// `scratch` is the path of a file that `write` fills; the caller removes it.
    package init(
        file: [UInt8], log: [UInt8], keptLogs: [[UInt8]], scratch: String, write: (_ bytes: [UInt8]) -> Bool
    ) {
        self.keptLogs = keptLogs.map { PageWalk(PageImages(file: file, log: $0, countsRest: true)) }
        pages = PageImages(file: file, log: log)
        walk = PageWalk(pages)
        sqlite = pages.count > 0 && write(pages.assembled()) ? Salvage.opened(scratch) : nil
        isWhole = !pages.isLogDamaged && !pages.hasRest && (sqlite.map(Salvage.isInOrder) ?? false)
    }

    /// What a log that nobody has read yet looks like.
    package enum LogStanding: Sendable {
        case whole
        /// In or behind the last commit something is missing: a power cut in the middle of it leaves that, and so does damage to
        /// one that had been acknowledged.
        case unfinished
        /// A frame is damaged behind which there are commits that had begun later: SQLite would give these up without a word.
        case damaged
    }

    package static func standing(ofLog log: [UInt8]) -> LogStanding {
        let frames = LogFrames(log)
        return frames.isDamagedForCertain ? .damaged : frames.isDamaged || frames.hasRest ? .unfinished : .whole
    }

    /// How many rows of items and of the quarantine, keybags and own rows the pages of such files seem to hold.
    package static func countRows(file: [UInt8], log: [UInt8]) -> Int {
        let walk = PageWalk(PageImages(file: file, log: log))
        return walk.rows.count + walk.quarantine.count + walk.keybags.count + walk.keychains.count
    }

    /// Whether anything of a keychain is left in the database or its log at all.
    package var holdsAnything: Bool {
        isWhole || !walk.keychains.isEmpty || !walk.keybags.isEmpty
            || ([walk] + keptLogs).contains { !$0.freeRows.isEmpty || !$0.quarantine.isEmpty }
    }

    package func close() { sqlite?.close() }

    private static func opened(_ path: String) -> SQLiteConnection? {
        guard let sqlite = try? SQLiteConnection(path: path, mode: .readWrite) else { return nil }
        do throws(SQLiteError) {
            // Nobody else knows the file, and no log is to be made beside it.
            try sqlite.execute("pragma locking_mode=exclusive")
            _ = try sqlite.userVersion()
            return sqlite
        } catch {
            sqlite.close()
            return nil
        }
    }

    private static func isInOrder(_ sqlite: SQLiteConnection) -> Bool {
        do throws(SQLiteError) {
            guard try sqlite.examinePages().damaged == 0 else { return false }
            let check = try sqlite.prepare("pragma integrity_check")
            defer { check.reset() }
            guard try check.step(), check.text(0) == "ok", let row = try? KeychainRow.read(from: sqlite) else {
                return false
            }
            return try Checking.hasTables(of: row.format, sqlite)
        } catch { return false }
    }

    // MARK: What the database says of itself

    /// What stands in the keychain's own row.
    package struct Owner: Sendable, Equatable {
        package let keychain: KeychainUUID
        package let owner: String
        package let movedTo: String
        package let format: Int64
        package let minReader: Int64
    }

    /// The keychain's own row; nil where nothing of it is readable.
    package var owner: Owner? {
        for values in ownRows {
            guard values.count == 7, let bytes = values[1].bytes, let keychain = KeychainUUID(bytes),
                let format = values[2].number, let minReader = values[3].number,
                case .text(let owner)? = values[5].column, case .text(let movedTo)? = values[6].column
            else { continue }
            return Owner(keychain: keychain, owner: owner, movedTo: movedTo, format: format, minReader: minReader)
        }
        return nil
    }

    private var ownRows: [[StoredValue]] {
        let own = ["id", "uuid", "format", "min_reader", "min_writer", "owner", "moved_to"]
        return rows("select \(own.joined(separator: ", ")) from keychain where id = 1") + walk.keychains
    }

    /// The keybags that can be read, the one in force first.
    package var keybags: [LockedKeybag] {
        let stored = rows("select generation, data from keybag order by generation desc").compactMap { $0[1].bytes }
        let read = stored.compactMap { try? LockedKeybag(decoding: $0) }
        let walked = walk.keybags.compactMap { try? LockedKeybag(decoding: $0) }
        return read + walked.sorted { $1.isOlder(than: $0) }
    }

    /// `pragma user_version`; nil where it cannot be read.
    package var version: Int32? { sqlite.flatMap { try? $0.userVersion() } }

    private func rows(_ sql: String) -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        do throws(SQLiteError) {
            guard let statement = try sqlite?.prepare(sql) else { return [] }
            defer { statement.reset() }
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { StoredValue(statement, column: $0) })
            }
        } catch { return rows }
        return rows
    }

    // MARK: The new database

    /// Puts all that is saved into a new database, in one transaction.
    package func fill(
        _ new: SQLiteConnection, with keybag: LoadedKeybag, at moment: Double
    ) throws(StoreError) -> SalvageReport {
        var intake = try SalvageIntake(new, keybag, walk.entries, at: moment)
        var namedVersions: [PersistentID: Int] = [:]
        try translating { () throws(SQLiteError) in try new.beginImmediate() }
        do throws(StoreError) {
            var named = walk.entries
            intake.prefer(walk.rowsOfDamagedFrames)
            for log in keptLogs { intake.prefer(log.freeRows) }
            for itemClass in ItemClass.allCases { try readTable(of: itemClass, into: &intake, &named) }
            if !isWhole { try intake.takeFree(walk.freeRows) }
            try intake.take(quarantine: rows("select class, moved, reason, row from quarantine order by id"))
            if !isWhole { try intake.take(quarantine: walk.quarantine) }
            try intake.takeAdded()
            try intake.takeDamaged()
            try takeCircle(into: new, isEveryRowThere: intake.report.quarantined == 0 && intake.report.released == 0)
            if !isWhole { intake.nameLost(named) }
            namedVersions = try takeHistory(into: new, intake)
            try keepOwner(in: new)
            try translating { () throws(SQLiteError) in try new.commit() }
        } catch {
            new.rollback()
            throw error
        }
        var report = intake.report
        report.damagedPages = walk.damaged.count
        report.mayLackMore = !isEveryRowNamed
        report.isLogDamaged = pages.isLogDamaged
        report.keptLogs = keptLogs.count
        report.namedVersions = namedVersions
        report.wasWhole = isWhole && keptLogs.isEmpty
        return report
    }

    /// Every row of a table that SQLite still reads, also behind pages that it does not.
    private func readTable(
        of itemClass: ItemClass, into intake: inout SalvageIntake, _ named: inout Set<IndexEntry>
    ) throws(StoreError) {
        let table = ItemTable.of(itemClass)
        guard let sqlite,
            var rows = ReadableRows(
                of: table.name, table.writtenColumns.joined(separator: ", "), references: table.referenceIndex, sqlite)
        else { return }
        while let (rowID, values) = rows.next() {
            try intake.take(
                FoundRow(itemClass: itemClass, rowID: rowID, values: values, isSumRight: pages.hasSums))
        }
        for (row, id) in rows.lost { named.insert(IndexEntry(rowID: row, id: id, itemClass: itemClass)) }
    }

    /// Whether each row of an item that there was is found, or named as lost: by its table, or by one of its two indexes, as far as
    /// SQLite reads one of them to its end.
    ///
    /// The first page has the schema alone.
    private var isEveryRowNamed: Bool {
        if isWhole || !walk.damaged.contains(where: { $0 != 1 }) { return true }
        return ItemClass.allCases.allSatisfy { itemClass in
            let table = ItemTable.of(itemClass)
            return readsAll("select rowid from \(table.name) not indexed")
                || readsAll("select persistref from \(table.name) indexed by \(table.referenceIndex)")
                || readsAll("select agrp from \(table.name) indexed by \(table.identityIndex)")
        }
    }

    private func readsAll(_ sql: String) -> Bool {
        do throws(SQLiteError) {
            guard let statement = try sqlite?.prepare(sql) else { return false }
            defer { statement.reset() }
            while try statement.step() {}
            return true
        } catch { return false }
    }

    /// Earlier versions come over as they are; returns how many each item had, as far as table and index say it.
    private func takeHistory(
        into new: SQLiteConnection, _ intake: SalvageIntake
    ) throws(StoreError) -> [PersistentID: Int] {
        var versions = SalvagedVersions()
        if let sqlite { versions.read(sqlite) }
        if !isWhole { versions.take(walk.versions) }
        for log in keptLogs { versions.take(log.versions, isOfLog: true) }
        try translating { () throws(SQLiteError) in try versions.write(to: new) }
        // Before there were sums there were no versions.
        if !isWhole, !versions.areAllNamed, pages.hasSums {
            versions.name(intake.versionNumbers(besides: versions.named, in: walk.entries))
        }
        return versions.named.mapValues(\.count)
    }

    /// The state of the circle comes over as it is sealed, both its parts; the rest too, where no item can have been lost or be an
    /// older one.
    ///
    /// Else the leaves stay behind: so the keychain is seen to be damaged, and reads the circle anew, with all that was lost here.
    private func takeCircle(into new: SQLiteConnection, isEveryRowThere: Bool) throws(StoreError) {
        let state = rows("select id, version, data from sync_state order by id")
        guard state.count == 2, state.allSatisfy({ $0[1].number != nil && $0[2].bytes != nil }) else { return }
        try translating { () throws(SQLiteError) in
            try SyncTables.make(in: new)
            try copy(state, into: "sync_state(id, version, data)", new)
            guard isWhole, keptLogs.isEmpty, isEveryRowThere else {
                try SyncMarks.markAll(in: new)
                return
            }
            for columns in [
                "leaf(view, id, n, digest, item)", "pending(view, id, body)", "head(view, n, body)", "mark(mark, item)",
            ] {
                let (table, names) = (columns.prefix { $0 != "(" }, columns.drop { $0 != "(" }.dropFirst().dropLast())
                try copy(rows("select \(names) from sync_\(table)"), into: "sync_\(columns)", new)
            }
        }
    }

    private func copy(
        _ rows: [[StoredValue]], into columns: String, _ new: SQLiteConnection
    ) throws(SQLiteError) {
        guard let count = rows.first?.count else { return }
        let insert = try new.prepare(
            "insert into \(columns) values(\(repeatElement("?", count: count).joined(separator: ", ")))")
        for row in rows {
            let values = row.compactMap(\.column)
            guard values.count == count else { continue }
            try insert.run(with: values)
        }
    }

    /// Whose keychain it is stays as it was.
    private func keepOwner(in new: SQLiteConnection) throws(StoreError) {
        guard let owner else { return }
        try translating { () throws(SQLiteError) in
            let statement = try new.prepare("update keychain set owner = ?, moved_to = ? where id = 1")
            try statement.bind(text: owner.owner, at: 1)
            try statement.bind(text: owner.movedTo, at: 2)
            try statement.run()
            // Whoever has keys of the old database at hand has to see that this is another one.
            if let version { try new.setUserVersion(version &+ 1) }
        }
    }
}

/// What came of a salvage: how much was saved, and what was not.
package struct SalvageReport: Sendable, Equatable {
    /// Items whose seals opened, by class; tombstones are not counted.
    package internal(set) var saved: [ItemClass: Int] = [:]
    /// Rows of classes whose keys are not at hand, taken over because the sums of their pages are right.
    package internal(set) var unproved = 0
    /// Rows that went to the quarantine, where nothing reads them and nothing removes them.
    package internal(set) var quarantined = 0
    /// Rows that were taken out of the quarantine of before, because they open after all.
    package internal(set) var released = 0
    package internal(set) var lost: [LostItem] = []
    package internal(set) var damagedPages = 0
    /// Whether items may be lost of which nothing is left that names them.
    package internal(set) var mayLackMore = false
    package internal(set) var isLogDamaged = false
    /// Logs that were looked through because they had been kept as damaged.
    package internal(set) var keptLogs = 0
    /// Items that are as a log has them behind its damage, where SQLite does not read it.
    package internal(set) var changedInLogs = 0
    /// Earlier versions of items that were saved, and those that are known to have been there besides.
    package private(set) var savedVersions = 0
    package private(set) var lostVersions = 0
    /// How many versions each item had.
    var namedVersions: [PersistentID: Int] = [:]
    /// Whether SQLite found the old database in order, and no damaged log was kept beside it.
    package internal(set) var wasWhole = false

    package var savedItems: Int { saved.values.reduce(0, +) }

    /// Counts the versions in the new database, once those that do not open were left out.
    package mutating func countVersions(in connection: StoreConnection) throws(StoreError) {
        let saved = try translating { () throws(SQLiteError) in try History(connection: connection).counts() }
        savedVersions = saved.values.reduce(0, +)
        lostVersions = namedVersions.reduce(0) { $0 + max($1.value - (saved[$1.key] ?? 0), 0) }
    }
}

/// An item that could not be saved, by what is still readable of it.
package struct LostItem: Sendable, Equatable {
    package let itemClass: ItemClass?
    package let group: String?
    package let id: PersistentID?

    /// When it was added, in seconds since 1970: a reference begins with that.
    package var added: Int64? { id.map { Int64($0.high >> 16) / 1000 } }
}
