// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

extension StoreLane {
    /// Finds items in the order in which they were stored; opens no more of each than is asked for.
    package func match(
        _ authorized: Authorized<MatchRequest>, _ shown: FactorSecrets, unmet: UnmetDemands,
        room: (@Sendable (Int) -> AnswerRoom)? = nil, now: () -> Double
    ) throws(StoreError) -> [Found] {
        damagedRows = 0
        foundBytes = 0
        defer { if !knownIssuers.isEmpty { knownIssuers = [:] } }
        let request = authorized.request
        guard request.limit != .nothing else { throw .notFound }
        let wanted = Wanted(returning: request.returning, shown: shown, unmet: unmet, room: room)
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            return try matchIdentities(authorized, wanted, now)
        }
        guard request.returning.contains(.damaged) else {
            let found = try match(itemClass, authorized, wanted, now)
            guard !found.isEmpty else { throw .notFound }
            return found
        }
        damagedItems = [:]
        defer { damagedItems = nil }
        var found = try match(itemClass, authorized, wanted, now)
        found += (damagedItems ?? [:]).sorted { $0.key < $1.key }.map { .damaged($0.value) }
        guard !found.isEmpty else { throw .notFound }
        return found
    }

    /// What can be read of one class, perhaps nothing.
    private func match(
        _ itemClass: ItemClass, _ authorized: Authorized<MatchRequest>, _ wanted: Wanted, _ now: () -> Double
    ) throws(StoreError) -> [Found] {
        let request = authorized.request
        let predicate = request.predicate
        if case .none = predicate.restriction {
            let selection = Selection(
                predicate: predicate, table: ItemTable.of(itemClass), scope: authorized.scope, reach: authorized.reach,
                id: nil)
            return try match(selection, wanted, request.limit, now)
        }
        var found: [Int64: Found] = [:]
        for selection in selections(of: predicate, itemClass, authorized) {
            try match(selection, wanted, now, into: &found)
        }
        return found.sorted { $0.key < $1.key }.prefix(request.limit.count).map(\.value)
    }

    /// What one look without references finds, in order.
    private func match(
        _ selection: Selection, _ wanted: Wanted, _ limit: MatchLimit, _ now: () -> Double
    ) throws(StoreError) -> [Found] {
        var items: [Found] = []
        if selection.shape.isPinned {
            // Nearly always there is one row, which needs no order.
            let wasOnly = try unsafe visitOnlyRow(selection, now) { (row, opened) throws(StoreError) in
                if let item = try unsafe foundItem(row, opened, selection, wanted) {
                    items = [.item(item)]
                }
            }
            if wasOnly { return items }
            items = []
        }
        try unsafe forEachRow(selection.sorted, now) { (row, opened) throws(StoreError) in
            guard let item = try unsafe foundItem(row, opened, selection, wanted) else { return true }
            items.append(.item(item))
            return items.count < limit.count
        }
        return items
    }

    /// The looks that answer a predicate: one, or one for each item that is named.
    func selections<Request>(
        of predicate: ItemPredicate, _ itemClass: ItemClass, _ authorized: Authorized<Request>
    ) -> [Selection] {
        let table = ItemTable.of(itemClass)
        func selection(_ predicate: ItemPredicate, _ id: PersistentID?) -> Selection {
            Selection(
                predicate: predicate, table: table, scope: authorized.scope, reach: authorized.reach, id: id)
        }
        guard case .items(let designations) = predicate.restriction else {
            return [selection(predicate, nil)]
        }
        return designations.compactMap { designation in
            switch designation {
            case .persistent(.item(itemClass, let id)):
                return selection(predicate, id)
            case .content(itemClass, let attributes):
                var predicate = predicate
                for entry in attributes.entries where !predicate.attributes.contains(entry.attribute) {
                    predicate.attributes.append(unchecked: entry.attribute, entry.value)
                }
                return selection(predicate, nil)
            case .persistent, .content, .identity: return nil
            }
        }
    }

    /// Adds what one of several looks finds and none before did.
    private func match(
        _ selection: Selection, _ wanted: Wanted, _ now: () -> Double,
        into found: inout [Int64: Found]
    ) throws(StoreError) {
        try unsafe forEachRow(selection, now) { (row, opened) throws(StoreError) in
            let rowID = row.rowID
            guard found[rowID] == nil,
                let item = try unsafe foundItem(row, opened, selection, wanted)
            else { return true }
            found[rowID] = .item(item)
            return true
        }
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
            guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: bench) else { return nil }
        } catch {
            try skip(error, row, rest: unsafe rest(of: opened, itemClass, returning))
            return nil
        }
        if let room = wanted.room { try unsafe makeRoom(room, row.size(opened, withSecret: wantsSecret)) }
        var secret: OpenedSecret?
        do throws(SealingError) {
            if wantsSecret {
                secret = try unsafe row.openSecret(
                    of: opened, with: bench, wantsDigest: returning.contains(.attributes))
            } else if damagedItems != nil {
                // Who wants to know what is damaged wants to know it of what was not asked for, too.
                try unsafe row.examineSecret(of: opened, with: bench)
            }
        } catch {
            try skip(error, row, rest: unsafe rest(of: opened, itemClass, returning))
            return nil
        }
        let item = unsafe FoundItem(opened, itemClass: itemClass, returning: returning, secret: secret)
        guard let item else {
            passOver(row)
            return nil
        }
        do throws(StoreError) {
            let revealed = try item.revealed(wanted, keybag.keys)
            if revealed != nil { note(.found, row) }
            return revealed
        } catch {
            switch error {
            // A seal that nothing opens any more is its own item's damage, and no other's.
            case .sealing(.undecodable): passOver(row, rest: unsafe rest(of: opened, itemClass, returning))
            // Nothing is damaged: it is told to whoever asks what cannot be read, and to nobody else.
            case .boundToOtherFingers:
                if damagedItems != nil { passOver(row, rest: unsafe rest(of: opened, itemClass, returning)) }
            default: throw error
            }
            return nil
        }
    }

    /// Counts what is found before it is taken out of the database.
    private func makeRoom(_ room: (Int) -> AnswerRoom, _ bytes: Int) throws(StoreError) {
        foundBytes += bytes
        switch room(foundBytes) {
        case .enough: break
        case .tooLarge: throw .answerTooLarge
        case .taken: throw .noRoomForAnswer
        }
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
        let before = (damagedRows, damagedItems, foundBytes)
        var failure: StoreError?
        do throws(StoreError) {
            if let opened = try unsafe opened(row, selection, now) { try unsafe visit(row, opened) }
        } catch { failure = error }
        if try step(statement) {
            (damagedRows, damagedItems, foundBytes) = before
            return false
        }
        if let failure { throw failure }
        return true
    }

    /// Opens a row if it is what the selection asks for.
    func opened(
        _ row: RowReader, _ selection: Selection, _ now: () -> Double
    ) throws(StoreError) -> RowReader.Opened? {
        let opened: RowReader.Opened
        do throws(SealingError) { unsafe opened = try unsafe row.open(with: bench) } catch {
            try skip(error, row)
            return nil
        }
        guard unsafe selection.accepts(opened.record) else {
            // The columns said yes and the seal says no: somebody changed the columns.
            passOver(row)
            return nil
        }
        guard unsafe selection.passesFilters(opened.record, now: now),
            try unsafe passesCertificateFilters(selection, row, opened, now)
        else { return nil }
        return unsafe opened
    }

    /// The statement that looks for a selection's rows, ready to step.
    ///
    /// Whoever takes it resets it.
    func boundStatement(_ selection: Selection) throws(StoreError) -> Statement {
        let values: [ColumnValue]
        do throws(SealingError) { values = try selection.values(bench: bench) } catch { throw StoreError(error) }
        return try bound(try select(selection.shape), values)
    }

    func bound(_ statement: Statement, _ values: [ColumnValue]) throws(StoreError) -> Statement {
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
}
