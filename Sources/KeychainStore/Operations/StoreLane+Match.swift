// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

extension StoreLane {
    /// Finds items in the order in which they were stored; opens no more of each than is asked for.
    package func match(
        _ authorized: Authorized<MatchRequest>, now: () -> Double
    ) throws(StoreError) -> [FoundItem] {
        damagedRows = 0
        let request = authorized.request
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            try refuseIdentities(authorized)
            throw .notFound
        }
        guard request.limit != .nothing else { throw .notFound }
        let predicate = request.predicate
        if case .none = predicate.restriction {
            let selection = Selection(
                predicate: predicate, table: ItemTable.of(itemClass), scope: authorized.scope, id: nil)
            return try match(selection, request, now)
        }
        var found: [(rowID: Int64, item: FoundItem)] = []
        for selection in try selections(of: predicate, itemClass, authorized.scope) {
            try match(selection, request, now, into: &found)
        }
        if found.count > 1 { found.sort { $0.rowID < $1.rowID } }
        guard !found.isEmpty else { throw .notFound }
        return found.prefix(request.limit.count).map(\.item)
    }

    /// What one look without references finds, in order.
    private func match(
        _ selection: Selection, _ request: MatchRequest, _ now: () -> Double
    ) throws(StoreError) -> [FoundItem] {
        var items: [FoundItem] = []
        if selection.shape.isPinned {
            // Nearly always there is one row, which needs no order.
            let wasOnly = try unsafe visitOnlyRow(selection, now) { (row, opened) throws(StoreError) in
                if let item = try unsafe foundItem(row, opened, selection, request) { items = [item] }
            }
            if wasOnly, items.isEmpty { throw .notFound }
            if wasOnly { return items }
            items = []
        }
        try unsafe forEachRow(selection.sorted, now) { (row, opened) throws(StoreError) in
            guard let item = try unsafe foundItem(row, opened, selection, request) else { return true }
            items.append(item)
            return items.count < request.limit.count
        }
        guard !items.isEmpty else { throw .notFound }
        return items
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

    /// Adds the one item a reference finds.
    private func match(
        _ selection: Selection, _ request: MatchRequest, _ now: () -> Double,
        into found: inout [(rowID: Int64, item: FoundItem)]
    ) throws(StoreError) {
        try unsafe forEachRow(selection, now) { (row, opened) throws(StoreError) in
            if let item = try unsafe foundItem(row, opened, selection, request) { found.append((row.rowID, item)) }
            return true
        }
    }

    /// What a request wants of an opened row; nil when the row turns out to be another, or damaged.
    private func foundItem(
        _ row: RowReader, _ opened: RowReader.Opened, _ selection: Selection, _ request: MatchRequest
    ) throws(StoreError) -> FoundItem? {
        var secret: OpenedSecret?
        do throws(SealingError) {
            guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: bench) else { return nil }
            if request.returning.contains(.data) {
                secret = try unsafe row.openSecret(
                    of: opened, with: bench, wantsDigest: request.returning.contains(.attributes))
            }
        } catch {
            try skip(error)
            return nil
        }
        let item = unsafe FoundItem(
            opened, itemClass: selection.table.itemClass, returning: request.returning, secret: secret)
        if item == nil { damagedRows += 1 }
        return item
    }

    /// Visits every row that is what the selection asks for, until `visit` says false.
    func forEachRow(
        _ selection: Selection, _ now: () -> Double,
        _ visit: (RowReader, RowReader.Opened) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try boundStatement(selection)
        defer { statement.reset() }
        let row = reader(statement, selection.table)
        var isFirst = true
        while try step(statement) {
            if isFirst { try checkKeybag() }
            isFirst = false
            guard let opened = try unsafe opened(row, selection, now) else { continue }
            guard try unsafe visit(row, opened) else { return }
        }
        if isFirst { try checkKeybag() }
    }

    /// Visits the row a selection finds, if it finds no more than one; false when there are more, and nothing that was
    /// visited counts.
    private func visitOnlyRow(
        _ selection: Selection, _ now: () -> Double,
        _ visit: (RowReader, RowReader.Opened) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let statement = try boundStatement(selection)
        defer { statement.reset() }
        let isThere = try step(statement)
        try checkKeybag()
        guard isThere else { return true }
        let row = reader(statement, selection.table)
        let damagedBefore = damagedRows
        var failure: StoreError?
        do throws(StoreError) {
            if let opened = try unsafe opened(row, selection, now) { try unsafe visit(row, opened) }
        } catch { failure = error }
        if try step(statement) {
            damagedRows = damagedBefore
            return false
        }
        if let failure { throw failure }
        return true
    }

    /// Opens a row if it is what the selection asks for.
    private func opened(
        _ row: RowReader, _ selection: Selection, _ now: () -> Double
    ) throws(StoreError) -> RowReader.Opened? {
        let opened: RowReader.Opened
        do throws(SealingError) { unsafe opened = try unsafe row.open(with: bench) } catch {
            try skip(error)
            return nil
        }
        guard unsafe selection.accepts(opened.record) else {
            // The columns said yes and the seal says no: somebody changed the columns.
            damagedRows += 1
            return nil
        }
        return unsafe selection.passesFilters(opened.record, now: now) ? opened : nil
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
