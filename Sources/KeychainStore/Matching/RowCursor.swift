// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainModel
internal import KeychainSQLite

/// Steps through a selection's rows, also past pages that cannot be read.
///
/// It begins with the selection's own statement. Where that meets a damaged page, of the table or of an index, it goes on row
/// by row through the table, which needs no index, and leaves out what lies on damaged pages. What was left out is noted, and
/// kept as `loss`: who finds nothing must not say "not found" then.
struct RowCursor {
    private let rows: RowAccess
    private let selection: Selection
    /// The row it stands on, after a step.
    private(set) var row: RowReader
    /// Whether rows come in the order of their numbers; those of a selection without order say nothing of those before them.
    private var isInOrder: Bool
    /// The row number from which a walk through the table would go on.
    private var next: Int64
    private var isWalking = false
    /// Why rows are missing; nil while none are.
    private(set) var loss: StoreError?

    init(_ rows: RowAccess, _ selection: Selection) throws(StoreError) {
        self.rows = rows
        self.selection = selection
        next = selection.position.map { $0 == .max ? $0 : $0 + 1 } ?? .min
        isInOrder = selection.shape.isInRowOrder
        row = rows.connection.reader(try rows.boundStatement(selection), selection.table)
    }

    /// Resets the statement, whichever it is by then.
    func end() { row.statement.reset() }

    /// Moves to the next row; false when there is none.
    mutating func step() throws(StoreError) -> Bool {
        while true {
            do throws(StoreError) {
                guard try row.statement.nextRow() else { return false }
                if !isInOrder { return true }
                // In a file without sums, a damaged page above the rows may lead back to some that were read already.
                guard row.rowID >= next else {
                    rows.notes.metDamage = true
                    if loss == nil { rows.notes.noteLoss(of: selection.table.itemClass, nil) }
                    loss = loss ?? .sqlite(SQLiteError(code: .damagedPage, operation: .step))
                    return false
                }
                next = RowCursor.number(after: row.rowID)
                return true
            } catch {
                guard error.isDamagedPage else { throw error }
                rows.notes.metDamage = true
                row.statement.reset()
                if isWalking, try !passDamage(error) { return false }
                (isWalking, isInOrder) = (true, true)
                row = rows.connection.reader(
                    try rows.boundStatement(selection.walking(from: next)), selection.table)
            }
        }
    }

    static func number(after row: Int64) -> Int64 { row == .max ? row : row + 1 }

    /// Moves behind rows that cannot be read; false where no other row follows.
    private mutating func passDamage(_ error: StoreError) throws(StoreError) -> Bool {
        let gap = try translating { () throws(SQLiteError) in
            try TableGap(from: next, in: selection.table, rows.connection.sqlite)
        }
        if loss == nil { loss = error }
        for id in references(of: gap.lost) { rows.notes.noteLoss(of: selection.table.itemClass, id) }
        guard let end = gap.end else { return false }
        next = end
        return true
    }

    /// What to tell of lost rows: their references, or as often nil.
    ///
    /// Whose they are is not known, so only who sees every group learns their references; nor is it known which of them have the
    /// attributes that were asked for.
    private func references(of lost: [(row: Int64, id: PersistentID?)]) -> [PersistentID?] {
        if lost.isEmpty { return [nil] }
        if let id = selection.id { return [lost.contains { $0.id == id } && selection.scope == .every ? id : nil] }
        let areTold = selection.scope == .every && selection.shape.columns == 0
        return lost.map { areTold ? $0.id : nil }
    }
}

/// Rows of a table from a certain number on that lie on damaged pages.
struct TableGap {
    /// The number from which rows can be read again; nil where none can.
    private(set) var end: Int64?
    /// The rows in between that the index of references still names.
    private(set) var lost: [(row: Int64, id: PersistentID?)] = []

    private enum Probe: Equatable {
        case row(Int64)
        case noRow
        case damaged
    }

    init(from start: Int64, in table: ItemTable, _ sqlite: SQLiteConnection) throws(SQLiteError) {
        try self.init(from: start, in: table.name, table.referenceIndex, sqlite)
    }

    /// The same of any table with an index of references.
    init(
        from start: Int64, in table: String, _ index: String, _ sqlite: SQLiteConnection
    ) throws(SQLiteError) {
        let probe = try sqlite.prepare(
            "select rowid from \(table) not indexed where rowid >= ? order by rowid limit 1")
        let next = try TableGap.look(from: start, probe)
        // The row is there, and what belongs to it is not: a page that a long value goes on in.
        if case .row(let row) = next {
            (end, lost) = (
                RowCursor.number(after: row), [(row, try TableGap.named(row, row, in: table, index, sqlite).first?.id)]
            )
            return
        }
        guard next == .damaged else { return }
        let far = try TableGap.firstReadable(after: start, probe)
        // Between several damaged pages there may be sound ones, whose rows only an index names.
        for named in try TableGap.named(start, far ?? .max, in: table, index, sqlite) where named.row != far {
            if try TableGap.look(from: named.row, probe) == .row(named.row) {
                end = named.row
                return
            }
            lost.append(named)
        }
        end = far
    }

    private static func look(from row: Int64, _ probe: Statement) throws(SQLiteError) -> Probe {
        defer { probe.reset() }
        do throws(SQLiteError) {
            try probe.bind(row, at: 1)
            return try probe.step() ? .row(probe.int64(0)) : .noRow
        } catch {
            guard error.code.isDamagedPage else { throw error }
            return .damaged
        }
    }

    /// A number from which the table can be read; nil where there is none.
    ///
    /// It takes larger and larger steps, and then halves the last one.
    private static func firstReadable(after start: Int64, _ probe: Statement) throws(SQLiteError) -> Int64? {
        var damaged = max(start, 0)
        var readable = damaged
        var step: Int64 = 1
        repeat {
            let (place, isTooFar) = damaged.addingReportingOverflow(step)
            if isTooFar { return nil }
            readable = place
            if try look(from: place, probe) != .damaged { break }
            damaged = place
            step = step > .max / 2 ? .max : step * 2
        } while true
        while readable - damaged > 1 {
            let middle = damaged + (readable - damaged) / 2
            if try look(from: middle, probe) == .damaged { damaged = middle } else { readable = middle }
        }
        return readable
    }

    /// The rows that the index of references names between two, in order; as many as it can still say.
    private static func named(
        _ first: Int64, _ last: Int64, in table: String, _ index: String, _ sqlite: SQLiteConnection
    ) throws(SQLiteError) -> [(row: Int64, id: PersistentID?)] {
        var rows: [(row: Int64, id: PersistentID?)] = []
        do throws(SQLiteError) {
            let statement = try sqlite.prepare(
                """
                select rowid, persistref from \(table) indexed by \(index) \
                where rowid >= ? and rowid <= ?
                """)
            defer { statement.reset() }
            try statement.bind(first, at: 1)
            try statement.bind(last, at: 2)
            while try statement.step() {
                rows.append((statement.int64(0), unsafe PersistentID(unsafeBytes: statement.unsafeBlob(1))))
            }
        } catch { guard error.code.isDamagedPage else { throw error } }
        return rows.sorted { $0.row < $1.row }
    }
}

extension StoreError {
    /// Whether a page of the database could not be read for what is in it; the disk itself did not fail.
    var isDamagedPage: Bool {
        if case .sqlite(let error) = self { error.code.isDamagedPage } else { false }
    }
}
