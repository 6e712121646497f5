// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainSQLite

/// One connection to a keychain's database, with its compiled statements and an item sealer for the keys in hand.
///
/// One thread at a time. Every operation is a type of its own, which lives as long as one call and works on the connection.
package final class StoreConnection {
    package let sqlite: SQLiteConnection
    package private(set) var keybag: LoadedKeybag
    /// The tools that seal and open with these keys.
    private(set) var sealer: ItemSealer
    let statements: StatementCache
    /// What the operation under way notes, or the last one has noted.
    let notes = OperationNotes()
    /// The data version at which the keybag was last seen to be current; nil before the first look.
    private var checkedAt: UInt32?
    private let accessControls = AccessControlMemory()
    private var rowTally: RowTally?
    private let tallyCopy: (any TallyCopy)?
    /// Whether changes may be in a log alone that was damaged: then what is not found may be there, and nothing new is stored.
    package var mayMissChanges = false
    /// Whether a pass of sealing again has come to its end under these keys.
    private var isResealed = false

    package init(
        sqlite: SQLiteConnection, keybag: LoadedKeybag, tallyCopy: (any TallyCopy)? = nil
    ) throws(StoreError) {
        self.sqlite = sqlite
        self.tallyCopy = tallyCopy
        self.keybag = keybag
        statements = StatementCache(sqlite)
        sealer = try StoreConnection.sealer(for: keybag)
    }

    /// The folder that the keychain's own folder is in; nil in memory.
    var root: String? {
        guard let path = sqlite.path else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 2 ? parts.dropLast(2).joined(separator: "/") : nil
    }

    /// Works with other keys from now on; the contexts of the old ones are freed and with them their key schedules.
    package func adopt(_ keybag: LoadedKeybag) throws(StoreError) {
        guard keybag.keys !== self.keybag.keys || keybag.version != self.keybag.version else { return }
        sealer = try StoreConnection.sealer(for: keybag)
        self.keybag = keybag
        checkedAt = nil
        isResealed = false
    }

    private static func sealer(for keybag: LoadedKeybag) throws(StoreError) -> ItemSealer {
        do throws(CryptoError) { return try ItemSealer(keybag.keys) } catch { throw .sealing(.crypto(error)) }
    }

    package func close() {
        rowTally = nil
        statements.removeAll()
        sqlite.close()
    }

    // MARK: For operations

    /// Makes sure that the keys in hand are the database's.
    ///
    /// Call it inside a transaction, or after a first step.
    func checkKeybag() throws(StoreError) {
        let now = sqlite.dataVersion
        if now == checkedAt { return }
        let version = try translatingForWhole { () throws(SQLiteError) in try sqlite.userVersion() }
        guard version == keybag.version else { throw .keybagChanged }
        checkedAt = now
    }

    /// Runs a write in a transaction of its own; an error undoes all of it.
    ///
    /// `moment` is when it happens, unless it is work that is no change of anybody's; a rehearsal is undone at its end.
    func write<Result>(
        at moment: Double? = nil, isRehearsal: Bool = false, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        notes.begin()
        try translating { () throws(SQLiteError) in try sqlite.beginImmediate() }
        do throws(StoreError) {
            try checkKeybag()
            rowTally?.begin()
            let result = try body()
            if isRehearsal {
                notes.events?.removeAll()
                sqlite.rollback()
                return result
            }
            if !keybag.isOfEarlierFormat { try rowTally?.flush(at: moment) }
            try translating { () throws(SQLiteError) in try sqlite.commit() }
            rowTally?.committed()
            return result
        } catch {
            sqlite.rollback()
            rowTally?.abandon()
            throw error
        }
    }

    /// The sum over all rows, made when rows are first changed or compared.
    func tally() throws(StoreError) -> RowTally {
        if let rowTally { return rowTally }
        let tally = try RowTally(sqlite, statements, keybag.keys, copy: tallyCopy)
        rowTally = tally
        return tally
    }

    func reader(_ statement: Statement, _ table: ItemTable) -> RowReader {
        RowReader(
            table: table, keychain: keybag.keychain, statement: statement, accessControls: accessControls)
    }
}

