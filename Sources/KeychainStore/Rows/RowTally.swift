// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainSystem

/// Where the count of a keychain's commits is noted besides its database.
package protocol TallyCopy: Sendable {
    /// Both places of the note, as they are; nothing where there is none.
    func read() -> [[UInt8]]
    /// Writes one of the two places, unsynced.
    ///
    /// A note that is behind the database says nothing, so one that could not be written is no failure.
    func write(_ note: [UInt8], toPlace place: Int)
}

/// Keeps the tally of a connection's database: a transaction that changes rows changes it, and `check` compares.
///
/// A tally that somebody changed, or took away, stays as it is until its owner accepts what there is: a program that made it
/// anew by itself would cover up what it is for.
final class RowTally {
    private let sqlite: SQLiteConnection
    private let statements: StatementCache
    private let key: TallyKey
    private let copy: (any TallyCopy)?
    /// What the transaction under way has done so far.
    private var change = TallyChange()
    /// The tally as it was after this connection's last commit, good as long as no other one has committed since.
    private var known: (tally: Tally, hasLoss: Bool, dataVersion: UInt32)?
    /// What the transaction under way has written; nil where it has written none.
    private var written: Written?

    private struct Written {
        let tally: Tally
        let note: TallyNote
        var isAccepted = false
    }

    init(
        _ sqlite: SQLiteConnection, _ statements: StatementCache, _ keybag: UnlockedKeybag, copy: (any TallyCopy)?
    ) throws(StoreError) {
        (self.sqlite, self.statements, self.copy) = (sqlite, statements, copy)
        do throws(CryptoError) { key = try TallyKey(keybag) } catch { throw .sealing(.crypto(error)) }
    }

    // MARK: A transaction

    func begin() { (change, written) = (TallyChange(), nil) }

    func added(_ itemClass: ItemClass, _ id: PersistentID, blob: [UInt8]) throws(StoreError) {
        change.add(try term(itemClass, id.bytes, Array(blob.suffix(RowTally.tagSize))))
    }

    /// Takes a row out that is about to be removed or written over; false where there is none.
    @discardableResult
    func removing(_ rowID: Int64, from table: ItemTable) throws(StoreError) -> Bool {
        let statement = try statements.row(.readTag, of: table.itemClass)
        defer { statement.reset() }
        try translating { () throws(SQLiteError) in try statement.bind(rowID, at: 1) }
        guard try statement.nextRow() else { return false }
        change.remove(try term(table.itemClass, statement.blob(0), statement.blob(1)))
        return true
    }

    /// Takes back what was counted of a write that did not come to be.
    func restore(_ before: TallyChange) { change = before }

    var changeSoFar: TallyChange { change }

    /// Writes the tally as the transaction leaves it; `now` is nil of work that is no change of anybody's.
    func flush(at now: Double?) throws(StoreError) {
        guard !change.isEmpty else { return }
        let isKnown = known?.dataVersion == sqlite.dataVersion
        var tally: Tally
        if isKnown, let known = known?.tally {
            tally = known
            tally.take(change)
        } else {
            switch try stored() {
            case .tally(let found):
                tally = found
                tally.take(change)
            // The first change, or the first since an upgrade; unless it had been begun before.
            case .none:
                guard try notes().isEmpty, let counted = try counted() else { return }
                tally = counted
            case .unreadable: return
            }
        }
        // Before this transaction ends no other one is noted: what is noted beyond it is lost.
        var note = TallyNote(commits: tally.commits + 1, time: now ?? tally.time)
        if !isKnown || known?.hasLoss == true, let lost = RowTally.loss(tally, try notes()) {
            (note.lost, note.lostTime) = (lost.commits, lost.time)
        }
        (tally.commits, tally.time) = (note.commits, note.time)
        try write(tally)
        written = Written(tally: tally, note: note)
    }

    /// The transaction is on the disk: the number of commits is noted outside.
    ///
    /// Another connection's later note may be there by now; one that is behind says nothing.
    func committed() {
        guard let written else { return }
        known = (written.tally, written.note.lost > 0, sqlite.dataVersion)
        guard let copy, let sealed = try? key.sealed(written.note) else { return }
        copy.write(sealed, toPlace: Int(written.note.commits % 2))
        // What was accepted must not come back from the other place.
        if written.isAccepted { copy.write(sealed, toPlace: Int((written.note.commits + 1) % 2)) }
    }

    /// What a transaction that failed has left cannot be known: the next one looks.
    func abandon() { known = nil }

    // MARK: Records

    private enum Stored {
        case none
        case tally(Tally)
        case unreadable
    }

