// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// How an operation reads rows: it finds them by their columns, opens them, compares them with what was asked for, and
/// passes over those that are damaged.
struct RowAccess {
    let connection: StoreConnection
    let notes: OperationNotes
    /// What opened rows have to pass besides being equal in their attributes; nil where the request has no filters.
    let filters: RowFilters?

    /// For an operation without filters.
    init(_ connection: StoreConnection) {
        self.connection = connection
        notes = connection.notes
        filters = nil
    }

    /// For an operation with the filters of a predicate; `now` is the moment they are about where they name none.
    init(_ connection: StoreConnection, filteringFor predicate: ItemPredicate, _ now: @escaping () -> Double) {
        self.connection = connection
        notes = connection.notes
        filters = predicate.filters.isEmpty ? nil : RowFilters(connection, now)
    }

    // MARK: Walking

    /// Visits every row that is what the selection asks for, until `visit` says false.
    func forEachRow(
        _ selection: Selection, _ visit: (RowReader, RowReader.Opened) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try boundStatement(selection)
        defer { statement.reset() }
        let row = connection.reader(statement, selection.table)
        var isFirst = true
        while try statement.nextRow() {
            if isFirst { try connection.checkKeybag() }
            isFirst = false
            guard let opened = try unsafe opened(row, selection) else { continue }
            guard try unsafe visit(row, opened) else { return }
        }
        if isFirst { try connection.checkKeybag() }
    }

    /// Visits every row that is what the selection asks for, but for those on damaged pages, until `visit` says false.
    ///
    /// Returns why rows may be missing; nil where none are. For reading alone: who changes or removes "all" must meet all.
    func forEachReadableRow(
        _ selection: Selection, _ visit: (RowReader, RowReader.Opened) throws(StoreError) -> Bool
    ) throws(StoreError) -> StoreError? {
        var cursor = try RowCursor(self, selection)
        defer { cursor.end() }
        var isFirst = true
        while try cursor.step() {
            if isFirst { try connection.checkKeybag() }
            isFirst = false
            let row = cursor.row
            guard let opened = try unsafe opened(row, selection) else { continue }
            guard try unsafe visit(row, opened) else { return cursor.loss }
        }
        if isFirst { try connection.checkKeybag() }
        return cursor.loss
    }

    /// Lends one row by its number; nil when it is not there.
    func withRow<Result>(
        _ rowID: Int64, _ table: ItemTable, _ body: (RowReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        let statement = try connection.statements.row(.read, of: table.itemClass)
        defer { statement.reset() }
        try translating { () throws(SQLiteError) in try statement.bind(rowID, at: 1) }
        guard try statement.nextRow() else { return nil }
        return try body(connection.reader(statement, table))
    }

    /// The statement that looks for a selection's rows, ready to step; the caller resets it.
    func boundStatement(_ selection: Selection) throws(StoreError) -> Statement {
        let statement = try connection.statements.select(selection.shape)
        try statement.bindingPlaceholders { (placeholders) throws(StoreError) in
            try selection.bind(to: &placeholders, sealer: connection.sealer)
        }
        return statement
    }

    // MARK: Opening

    /// Opens a row if it is what the selection asks for.
    func opened(_ row: RowReader, _ selection: Selection) throws(StoreError) -> RowReader.Opened? {
        let opened: RowReader.Opened
        do throws(SealingError) { unsafe opened = try unsafe row.open(with: connection.sealer) } catch {
            try passOverDamage(error, row)
            return nil
        }
        guard unsafe selection.accepts(opened.record) else {
            // The columns said yes and the seal says no, so the columns were changed from outside.
            passOver(row)
            return nil
        }
        if let filters, try unsafe !filters.pass(row, opened, selection) { return nil }
        return unsafe opened
    }

    /// What is wanted of an opened row; nil when the row turns out to be another, or damaged.
    func foundItem(
        _ row: RowReader, _ opened: RowReader.Opened, _ selection: Selection, _ wanted: Wanted
    ) throws(StoreError) -> FoundItem? {
        let returning = wanted.returning
        let itemClass = selection.table.itemClass
        // A reference to a certificate or a key is made of its bytes.
        let isReferred = returning.contains(.reference) && !itemClass.isPassword
        let wantsSecret = returning.contains(.data) || isReferred
        do throws(SealingError) {
            guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: connection.sealer) else {
                return nil
            }
        } catch {
            try passOverDamage(error, row, rest: unsafe rest(of: opened, row, returning))
            return nil
        }
        if let budget = wanted.budget {
            try unsafe notes.makeRoom(budget, for: row.size(opened, withSecret: wantsSecret))
        }
        var secret: OpenedSecret?
        do throws(SealingError) {
            if wantsSecret {
                secret = try unsafe row.openSecret(
                    of: opened, with: connection.sealer, wantsDigest: returning.contains(.attributes))
            } else if notes.listsDamage {
                // When reporting damage, also verify secrets that were not requested.
                try unsafe row.examineSecret(of: opened, with: connection.sealer)
            }
        } catch {
            try passOverDamage(error, row, rest: unsafe rest(of: opened, row, returning))
            return nil
        }
        let item = unsafe FoundItem(opened, of: row, returning: returning, secret: secret)
        guard let item else {
            passOver(row)
            return nil
        }
        do throws(StoreError) {
            let shown = item.isUnderRules ? try item.revealed(wanted, connection.keybag.keys) : item
            if shown != nil { notes.note(.found, row) }
            return shown
        } catch {
            switch error {
            // A seal that nothing opens any more is its own item's damage, and no other's.
            case .sealing(.undecodable): passOver(row, rest: unsafe rest(of: opened, row, returning))
            // Nothing is damaged, so only a request that lists what cannot be read learns of it.
            case .boundToOtherFingers:
                if notes.listsDamage { passOver(row, rest: unsafe rest(of: opened, row, returning)) }
            default: throw error
            }
            return nil
        }
    }