/// The keys that are available, and the moment of the database they were loaded at.
package struct LoadedKeybag: Sendable {
    package let keychain: KeychainUUID
    package let keys: UnlockedKeybag
    /// `pragma user_version` when they were loaded; another one means that keybag, owner or format changed.
    package let version: Int32
    /// Whether this software is recent enough to write to the keychain.
    package let mayWrite: Bool
    /// Whether the database is of an earlier format, and can be upgraded.
    package let isOfEarlierFormat: Bool

    package init(
        keychain: KeychainUUID, keys: UnlockedKeybag, version: Int32, mayWrite: Bool, isOfEarlierFormat: Bool = false
    ) {
        self.mayWrite = mayWrite
        self.isOfEarlierFormat = isOfEarlierFormat
        self.keychain = keychain
        // What demands the passcode must not open with keys that stay in memory.
        self.keys = keys.withoutPasscodeFactors()
        self.version = version
    }

    /// The same moment, with fewer keys open.
    package func limited(to state: LockState) -> LoadedKeybag {
        LoadedKeybag(
            keychain: keychain, keys: keys.limited(to: state), version: version, mayWrite: mayWrite,
            isOfEarlierFormat: isOfEarlierFormat)
    }
}

// MARK: - What the engine calls: each function makes its operation and runs it

extension StoreConnection {
    /// What was done with which items; set it to an empty list to have it noted, and to nil to end that.
    package var events: [ItemEvent]? {
        get { notes.events }
        set { notes.events = newValue }
    }

    /// How many rows the operation passed over because they could not be read.
    package var damagedRows: Int { notes.damagedRows }

    /// The same for a report, once: an operation that counts no rows must not report those of the one before.
    package func takeDamagedRows() -> Int {
        defer { notes.damagedRows = 0 }
        return notes.damagedRows
    }

    /// Whether the operation met a damaged page, and went round it; once.
    package func takeMetDamage() -> Bool {
        defer { notes.metDamage = false }
        return notes.metDamage
    }

    // MARK: Items

    /// Finds items in the order in which they were stored; opens no more of each than is asked for.
    package func match(
        _ authorized: Authorized<MatchRequest>, _ shown: FactorSecrets, unmet: UnmetDemands,
        budget: (@Sendable (Int) -> AnswerBudget)? = nil, now: @escaping () -> Double
    ) throws(StoreError) -> [Found] {
        notes.begin()
        let wanted = Wanted(returning: authorized.request.returning, shown: shown, unmet: unmet, budget: budget)
        return try Matching(self, authorized.request, wanted, now).find(authorized)
    }

    /// Stores an item in a transaction of its own; when this returns, the item survives a power cut.
    package func add(
        _ authorized: Authorized<AddRequest>, _ shown: ShownFactors, at moment: WriteContext
    ) throws(StoreError) -> FoundItem {
        try Adding(self, shown, at: moment).add(authorized)
    }

    /// Stores several items, all or none.
    package func add(
        _ authorized: Authorized<AddAllRequest>, _ shown: ShownFactors, at moment: WriteContext
    ) throws(StoreError) -> [Found] {
        try Adding(self, shown, at: moment).add(authorized)
    }

    /// Changes every item the requests are about, all or none.
    package func update(
        _ authorized: [Authorized<UpdateRequest>], _ shown: ShownFactors, at moment: WriteContext
    ) throws(StoreError) {
        try write(at: moment.now) { () throws(StoreError) in
            for update in authorized { try Updating(self, update, shown, at: moment).update() }
        }
    }

    /// Removes every item the request is about, all or none.
    package func delete(
        _ authorized: Authorized<DeleteRequest>, _ shown: FactorSecrets, at moment: WriteContext
    ) throws(StoreError) {
        try Deleting(self, authorized, shown, at: moment).delete()
    }

    /// The key of a reference, with its bytes.
    ///
    /// `operation` says what its access control has to allow.
    package func key(
        _ authorized: Authorized<UseKeyRequest>, _ shown: FactorSecrets,
        for operation: (_ control: AccessControl, _ isInEnclave: Bool) -> ProtectedOperation
    ) throws(StoreError) -> StoredKey {
        try StoredKey.revealed(for: authorized, shown, self, operation: operation)
    }

    // MARK: Upkeep

