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

    func matchIdentities(
        _ authorized: Authorized<MatchRequest>, _ now: () -> Double
    ) throws(StoreError) -> [Found] {
        let request = authorized.request
        let selections = identitySelections(of: request.predicate, authorized)
        var found: [(rows: IdentityRows, identity: Found)] = []
        // Without references the one look yields its pairs in order, and the limit ends it.
        let isOneLook = selections.count == 1
        for selection in selections {
            for rows in try pairs(selection) where !found.contains(where: { $0.rows == rows }) {
                guard let identity = try identity(rows, selection, request.returning, now) else { continue }
                found.append((rows, identity))
                if isOneLook, found.count == request.limit.count { break }
            }
        }
        guard !found.isEmpty else { throw .notFound }
        found.sort { ($0.rows.certificate, $0.rows.key) < ($1.rows.certificate, $1.rows.key) }
        return found.prefix(request.limit.count).map(\.identity)
    }

    private func identity(
        _ rows: IdentityRows, _ selection: IdentitySelection, _ returning: ReturnTypes, _ now: () -> Double
    ) throws(StoreError) -> Found? {
        // The data of an identity is its key's.
        let ofCertificate = returning.subtracting(.data)
        guard let certificate = try half(rows.certificate, selection.certificate, ofCertificate, now),
            let key = try half(rows.key, selection.key, returning, now)
        else { return nil }
        return .identity(certificate: certificate, key: key)
    }

    private func half(
        _ rowID: Int64, _ selection: Selection, _ returning: ReturnTypes, _ now: () -> Double
    ) throws(StoreError) -> FoundItem? {
        try withRow(rowID, selection.table) { (row) throws(StoreError) in
            guard let opened = try unsafe opened(row, selection, now) else { return nil }
            return try unsafe foundItem(row, opened, selection, returning)
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
        let values: [ColumnValue]
        do throws(SealingError) { values = try selection.values(bench: bench) } catch { throw StoreError(error) }
        let statement = try bound(try join(selection.shape), values)
        defer { statement.reset() }
        var pairs: [IdentityRows] = []
        while try step(statement) {
            pairs.append(IdentityRows(certificate: statement.int64(0), key: statement.int64(1)))
        }
        try checkKeybag()
        return pairs
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

    /// Whether another certificate than this one has the public half of the key.
    func isKeyShared(_ rows: IdentityRows) throws(StoreError) -> Bool {
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                """
                select 1 from cert c join keys k on c.pkhh = k.klbl \
                where k.rowid = ? and c.rowid <> ? and c.tomb = 0 limit 1
                """)
            defer { statement.reset() }
            try statement.bind(rows.key, at: 1)
            try statement.bind(rows.certificate, at: 2)
            return try statement.step()
        } catch { throw .sqlite(error) }
    }
}
