// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSQLite

/// The earlier versions of items that are left in a damaged database: those that SQLite reads, and those that were found on pages.
///
/// They are taken as they are. What of them does not open is left out once the keys are there to tell, and counted then.
struct SalvagedVersions {
    private struct Version {
        /// By their numbers versions are in the order in which they were kept; nil of one that has none here.
        let number: Int64?
        let values: [StoredValue]

        var end: Double { if case .real(let moment) = values[4] { moment } else { 0 } }
    }

    static let columns = "class, persistref, why, since, until, agrp, row"
    private var versions: [Version] = []
    private var taken: Set<[StoredValue]> = []
    private var numbers: Set<Int64> = []
    /// The numbers that something says an item's versions have.
    private(set) var named: [PersistentID: Set<Int64>] = [:]
    /// Whether table or index was read from end to end, so that all that there were are named.
    private(set) var areAllNamed = false

    /// Takes what SQLite still reads, also behind pages that it does not.
    mutating func read(_ sqlite: SQLiteConnection) {
        guard
            var rows = ReadableRows(
                of: History.table, SalvagedVersions.columns, references: History.referenceIndex, sqlite)
        else { return }
        while let (number, values) = rows.next() {
            name(number, values[1])
            take(values, number: number)
        }
        areAllNamed = rows.areAllRead
        if areAllNamed { return }
        guard let index = try? sqlite.prepare("select id, persistref from past indexed by \(History.referenceIndex)")
        else { return }
        defer { index.reset() }
        do throws(SQLiteError) {
            while try index.step() { name(index.int64(0), StoredValue(index, column: 1)) }
            areAllNamed = true
        } catch {}
    }

    /// Takes what was found on pages, but for what was read already.
    mutating func take(_ found: [FoundVersion], isOfLog: Bool = false) {
        // A log that was kept may have used a number that was given anew since.
        for version in found { take(version.values, number: isOfLog ? nil : version.rowID) }
    }

    /// Takes over numbers that indexes name, and those of rows that were found.
    mutating func name(_ numbers: [PersistentID: Set<Int64>]) {
        named.merge(numbers) { $0.union($1) }
        for version in versions { if let number = version.number { name(number, version.values[1]) } }
    }

    private mutating func name(_ number: Int64, _ reference: StoredValue) {
        if let id = reference.bytes.flatMap(PersistentID.init) { named[id, default: []].insert(number) }
    }

    private mutating func take(_ values: [StoredValue], number: Int64?) {
        guard values.count == 7, !values.contains(.null), taken.insert(values).inserted else { return }
        versions.append(Version(number: number.flatMap { numbers.insert($0).inserted ? $0 : nil }, values: values))
    }

    /// Writes them in their order.
    func write(to new: SQLiteConnection) throws(SQLiteError) {
        var ordered = versions.filter { $0.number != nil }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        for version in versions.filter({ $0.number == nil }).sorted(by: { $0.end < $1.end }) {
            ordered.insert(version, at: ordered.firstIndex { $0.end > version.end } ?? ordered.endIndex)
        }
        let insert = try new.prepare("insert into past(\(SalvagedVersions.columns)) values(?, ?, ?, ?, ?, ?, ?)")
        for version in ordered {
            let values = version.values.compactMap(\.column)
            if values.count == 7 { try insert.run(with: values) }
        }
    }
}

/// A row of earlier versions that was found on a page: class, reference, why, since, until, group, row.
struct FoundVersion {
    let rowID: Int64?
    let values: [StoredValue]

    /// nil of a record that is none of them.
    init?(_ record: [StoredValue], rowID: Int64?) {
        guard record.count == 8, record[0] == .null, record[1].characters != nil, record[2].bytes?.count == 16,
            record[3].characters != nil, let since = record[4].moment, let until = record[5].moment,
            record[6].characters != nil, record[7].bytes != nil
        else { return nil }
        self.rowID = rowID
        values = [record[1], record[2], record[3], .real(since), .real(until), record[6], record[7]]
    }
}

extension StoredValue {
    /// A number of seconds: SQLite stores those without a fraction as integers.
    fileprivate var moment: Double? {
        switch self {
        case .real(let moment): moment
        case .integer(let moment): Double(moment)
        case .null, .text, .blob: nil
        }
    }
}

/// The rows of a table that SQLite still reads, also behind pages that it does not.
struct ReadableRows {
    private let table: String
    private let index: String
    private let sqlite: SQLiteConnection
    private let statement: Statement
    private var start = Int64.min
    private var isBound = false
    /// The rows on pages that it does not read, as far as the index of references names them.
    private(set) var lost: [(row: Int64, id: PersistentID?)] = []
    /// Whether it came to the end of the table, and met no damage.
    private(set) var areAllRead = false
    private var hasGap = false

    /// nil where the table is not there for SQLite.
    init?(of table: String, _ columns: String, references index: String, _ sqlite: SQLiteConnection) {
        guard
            let statement = try? sqlite.prepare(
                "select rowid, \(columns) from \(table) not indexed where rowid >= ? order by rowid")
        else { return nil }
        (self.table, self.index, self.sqlite, self.statement) = (table, index, sqlite, statement)
    }

    /// The next one; nil behind the last, where the statement is reset.
    mutating func next() -> (rowID: Int64, values: [StoredValue])? {
        while true {
            do throws(SQLiteError) {
                if !isBound { try statement.bind(start, at: 1) }
                isBound = true
                guard try statement.step() else {
                    statement.reset()
                    areAllRead = !hasGap
                    return nil
                }
                let rowID = statement.int64(0)
                start = RowCursor.number(after: rowID)
                return (rowID, (1..<statement.columnCount).map { StoredValue(statement, column: $0) })
            } catch {
                statement.reset()
                (isBound, hasGap) = (false, true)
                guard error.code.isDamagedPage, let gap = try? TableGap(from: start, in: table, index, sqlite)
                else { return nil }
                lost += gap.lost
                guard let end = gap.end, end > start else { return nil }
                start = end
            }
        }
    }
}