    /// Examines a part of the database, the first before there is a position: SQLite's own invariants, the schema, and then
    /// of so many rows that their seals open and that their columns say what the seals say.
    ///
    /// Rows of locked classes are passed over, and counted.
    package func check(
        from start: CheckPosition?, atMost most: Int, copyOfKeybag: [UInt8]?
    ) throws(StoreError) -> CheckedRows {
        try Checking(connection: self).check(from: start, atMost: most, copyOfKeybag: copyOfKeybag)
    }

    /// Whether each page is what was written and SQLite finds the tables in order; no item is opened.
    ///
    /// With `most`, a database of more pages than that is looked at by so many of them, spread over all of it: others each time.
    package func isQuicklyFoundRight(atMost most: Int? = nil) throws(StoreError) -> Bool {
        notes.begin()
        do throws(SQLiteError) {
            try sqlite.execute("begin")
            defer { sqlite.rollback() }
            var step: Int64 = 1
            if let most { step += (try sqlite.number("page_count") - 1) / Int64(most) }
            let isSample = step > 1
            let examined =
                isSample
                ? try sqlite.examinePages(from: UInt32.random(in: 1...UInt32(step)), step: UInt32(step))
                : try sqlite.examinePages()
            // Another program may have written without sums: then the caller proves them, and asks again.
            notes.metDamage = examined.damaged > 0
            if notes.metDamage { return false }
            // It reads the whole file, for what no sum of a page tells.
            if isSample, examined.hasSums { return true }
            let check = try sqlite.prepare("pragma quick_check(1)")
            defer { check.reset() }
            return try check.step() && check.text(0) == "ok"
        } catch {
            guard error.code.isDamagedPage || error.code.isCorruption else { throw .sqlite(error) }
            return false
        }
    }

    /// Whether every table, index and row is right, whatever the sums of the pages say; false where a row is locked, and cannot
    /// be judged.
    package func isProvedRight() throws(StoreError) -> Bool {
        let checked = try Checking(connection: self, comparesPages: false).check(
            from: nil, atMost: .max, copyOfKeybag: nil)
        return checked.findings.isEmpty && checked.locked == 0 && checked.next == nil
    }

    /// Puts another keybag in the place of the one this connection has read, in one transaction; every process sees it at its
    /// next operation.
    ///
    /// Throws `keybagChanged` when the stored one is no longer that. Returns how many items went with their class key.
    package func replaceKeybag(
        _ replacement: KeybagReplacement, at moment: Double, _ turn: borrowing OwnerLock
    ) throws(StoreError) -> Int {
        try KeybagStoring(connection: self).replace(replacement, at: moment, turn)
    }

    /// Looks at up to `limit` rows and seals again those that need it, in one transaction.
    ///
    /// Rows that cannot be opened stay as they are. Throws `locked` unless all keys are open.
    package func reseal(atMost limit: Int) throws(StoreError) -> ResealingStep {
        try Resealing(connection: self).step(atMost: limit)
    }

    /// Begins the pass of sealing again anew.
    package func restartResealing() throws(StoreError) { try Resealing(connection: self).restart() }

    /// Looks at a few rows after a write, if a pass is under way and can be completed.
    ///
    /// What fails here fails nothing: the write before it is done.
    package func resealAfterWrite() {
        guard keybag.keys.hasEarlierGenerations, keybag.keys.isComplete, !isResealed else { return }
        let damaged = notes.damagedRows
        defer { notes.damagedRows = damaged }
        if let step = try? reseal(atMost: 16), step.isAtEnd { isResealed = true }
    }

    // MARK: Earlier versions

    /// The versions of one item, or of all in scope, newest first and before one that was shown last.
    package func history(
        of reference: PersistentReference?, before: Int64?, _ scope: GroupFilter, at now: Double
    ) throws(StoreError) -> [PastVersion] {
        notes.begin()
        return try History(connection: self).list(of: reference, before: before, scope, at: now)
    }

    /// One version, with its secret.
    package func pastVersion(_ number: Int64, _ scope: GroupFilter, at now: Double) throws(StoreError) -> PastVersion {
        notes.begin()
        return try History(connection: self).version(number, scope, at: now)
    }

    /// Makes an item again what it was, in one transaction.
    package func bringBack(_ number: Int64, _ scope: GroupFilter, at moment: WriteContext) throws(StoreError) {
        try History(connection: self).bringBack(number, scope, at: moment)
    }

    /// Lets go of versions for good; returns how many.
    package func forgetHistory(of reference: PersistentReference?, _ scope: GroupFilter) throws(StoreError) -> Int {
        try History(connection: self).forget(reference, scope)
    }