    // MARK: Damage

    /// Passes over a damaged row; whatever else keeps a row from being read ends the request.
    ///
    /// **This is the rule that a locked item is not "not found"**: a row whose class is locked (`classUnavailable`) ends
    /// a request although it could go on with other rows (semantics §3.3, "what ends a query"). Three places have
    /// another rule on purpose: a delete goes by the columns of what is locked (`Deleting`), a search for issuers climbs
    /// past it (`RowFilters`), and a search in several keychains says it when no other one has anything
    /// (`SearchedMatch`).
    func passOverDamage(_ error: SealingError, _ row: RowReader, rest: FoundItem? = nil) throws(StoreError) {
        guard error == .undecodable else { throw StoreError(error) }
        passOver(row, rest: rest)
    }

    /// Leaves a row that cannot be read as it is, and notes it.
    func passOver(_ row: RowReader, rest: FoundItem? = nil) {
        notes.noteDamage(of: row, rest: rest)
    }

    /// What is known of an item whose secret is damaged, where damage is listed; nil where the item contradicts itself.
    private func rest(
        of opened: RowReader.Opened, _ row: RowReader, _ returning: ReturnTypes
    ) -> FoundItem? {
        guard notes.listsDamage else { return nil }
        return unsafe FoundItem(
            opened, of: row, returning: returning.subtracting([.data, .reference]), secret: nil)
    }
}

/// The row a select statement stands on, and the item sealed in it.
///
/// It lends what SQLite holds, so it is good until the statement moves.
struct RowReader {
    /// The columns every select begins with, in this order.
    static let columns = "rowid, persistref, syncid, agrp, pdmn, sync, tomb, musr, vwht, tkid, ggrp, data"
    static let columnCount = 12

    let table: ItemTable
    let keychain: KeychainUUID
    let statement: Statement
    let accessControls: AccessControlMemory

    var rowID: Int64 { statement.int64(0) }
    var group: String { statement.text(3) }
    var accessibility: Accessibility? { Accessibility(name: statement.text(4)) }
    var isTombstone: Bool { statement.int64(6) != 0 }
    var isSynchronizable: Bool { statement.int64(5) != 0 }

    /// The row's own reference, or nil when it is not one.
    var id: PersistentID? { unsafe PersistentID(unsafeBytes: statement.unsafeBlob(1)) }
    private var syncID: PersistentID? { unsafe PersistentID(unsafeBytes: statement.unsafeBlob(2)) }