    private func stored() throws(StoreError) -> Stored {
        let record = try translating { () throws(SQLiteError) -> [UInt8]? in
            let statement = try statements.upkeep("select data from tally where id = 1")
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
        guard let record else { return .none }
        let tally = try hashing { () throws(CryptoError) in try key.tally(record) }
        return tally.map { .tally($0) } ?? .unreadable
    }

    private func write(_ tally: Tally) throws(StoreError) {
        let record = try hashing { () throws(CryptoError) in try key.sealed(tally) }
        try translating { () throws(SQLiteError) in
            let statement = try statements.upkeep("insert or replace into tally(id, data) values(1, ?)")
            try statement.bind(blob: record, at: 1)
            try statement.run()
        }
    }

    /// The notes outside that are of this keychain; they are read before the rows they are compared with, or inside a
    /// transaction that keeps writers away, since other connections go on writing both.
    func notes() throws(StoreError) -> [TallyNote] {
        var notes: [TallyNote] = []
        for record in copy?.read() ?? [] {
            if let note = try hashing({ () throws(CryptoError) in try key.note(record) }) { notes.append(note) }
        }
        return notes
    }

    /// The tally of all rows there are; nil where some cannot be read.
    private func counted() throws(StoreError) -> Tally? {
        var change = TallyChange()
        do throws(StoreError) {
            for itemClass in ItemClass.allCases {
                let statement = try translating { () throws(SQLiteError) in
                    try sqlite.prepare(RowStatement.tags(of: ItemTable.of(itemClass)))
                }
                defer { statement.reset() }
                while try statement.nextRow() {
                    change.add(try term(itemClass, statement.blob(0), statement.blob(1)))
                }
            }
        } catch {
            guard error.isDamagedPage else { throw error }
            return nil
        }
        var tally = Tally()
        tally.take(change)
        return tally
    }

    private func term(
        _ itemClass: ItemClass, _ reference: [UInt8], _ tag: [UInt8]
    ) throws(StoreError) -> UInt128 {
        try hashing { () throws(CryptoError) in
            try unsafe reference.lendingBytes { (reference) throws(CryptoError) in
                try unsafe tag.lendingBytes { (tag) throws(CryptoError) in
                    try unsafe key.term(itemClass, reference: reference, tag: tag)
                }
            }
        }
    }

    private func hashing<Result>(_ body: () throws(CryptoError) -> Result) throws(StoreError) -> Result {
        do throws(CryptoError) { return try body() } catch { throw .sealing(.crypto(error)) }
    }

    static let tagSize = 16
}

// MARK: - Comparing

extension RowTally {
    /// What the tally says of the rows, inside a transaction for reading that began after the notes were read.
    func findings(_ notes: [TallyNote]) throws(StoreError) -> [Finding] {
        let tally: Tally
        switch try stored() {
        case .tally(let found): tally = found
        case .none where notes.isEmpty: return []
        case .none, .unreadable:
            return [Finding("keychain.db", "the sum over its items is missing, or was changed outside Llavero")]
        }
        var findings: [Finding] = []
        // What lies on damaged pages is told elsewhere.
        if let there = try counted(), (there.items, there.sum) != (tally.items, tally.sum) {
            findings.append(Finding("keychain.db", RowTally.words(stored: tally, there: there)))
        }
        if let lost = RowTally.loss(tally, notes) {
            findings.append(
                Finding(
                    "keychain.db",
                    "\(lost.commits == 1 ? "one change is" : "\(lost.commits) changes are") missing that had been stored, the last on \(RowTally.date(lost.time)): an older copy was put in place, or the log was lost"
                ))
        }
        return findings
    }

    /// How many changes are missing that had been stored, as far as the notes tell; nil where none are.
    func lostChanges() throws(StoreError) -> LostChanges? {
        let notes = try notes()
        guard case .tally(let tally) = try stored() else { return nil }
        return RowTally.loss(tally, notes)
    }

    /// Whether commits were noted that the tally does not count.
    func isBehindItsNote() throws(StoreError) -> Bool {
        let noted = try notes().map(\.commits).max() ?? 0
        return switch try stored() {
        case .tally(let tally): tally.commits < noted
        case .none: noted > 0
        case .unreadable: false
        }
    }

    /// How many commits there were; 0 where that is not known.
    func commits() throws(StoreError) -> UInt64 {
        if case .tally(let tally) = try stored() { tally.commits } else { 0 }
    }

    /// Takes what there is as what there has to be.
    func accept(at now: Double) throws(StoreError) {
        guard let there = try counted() else {
            throw .sqlite(SQLiteError(code: .damagedPage, operation: .step))
        }
        var tally = there
        var before = try notes().map(\.commits).max() ?? 0
        if case .tally(let found) = try stored() { before = max(before, found.commits) }
        (tally.commits, tally.time) = (before + 1, now)
        try write(tally)
        written = Written(tally: tally, note: TallyNote(commits: tally.commits, time: now), isAccepted: true)
    }

    private static func loss(_ tally: Tally, _ notes: [TallyNote]) -> LostChanges? {
        if let last = notes.max(by: { $0.commits < $1.commits }), last.commits > tally.commits {
            return LostChanges(commits: last.commits - tally.commits, time: last.time)
        }
        guard let noted = notes.max(by: { $0.lost < $1.lost }), noted.lost > 0 else { return nil }
        return LostChanges(commits: noted.lost, time: noted.lostTime)
    }

    private static func words(stored: Tally, there: Tally) -> String {
        let since = "outside Llavero, after \(date(stored.time))"
        if there.items < stored.items {
            let count = stored.items - there.items
            return "\(count == 1 ? "one item was" : "\(count) items were") removed \(since)"
        }
        if there.items > stored.items {
            let count = there.items - stored.items
            return "\(count == 1 ? "one item was" : "\(count) items were") added \(since)"
        }
        return "items were changed, or put back as they were before, \(since)"
    }

    private static func date(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "an unknown day" }
        return UTCTime(secondsSince2001: Int64(seconds.rounded(.down))).text
    }
}
