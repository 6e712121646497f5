// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Removes every item that a request is about, all or none.
///
/// A plain removal needs no key. Where the key is at hand the seal is looked at all the same, so that a change of the
/// columns cannot make us remove the wrong item; a row that cannot be read goes to quarantine instead.
struct Deleting {
    private let connection: StoreConnection
    private let rows: RowAccess
    private let authorized: Authorized<DeleteRequest>
    /// What was shown and still counts.
    private let shown: FactorSecrets
    private let moment: WriteContext

    init(
        _ connection: StoreConnection, _ authorized: Authorized<DeleteRequest>, _ shown: FactorSecrets,
        at moment: WriteContext
    ) {
        self.connection = connection
        rows = RowAccess(connection, filteringFor: authorized.request.predicate) { 0 }
        self.authorized = authorized
        self.shown = shown.valid(in: connection.keybag.keys)
        self.moment = moment
    }

    func delete() throws(StoreError) {
        let (writer, history) = (RowWriter(connection), History(connection: connection))
        try connection.write(at: moment.now) { () throws(StoreError) in
            for (row, fate) in try fates().sorted(by: { $0.key < $1.key }) {
                let table = ItemTable.of(row.itemClass)
                switch fate {
                case .removed(let item):
                    if let item { try history.keep(item, in: row.rowID, .removed, at: moment.now) }
                    try writer.remove(rowID: row.rowID, from: table)
                case .quarantined: try writer.quarantine(rowID: row.rowID, from: table, at: moment.now)
                case .buried(let item):
                    try history.keep(item, in: row.rowID, .removed, at: moment.now)
                    let date = moment.later(than: item.date(.modificationDate))
                    guard try writer.replace(rowID: row.rowID, with: item.tombstone(at: date)) else {
                        throw .duplicate
                    }
                }
            }
        }
    }

    /// A row of one of the tables.
    private struct RowName: Hashable, Comparable {
        let itemClass: ItemClass
        let rowID: Int64

        static func < (left: RowName, right: RowName) -> Bool {
            (left.itemClass.rawValue, left.rowID) < (right.itemClass.rawValue, right.rowID)
        }
    }

    /// What becomes of a row.
    private enum Fate {
        /// With the item, unless its class is locked: of what cannot be opened nothing is kept.
        case removed(Item?)
        case quarantined
        case buried(Item)
    }

    private func fates() throws(StoreError) -> [RowName: Fate] {
        let predicate = authorized.request.predicate
        var fates: [RowName: Fate] = [:]
        switch (predicate.queriedClass, predicate.restriction) {
        case (.stored(let itemClass), _): try judge(itemClass, into: &fates)
        // Not the join: what matches as a certificate and what matches as a key, each by itself (semantics §3.9).
        case (.identity, .none):
            try judge(.certificate, into: &fates)
            try judge(.key, into: &fates)
        case (.identity, .items): try judgeIdentities(into: &fates)
        }
        return fates
    }

    /// Judges what matches in one class, which has to be something.
    private func judge(_ itemClass: ItemClass, into fates: inout [RowName: Fate]) throws(StoreError) {
        var found = false
        for selection in Selection.all(for: authorized.request.predicate, itemClass, authorized) {
            let statement = try rows.boundStatement(selection)
            defer { statement.reset() }
            let row = connection.reader(statement, selection.table)
            while try statement.nextRow() {
                guard let fate = try fate(of: row, selection) else { continue }
                let name = RowName(itemClass: itemClass, rowID: row.rowID)
                if fates.updateValue(fate, forKey: name) == nil { connection.notes.note(.deleted, row) }
                found = true
            }
        }
        guard found else { throw .notFound }
    }

    // MARK: Identities

    /// Judges the identities that are named: the certificates go, and each key unless a certificate stays that has it.
    private func judgeIdentities(into fates: inout [RowName: Fate]) throws(StoreError) {
        let identities = Identities(rows: rows)
        var going: Set<Int64> = []
        var keys: [(rowID: Int64, selection: Selection)] = []
        for selection in IdentitySelection.all(for: authorized.request.predicate, authorized) {
            for pair in try identities.pairs(selection) where try isIdentityAsFarAsCanBeSeen(pair, selection) {
                guard let fate = try fate(of: pair.certificate, selection.certificate) else { continue }
                fates[RowName(itemClass: .certificate, rowID: pair.certificate)] = fate
                going.insert(pair.certificate)
                keys.append((pair.key, selection.key))
            }
        }
        for key in keys where try certificates(ofKey: key.rowID).allSatisfy(going.contains) {
            guard let fate = try fate(of: key.rowID, key.selection) else { continue }
            fates[RowName(itemClass: .key, rowID: key.rowID)] = fate
        }
        guard !fates.isEmpty else { throw .notFound }
    }

    /// A locked half can be deleted like any locked item: by its columns (decision D23).
    private func isIdentityAsFarAsCanBeSeen(
        _ pair: Identities.Pair, _ selection: IdentitySelection
    ) throws(StoreError) -> Bool {
        do throws(StoreError) { return try Identities(rows: rows).isIdentity(pair, selection) } catch {
            guard case .locked = error else { throw error }
            return true
        }
    }

    /// The certificates that have the public half of a key.
    private func certificates(ofKey rowID: Int64) throws(StoreError) -> [Int64] {
        try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                """
                select c.rowid from cert c join keys k on c.pkhh = k.klbl \
                where k.rowid = ? and c.tomb = 0 and c.pkhh <> x''
                """)
            defer { statement.reset() }
            try statement.bind(rowID, at: 1)
            var certificates: [Int64] = []
            while try statement.step() { certificates.append(statement.int64(0)) }
            return certificates
        }
    }

    // MARK: One row

    private func fate(of rowID: Int64, _ selection: Selection) throws(StoreError) -> Fate? {
        try rows.withRow(rowID, selection.table) { (row) throws(StoreError) in
            let fate = try fate(of: row, selection)
            if fate != nil { connection.notes.note(.deleted, row) }
            return fate
        } ?? nil
    }

    private func fate(of row: RowReader, _ selection: Selection) throws(StoreError) -> Fate? {
        let policy = authorized.request.tombstones
        let opened: RowReader.Opened
        do throws(SealingError) { unsafe opened = try unsafe row.open(with: connection.sealer) } catch {
            switch error {
            case .undecodable: return .quarantined
            case .classUnavailable:
                // Nothing could be sealed into a tombstone now (decision D23).
                let leaves =
                    policy == .always
                    || (policy == .whenSynchronizable && row.isSynchronizable && !row.isTombstone)
                let mustOpen = leaves || selection.predicate.attributes.contains(.digest)
                if mustOpen { throw StoreError(error) }
                return .removed(nil)
            case .unencodable, .noPasscode, .classKeyMissing, .crypto: throw StoreError(error)
            }
        }
        guard unsafe selection.accepts(opened.record) else {
            connection.notes.damagedRows += 1
            return nil
        }
        do throws(SealingError) {
            guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: connection.sealer) else {
                return nil
            }
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return .quarantined
        }
        guard let item = unsafe Item(opened, of: row) else { return .quarantined }
        guard let ways = item.accessControl.constraint(on: .delete).ways else { throw .operationForbidden }
        guard ways.contains(where: shown.meets) else {
            throw .demands(Demand(ways: ways))
        }
        // A tombstone that is deleted goes for good, unless a tombstone is what was asked to stay.
        let buries = item.isTombstone ? policy == .always : policy.applies(to: item)
        return buries ? .buried(item) : .removed(item)
    }
}
