// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// A certificate and the private key of its public one, wherever both are in the keychain (semantics §3.9).
extension StoreLane {
    /// The rows of both halves of an identity.
    struct IdentityRows: Hashable {
        let certificate: Int64
        let key: Int64
    }

    /// Finds identities, all of them as they were at one moment.
    func matchIdentities(
        _ authorized: Authorized<MatchRequest>, _ wanted: Wanted, _ now: () -> Double
    ) throws(StoreError) -> [Found] {
        try atOneMoment { () throws(StoreError) in
            let request = authorized.request
            let selections = identitySelections(of: request.predicate, authorized)
            var found: [(rows: IdentityRows, identity: Found)] = []
            var seen: Set<IdentityRows> = []
            // Without references the one look yields its pairs in order, and the limit ends it.
            let enough = selections.count == 1 ? request.limit.count : Int.max
            for selection in selections {
                try forEachPair(selection) { (rows) throws(StoreError) in
                    guard seen.insert(rows).inserted, try areIdentity(rows, selection, now),
                        let identity = try identity(rows, selection, wanted, now)
                    else { return true }
                    found.append((rows, identity))
                    return found.count < enough
                }
            }
            guard !found.isEmpty else { throw .notFound }
            found.sort { ($0.rows.certificate, $0.rows.key) < ($1.rows.certificate, $1.rows.key) }
            return found.prefix(request.limit.count).map(\.identity)
        }
    }

    private func identity(
        _ rows: IdentityRows, _ selection: IdentitySelection, _ wanted: Wanted, _ now: () -> Double
    ) throws(StoreError) -> Found? {
        // The data of an identity is its key's.
        guard let certificate = try half(rows.certificate, selection.certificate, wanted.withoutData, now),
            let key = try half(rows.key, selection.key, wanted, now)
        else { return nil }
        return .identity(certificate: certificate, key: key)
    }

    /// Whether two rows are an identity that a look asks for: the columns only proposed it.
    func areIdentity(
        _ rows: IdentityRows, _ selection: IdentitySelection, _ now: () -> Double
    ) throws(StoreError) -> Bool {
        guard let certificate = try record(rows.certificate, selection.certificate, now),
            let key = try record(rows.key, selection.key, now)
        else { return false }
        guard let hash = certificate[.publicKeyHash], key[.applicationLabel]?.hasSameComparisonBytes(as: hash) == true
        else {
            // The columns said yes and the seals say no: somebody changed the columns.
            damagedRows += 1
            return false
        }
        return selection.either.entries.allSatisfy { entry in
            certificate[entry.attribute] == entry.value || key[entry.attribute] == entry.value
        }
    }

    private func record(
        _ rowID: Int64, _ selection: Selection, _ now: () -> Double
    ) throws(StoreError) -> AttributeList? {
        try withRow(rowID, selection.table) { (row) throws(StoreError) in
            unsafe try opened(row, selection, now)?.record
        } ?? nil
    }

    private func half(
        _ rowID: Int64, _ selection: Selection, _ wanted: Wanted, _ now: () -> Double
    ) throws(StoreError) -> FoundItem? {
        try withRow(rowID, selection.table) { (row) throws(StoreError) in
            guard let opened = try unsafe opened(row, selection, now) else { return nil }
            return try unsafe foundItem(row, opened, selection, wanted)
        } ?? nil
    }

    /// The looks that answer a predicate about identities.
    func identitySelections<Request>(
        of predicate: ItemPredicate, _ authorized: Authorized<Request>
    ) -> [IdentitySelection] {
        let scope = authorized.scope
        let reach = authorized.reach
        guard case .items(let designations) = predicate.restriction else {
            return [IdentitySelection(predicate, scope: scope, reach: reach)]
        }
        return designations.compactMap { designation in
            switch designation {
            case .persistent(.identity(let id)):
                return IdentitySelection(predicate, scope: scope, reach: reach, id: id)
            case .identity(let certificate, let key):
                return IdentitySelection(predicate, scope: scope, reach: reach, own: (certificate, key))
            case .persistent, .content: return nil
            }
        }
    }

    /// The pairs of rows that a look finds; their seals were not looked at yet.
    func pairs(_ selection: IdentitySelection) throws(StoreError) -> [IdentityRows] {
        var pairs: [IdentityRows] = []
        try forEachPair(selection) { (rows) throws(StoreError) in
            pairs.append(rows)
            return true
        }
        return pairs
    }

    /// Visits the pairs of rows that a look finds, until `visit` says false.
    private func forEachPair(
        _ selection: IdentitySelection, _ visit: (IdentityRows) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard !selection.isImpossible else { return }
        let values: [ColumnValue]
        do throws(SealingError) { values = try selection.values(bench: bench) } catch { throw StoreError(error) }
        let statement = try bound(try join(selection.shape), values)
        defer { statement.reset() }
        while try step(statement) {
            let rows = IdentityRows(certificate: statement.int64(0), key: statement.int64(1))
            guard try visit(rows) else { return }
        }
    }

    /// Runs a reading of several statements on one state of the database.
    private func atOneMoment<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(SQLiteError) { try connection.beginReading() } catch { throw .sqlite(error) }
        // Nothing was written that could be lost.
        defer { connection.rollback() }
        do throws(SQLiteError) { _ = try connection.userVersion() } catch { throw .sqlite(error) }
        try checkKeybag()
        return try body()
    }

    /// Lends one row by its number; nil when it is not there.
    func withRow<Result>(
        _ rowID: Int64, _ table: ItemTable, _ body: (RowReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        let statement = try cached(\.rows, table.itemClass) {
            "select \(RowReader.columns) from \(table.name) where rowid = ?"
        }
        defer { statement.reset() }
        do throws(SQLiteError) { try statement.bind(rowID, at: 1) } catch { throw .sqlite(error) }
        guard try step(statement) else { return nil }
        return try body(reader(statement, table))
    }

    /// The certificates that have the public half of a key.
    func certificates(ofKey rowID: Int64) throws(StoreError) -> [Int64] {
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                """
                select c.rowid from cert c join keys k on c.pkhh = k.klbl \
                where k.rowid = ? and c.tomb = 0 and c.pkhh <> x''
                """)
            defer { statement.reset() }
            try statement.bind(rowID, at: 1)
            var rows: [Int64] = []
            while try statement.step() { rows.append(statement.int64(0)) }
            return rows
        } catch { throw .sqlite(error) }
    }
}