    /// Removes versions that do not open, and what of a circle cannot be, of a database that was put together anew.
    package func leaveOutUnreadable() throws(StoreError) {
        try translating { () throws(SQLiteError) in
            try History(connection: self).leaveOutUnreadable()
            try SyncChecking(connection: self).leaveOutWrong()
        }
    }

    // MARK: Backups

    /// Stays in a transaction from now on, and reads the database as it is now.
    ///
    /// Throws `keybagChanged` when the keys in hand are not the database's.
    package func hold() throws(StoreError) {
        try translating { () throws(SQLiteError) in try sqlite.execute("begin") }
        try checkKeybag()
    }

    /// The stamps of the live rows of a class behind one row, in the order of rows.
    package func stamps(of itemClass: ItemClass, behind row: Int64) throws(StoreError) -> [RowStamp] {
        try survey { (items) throws(SQLiteError) in try items.stamps(of: itemClass, behind: row) }
    }

    /// How many live items each group has that is none of these; what a keychain keeps of its circle is in no backup.
    package func items(outside scope: GroupFilter) throws(StoreError) -> [GroupCount] {
        let counts = try survey { (items) throws(SQLiteError) in try items.itemsOfGroups() }
        let outside = counts.filter { !scope.contains($0.key) && !$0.key.hasSameBytes(as: AccessGroup.sync.name) }
        return outside.map { GroupCount(group: $0.key, items: $0.value) }.sorted { $0.group < $1.group }
            .prefix(GroupCount.most).map(\.self)
    }

    /// Brings items of a backup back, all or none; what became of each, and which others were removed.
    package func restore(
        _ request: RestoreRequest, _ scope: GroupFilter, at moment: WriteContext
    ) throws(StoreError) -> ([RestoreOutcome], removed: RemovedItems) {
        var restoring = Restoring(self, request, scope, at: moment)
        return try restoring.restore()
    }

    /// Removes the items that a backup would have and are not among these; which.
    package func retain(
        _ kept: Set<PersistentID>, _ scope: GroupFilter, isRehearsal: Bool, at moment: WriteContext
    ) throws(StoreError) -> RemovedItems {
        try Restoring.retain(kept, self, scope, isRehearsal: isRehearsal, at: moment)
    }

    /// How many changes of items there were; 0 where they are not counted.
    package func commits() throws(StoreError) -> UInt64 {
        try lookAtTally(orElse: 0) { (tally) throws(StoreError) in try tally.commits() }
    }

    /// What the tally says; nothing of one on a damaged page, which must not keep the items from being read.
    private func lookAtTally<Result>(
        orElse unknown: Result, _ body: (RowTally) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if keybag.isOfEarlierFormat { return unknown }
        do throws(StoreError) { return try body(try tally()) } catch {
            guard error.isDamagedPage else { throw error }
            notes.metDamage = true
            return unknown
        }
    }

    // MARK: Synchronisation

    package func sync(_ authorized: Authorized<SyncRequest>, at moment: WriteContext) throws(StoreError) -> SyncReply {
        notes.begin()
        let applying = SyncApplying(self, at: moment)
        switch authorized.request {
        case .state(let name): return .state(try SyncReading.state(of: self, knowing: name))
        case .begin(let state, let base): try applying.begin(state, base)
        case .end: try applying.end()
        case .leaves(let view, let id, let limit):
            return .leaves(try SyncReading(self).leaves(of: view, behind: id, limit: limit))
        case .waiting(let view, let id, let limit):
            return .waiting(try SyncReading(self).waiting(in: view, behind: id, limit: limit))
        case .heads(let view, let number, let limit):
            return .heads(try SyncReading(self).heads(of: view, before: number, limit: limit))
        case .changes(let mark, let limit):
            let (changes, someAreLocked) = try SyncReading(self).changes(behind: mark, limit: limit)
            return .changes(changes, someAreLocked: someAreLocked)
        case .live(let view, let ids):
            let (some, all) = try SyncReading(self).live(of: view, among: ids)
            return .live(some, of: all)
        case .voids(let view, let ids): return .voids(try SyncReading(self).voids(of: view, among: ids))
        case .tombstones(let view, let date, let limit):
            return .tombstones(try SyncReading(self).tombstones(of: view, before: date, limit: limit))
        case .markAll: return try applying.markAll()
        case .apply(let batch): return try applying.apply(batch)
        }
        return .done
    }

