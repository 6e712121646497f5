// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

extension StoreLane {
    /// Finds items in the order in which they were stored; opens no more of each than is asked for.
    package func match(_ authorized: Authorized<MatchRequest>) throws(StoreError) -> [FoundItem] {
        damagedRows = 0
        let request = authorized.request
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            try refuseIdentities(authorized)
            throw .notFound
        }
        guard request.limit != .nothing else { throw .notFound }
        var found: [(rowID: Int64, item: FoundItem)] = []
        var isOrdered = true
        for selection in try selections(of: request.predicate, itemClass, authorized.scope) {
            try match(selection, request, into: &found)
            isOrdered = !selection.shape.isPinned
        }
        if !isOrdered, found.count > 1 { found.sort { $0.rowID < $1.rowID } }
        guard !found.isEmpty else { throw .notFound }
        return found.prefix(request.limit.count).map(\.item)
    }

    /// The looks that answer a predicate: one, or one for each reference of an item list.
    func selections(
        of predicate: ItemPredicate, _ itemClass: ItemClass, _ scope: GroupFilter
    ) throws(StoreError) -> [Selection] {
        let table = ItemTable.of(itemClass)
        func selection(_ id: PersistentID?) -> Selection {
            Selection(predicate: predicate, table: table, scope: scope, id: id)
        }
        switch predicate.restriction {
        case .none: return [selection(nil)]
        case .reference(.item(_, let id)): return [selection(id)]
        case .reference: return []
        case .list(let references):
            var seen: Set<PersistentID> = []
            return references.compactMap { reference in
                guard case .item(_, let id) = reference, seen.insert(id).inserted else { return nil }
                return selection(id)
            }
        }
    }

    private func match(
        _ selection: Selection, _ request: MatchRequest, into found: inout [(rowID: Int64, item: FoundItem)]
    ) throws(StoreError) {
        // What is not ordered yet has to be seen whole.
        let limit = selection.shape.isPinned ? Int.max : request.limit.count
        try unsafe forEachRow(selection) { (row, opened) throws(StoreError) in
            var secret: OpenedSecret?
            do throws(SealingError) {
                guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: bench) else { return true }
                if request.returning.contains(.data) {
                    secret = try unsafe row.openSecret(
                        of: opened, with: bench, wantsDigest: request.returning.contains(.attributes))
                }
            } catch {
                try skip(error)
                return true
            }
            guard
                let item = unsafe FoundItem(
                    opened, itemClass: selection.table.itemClass, returning: request.returning, secret: secret)
            else {
                damagedRows += 1
                return true
            }
            found.append((row.rowID, item))
            return found.count < limit
        }
    }

    /// Visits every row that is what the selection asks for, until `visit` says false.
    func forEachRow(
        _ selection: Selection, _ visit: (RowReader, RowReader.Opened) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try boundStatement(selection)
        defer { statement.reset() }
        let row = reader(statement, selection.table)
        var isFirst = true
        while try step(statement) {
            if isFirst { try checkKeybag() }
            isFirst = false
            let opened: RowReader.Opened
            do throws(SealingError) { unsafe opened = try unsafe row.open(with: bench) } catch {
                try skip(error)
                continue
            }
            guard unsafe selection.accepts(opened.record) else {
                // The columns said yes and the seal says no: somebody changed the columns.
                damagedRows += 1
                continue
            }
            guard unsafe selection.passesFilters(opened.record) else { continue }
            guard try unsafe visit(row, opened) else { return }
        }
        if isFirst { try checkKeybag() }
    }

    /// The statement that looks for a selection's rows, ready to step.
    ///
    /// Whoever takes it resets it.
    func boundStatement(_ selection: Selection) throws(StoreError) -> Statement {
        let statement = try select(selection.shape)
        let values: [ColumnValue]
        do throws(SealingError) { values = try selection.values(bench: bench) } catch { throw StoreError(error) }
        do throws(SQLiteError) {
            for index in values.indices { try values[index].bind(to: statement, at: index + 1) }
        } catch {
            statement.reset()
            throw .sqlite(error)
        }
        return statement
    }

    func step(_ statement: Statement) throws(StoreError) -> Bool {
        do throws(SQLiteError) { return try statement.step() } catch { throw .sqlite(error) }
    }

    /// Passes over a row that cannot be read, or ends the request where the reason is not the row's own.
    func skip(_ error: SealingError) throws(StoreError) {
        guard error == .undecodable else { throw StoreError(error) }
        damagedRows += 1
    }

    /// Identities are a join of certificates and keys, which comes with references to them; until then a query finds
    /// nothing when there is nothing, and says that it cannot when there is something.
    func refuseIdentities<Request>(_ authorized: Authorized<Request>) throws(StoreError) {
        let statement: Statement
        do throws(SQLiteError) {
            statement = try connection.prepare(
                "select k.agrp, c.agrp from keys k join cert c on c.pkhh = k.klbl where k.priv = 1")
        } catch { throw .sqlite(error) }
        defer { statement.reset() }
        while try step(statement) {
            if authorized.scope.contains(statement.text(0)), authorized.scope.contains(statement.text(1)) {
                throw .identitiesUnavailable
            }
        }
    }
}

extension FoundItem {
    init?(_ opened: RowReader.Opened, itemClass: ItemClass, returning: ReturnTypes, secret: OpenedSecret?) {
        let wantsData = returning.contains(.data)
        guard
            unsafe returning.contains(.attributes) || returning.contains(.reference)
                || opened.record.contains(.accessControl)
        else {
            unsafe self.init(
                itemClass: itemClass, persistentID: opened.id, attributes: nil,
                accessControl: AccessControl(protection: opened.accessibility),
                secret: wantsData ? secret?.data : nil)
            return
        }
        guard
            let item = unsafe Item(
                record: opened.record, itemClass: itemClass, id: opened.id, accessibility: opened.accessibility)
        else { return nil }
        var attributes = item.attributes
        // The digest says something about the secret, so it goes only to those who see the secret.
        if wantsData, let digest = secret?.digest { attributes.append(unchecked: .digest, .data(digest)) }
        unsafe self.init(
            itemClass: itemClass, persistentID: opened.id, attributes: attributes, accessControl: item.accessControl,
            secret: wantsData ? secret?.data : nil)
    }
}