    /// What the seals bind of this row.
    private func binding(id: PersistentID) -> RowBinding {
        unsafe RowBinding(
            keychain: keychain, itemClass: table.itemClass, id: id, synchronizable: statement.int64(5),
            tombstone: statement.int64(6), group: statement.unsafeBlob(3), accessibility: statement.unsafeBlob(4),
            multiUser: statement.unsafeBlob(7), viewHint: statement.unsafeBlob(8), tokenID: statement.unsafeBlob(9),
            sharingGroup: statement.unsafeBlob(10))
    }

    /// A row whose attributes are open.
    @unsafe struct Opened {
        let id: PersistentID
        let accessibility: Accessibility
        let record: AttributeList
        fileprivate let sealed: SealedItem
        fileprivate let binding: RowBinding

        /// About how large the secret is, which can be told without opening it.
        var secretCount: Int { unsafe sealed.secretCount }
    }

    /// About how many bytes an item has, with its secret or without.
    func size(_ opened: Opened, withSecret: Bool) -> Int {
        unsafe statement.unsafeBlob(11).count - (withSecret ? 0 : opened.secretCount)
    }

    /// The class the row's item is sealed under, as the seal says; nil where the column says another.
    var sealedAccessibility: Accessibility? {
        guard let sealed = try? unsafe SealedItem(statement.unsafeBlob(11)) else { return nil }
        return unsafe sealed.accessibility == accessibility ? accessibility : nil
    }

    /// The generation the row's item is sealed under.
    var generation: UInt32 {
        get throws(SealingError) { try unsafe SealedItem(statement.unsafeBlob(11)).generation }
    }

    /// Opens the attributes.
    ///
    /// `.undecodable` covers everything that is wrong with this row alone.
    func open(with sealer: ItemSealer) throws(SealingError) -> Opened {
        guard let id, let syncID else { throw .undecodable }
        let sealed = try unsafe SealedItem(statement.unsafeBlob(11))
        let accessibility = unsafe sealed.accessibility
        var binding = binding(id: id)
        let record = try unsafe sealer.openMetadata(sealed, binding: &binding)
        guard record[.accessible] == .string(accessibility.name),
            case .data(let sealedSyncID)? = record[.syncIdentifier], PersistentID(sealedSyncID) == syncID
        else { throw .undecodable }
        return unsafe Opened(id: id, accessibility: accessibility, record: record, sealed: sealed, binding: binding)
    }

    /// Opens the secret of a row whose attributes are open.
    func openSecret(
        of opened: Opened, with sealer: ItemSealer, wantsDigest: Bool
    ) throws(SealingError) -> OpenedSecret {
        var binding = unsafe opened.binding
        return try unsafe sealer.openSecret(opened.sealed, binding: &binding, wantsDigest: wantsDigest)
    }

    /// Throws where the secret does not open, unless its class is locked, because then it cannot be tried.
    func examineSecret(of opened: Opened, with sealer: ItemSealer) throws(SealingError) {
        do throws(SealingError) { _ = try unsafe openSecret(of: opened, with: sealer, wantsDigest: false) } catch {
            if !error.isOfLockedClass { throw error }
        }
    }

    /// Whether the item has the digest a predicate asks for, if it asks for one; the digest lies beside the secret.
    func hasDigest(
        askedBy predicate: ItemPredicate, _ opened: Opened, with sealer: ItemSealer
    ) throws(SealingError) -> Bool {
        guard let wanted = predicate.attributes[.digest] else { return true }
        return try unsafe openSecret(of: opened, with: sealer, wantsDigest: true).digest.map(AttributeValue.data)
            == wanted
    }

    /// Everything, for an operation that writes the item again.
    func item(of opened: Opened, with sealer: ItemSealer) throws(SealingError) -> Item {
        guard var item = unsafe Item(opened, of: self) else { throw .undecodable }
        item.secret = try unsafe openSecret(of: opened, with: sealer, wantsDigest: false).data
        return item
    }
}

extension Statement {
    /// Moves to the next row; false when there is none.
    func nextRow() throws(StoreError) -> Bool {
        try translating { () throws(SQLiteError) in try step() }
    }
}

extension PersistentID {
    /// The 16 bytes of a column, or nil when there are more or fewer.
    init?(unsafeBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