    // MARK: Room

    /// Gives room that deletions have left back to the file system, where it is much.
    ///
    /// What fails here fails nothing: the deletion before it is done.
    package func giveBackRoom() {
        guard notes.mayHaveFreedRoom, (try? Shrinking(sqlite: sqlite).run()) ?? false else { return }
        forgetEarlierRows()
    }

    /// Gives all room of what was removed back to the file system, a part at a time, so that other writers come between; how many
    /// bytes that were.
    package func compact() throws(StoreError) -> Int {
        try translating { () throws(SQLiteError) in
            let size = try sqlite.number("page_size")
            let before = try sqlite.number("page_count")
            try Shrinking(sqlite: sqlite).runToEnd()
            try sqlite.truncateLog()
            return Int((before - (try sqlite.number("page_count"))) * size)
        }
    }

    /// Takes what the log still has of rows as they were away, unless another process reads there now.
    package func forgetEarlierRows() {
        // What cannot be done now happens when the log is next written over.
        try? sqlite.truncateLog()
    }

    // MARK: What is there

    /// The access groups that items are in.
    package func groups() throws(StoreError) -> Set<String> {
        try survey { (items) throws(SQLiteError) in try items.groups() }
    }

    /// How many rows there are.
    package func rowCount() throws(StoreError) -> Int {
        try survey { (items) throws(SQLiteError) in try items.rowCount() }
    }

    /// Whether there are items that can be read while the keychain is locked, and could not before it was first unlocked.
    package func hasItemsReadableAfterFirstUnlock() throws(StoreError) -> Bool {
        try survey { (items) throws(SQLiteError) in try items.hasItemsReadableAfterFirstUnlock() }
    }

    /// How many changes are missing that had been stored; nil where none are, as far as that is noted.
    package func lostChanges() throws(StoreError) -> LostChanges? {
        try lookAtTally(orElse: nil) { (tally) throws(StoreError) in try tally.lostChanges() }
    }

    /// Whether the note outside counts commits that the database does not have.
    package func isBehindItsNote() throws(StoreError) -> Bool {
        try lookAtTally(orElse: false) { (tally) throws(StoreError) in try tally.isBehindItsNote() }
    }

    /// Takes the items that there are as those that there have to be.
    package func acceptItems(at now: Double) throws(StoreError) {
        guard !keybag.isOfEarlierFormat else { return }
        let tally = try tally()
        try write { () throws(StoreError) in try tally.accept(at: now) }
    }

    /// The items that went with an old device key or passcode: they are not damaged, and nothing here opens them.
    package func lostItems() throws(StoreError) -> [PersistentReference] {
        try survey { (items) throws(SQLiteError) in try items.lostItems() }
    }

    /// Whether a row went with an old device key or passcode, by what it says of itself; no other classes do.
    func hasLostKey(_ row: RowReader) -> Bool {
        hasMissingKey(row) && row.accessibility?.isThisDeviceOnly ?? false
    }

    /// Whether a row says of itself that it is sealed under a key that the keybag has no more.
    func hasMissingKey(_ row: RowReader) -> Bool {
        guard let accessibility = row.sealedAccessibility, let generation = try? row.generation,
            case .missing = keybag.keys.availability(of: accessibility, generation: generation)
        else { return false }
        return true
    }

    /// The keys that live in the enclave: they cannot follow the keychain into another one.
    package func enclaveKeys() throws(StoreError) -> [PersistentID] {
        try survey { (items) throws(SQLiteError) in try items.enclaveKeys() }
    }

    /// Those of some class keys that no row needs any more, the quarantine's included.
    package func unused(_ names: Set<ClassKeyName>) throws(StoreError) -> Set<ClassKeyName> {
        try survey { (items) throws(SQLiteError) in try items.unused(names) }
    }

    /// Bytes of the file that the next rows are written to before it grows.
    package func freeBytes() throws(StoreError) -> Int {
        try survey { (items) throws(SQLiteError) in try items.freeBytes() }
    }

    private func survey<Result>(_ body: (Survey) throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        try translating { () throws(SQLiteError) in try body(Survey(connection: self)) }
    }
}
