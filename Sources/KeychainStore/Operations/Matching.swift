// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Finds items in the order in which they were stored; opens no more of each than is asked for.
struct Matching {
    private let rows: RowAccess
    private let wanted: Wanted

    init(_ connection: StoreConnection, _ request: MatchRequest, _ wanted: Wanted, _ now: @escaping () -> Double) {
        rows = RowAccess(connection, filteringFor: request.predicate, now)
        self.wanted = wanted
    }

    /// At least one result, or an error that says why there is none.
    func find(_ authorized: Authorized<MatchRequest>) throws(StoreError) -> [Found] {
        let request = authorized.request
        guard request.limit != .nothing else { throw .notFound }
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            return try Identities(rows: rows).find(authorized, wanted)
        }
        if case .items = request.predicate.restriction {
            return try findWhatIsThere { () throws(StoreError) in try findDesignated(authorized, itemClass) }
        }
        let selection = Selection(
            predicate: request.predicate, table: ItemTable.of(itemClass), scope: authorized.scope,
            reach: authorized.reach, id: nil)
        if selection.shape.isPinned, rows.filters == nil, !wanted.returning.contains(.damaged),
            let found = try findByUniqueKey(selection)
        {
            return [.item(found)]
        }
        return try findWhatIsThere { () throws(StoreError) in try findEach(selection, request.limit) }
    }

    /// The usual find: one class by its whole unique key, without filters and without a list of what is damaged.
    ///
    /// Nearly always there is one row, which needs no order. Throws `notFound` when there is none; nil when there are several, or
    /// a page is damaged: the general way then finds them in order, and nothing that was counted or noted here counts.
    private func findByUniqueKey(_ selection: Selection) throws(StoreError) -> FoundItem? {
        let earlierEvents = rows.notes.events?.count ?? 0
        let statement = try rows.boundStatement(selection)
        defer { statement.reset() }
        let isThere: Bool
        do throws(StoreError) { isThere = try statement.nextRow() } catch {
            guard error.isDamagedPage else { throw error }
            return nil
        }
        try rows.connection.checkKeybag()
        guard isThere else { throw .notFound }
        let row = rows.connection.reader(statement, selection.table)
        var found: FoundItem?
        var failure: StoreError?
        do throws(StoreError) {
            if let opened = try unsafe rows.opened(row, selection) {
                found = try unsafe rows.foundItem(row, opened, selection, wanted)
            }
        } catch { failure = error }
        let isAlone: Bool
        do throws(StoreError) { isAlone = try !statement.nextRow() } catch {
            guard error.isDamagedPage else { throw error }
            isAlone = false
        }
        if !isAlone {
            rows.notes.beginAgain(keeping: earlierEvents)
            return nil
        }
        if let failure { throw failure }
        guard let found else { throw .notFound }
        return found
    }

    // MARK: The general way

    /// What a look found, and why rows may be missing in it.
    private typealias Look = (found: [Found], loss: StoreError?)

    /// What a look finds, and behind it what is damaged, where the request asks for that; at least one of them.
    private func findWhatIsThere(_ look: () throws(StoreError) -> Look) throws(StoreError) -> [Found] {
        var (found, loss): Look = ([], nil)
        if wanted.returning.contains(.damaged) {
            let damaged = try rows.notes.listingDamage { () throws(StoreError) in (found, loss) = try look() }
            for item in damaged { found.append(.damaged(item)) }
        } else {
            (found, loss) = try look()
        }
        // What was looked for may lie on a page that cannot be read, so it is not known to be missing.
        guard !found.isEmpty else { throw loss ?? .notFound }
        return found
    }

    /// What one look without references finds, in order.
    private func findEach(_ selection: Selection, _ limit: MatchLimit) throws(StoreError) -> Look {
        var items: [Found] = []
        let loss = try unsafe rows.forEachReadableRow(selection.sorted) { (row, opened) throws(StoreError) in
            guard let item = try unsafe rows.foundItem(row, opened, selection, wanted) else { return true }
            items.append(.item(item))
            return items.count < limit.count
        }
        return (items, loss)
    }

    /// What is found of the items that a request names, each once and all in the order in which they were stored.
    private func findDesignated(
        _ authorized: Authorized<MatchRequest>, _ itemClass: ItemClass
    ) throws(StoreError) -> Look {
        var found: [Int64: Found] = [:]
        var loss: StoreError?
        for selection in Selection.all(for: authorized.request.predicate, itemClass, authorized) {
            let missing = try unsafe rows.forEachReadableRow(selection) { (row, opened) throws(StoreError) in
                let rowID = row.rowID
                guard found[rowID] == nil, let item = try unsafe rows.foundItem(row, opened, selection, wanted) else {
                    return true
                }
                found[rowID] = .item(item)
                return true
            }
            loss = loss ?? missing
        }
        return (found.sorted { $0.key < $1.key }.prefix(authorized.request.limit.count).map(\.value), loss)
    }
}

/// What a query wants of each item, and what was shown for it.
struct Wanted {
    let returning: ReturnTypes
    let shown: FactorSecrets
    /// What becomes of items that demand what was not shown.
    let unmet: UnmetDemands
    /// Whether there is room for so many bytes of what is found.
    var budget: (@Sendable (Int) -> AnswerBudget)?

    /// The same wish without the data.
    var withoutData: Wanted {
        Wanted(returning: returning.subtracting(.data), shown: shown, unmet: unmet, budget: budget)
    }
}

/// What becomes of items that demand what was not shown.
package enum UnmetDemands: Sendable {
    /// The demand is told, and the query ends with it.
    case told
    /// They are passed over, but for those that may open with what a program has given and what was not tried yet.
    case passedOver(unless: GivenCredentials)

    func passesOver(_ demand: Demand) -> Bool {
        guard case .passedOver(let given) = self else { return false }
        if demand.password != nil { return demand.isPasswordWrong || !given.contains(.password) }
        return !(given.contains(.passcode) && demand.ways.contains([.passcode]))
    }
}

/// What a program gave in a person's place.
package struct GivenCredentials: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let password = GivenCredentials(rawValue: 1)
    package static let passcode = GivenCredentials(rawValue: 2)
}

extension FoundItem {
    /// Whether flags say who may read it, so that its secret is sealed once more, for them.
    var isUnderRules: Bool { accessControl.rules != nil }

    /// The item with its secret as it was given; nil when it is to be passed over.
    func revealed(_ wanted: Wanted, _ keybag: UnlockedKeybag) throws(StoreError) -> FoundItem? {
        guard isUnderRules, let secret else { return self }
        do throws(StoreError) {
            return FoundItem(
                itemClass: itemClass, persistentID: persistentID, attributes: attributes,
                accessControl: accessControl,
                secret: try secret.revealed(
                    under: accessControl.constraint(on: .decrypt), accessControl, wanted.shown, keybag),
                keptKey: keptKey)
        } catch {
            switch error {
            case .demands(let demand) where wanted.unmet.passesOver(demand): return nil
            // An item that may not be read at all is not there for a query that takes what it can have.
            case .operationForbidden: if case .passedOver = wanted.unmet { return nil }
            default: break
            }
            throw error
        }
    }

    /// What a caller gets of an opened row; nil when the record contradicts itself.
    init?(_ opened: RowReader.Opened, of row: RowReader, returning: ReturnTypes, secret: OpenedSecret?) {
        let itemClass = row.table.itemClass
        guard
            unsafe returning.contains(.attributes) || returning.contains(.reference)
                || opened.record.contains(.accessControl) || (itemClass == .key && returning.contains(.data))
        else {
            unsafe self.init(
                itemClass: itemClass, persistentID: opened.id, attributes: nil,
                accessControl: AccessControl(protection: opened.accessibility), secret: secret?.data)
            return
        }
        guard let item = unsafe Item(opened, of: row) else { return nil }
        var attributes = item.attributes
        // The digest says something about the secret, so it goes only to those who see the secret.
        if returning.contains(.data), !item.isKeptKey, let digest = secret?.digest {
            attributes.append(unchecked: .digest, .data(digest))
        }
        self.init(item, attributes, secret: secret?.data, returning: returning)
    }

    /// What an Add hands back.
    init(_ item: Item, returning: ReturnTypes) {
        self.init(item, item.attributes, secret: item.secret, returning: returning)
    }

    /// The bytes of a key that may not leave stay here: a caller that wants a reference learns what is known of the key.
    private init(_ item: Item, _ attributes: AttributeList, secret: SecretValue?, returning: ReturnTypes) {
        let isUsedInside = item.isUsedInside && returning.contains(.reference)
        let isShown = !item.isKeptKey && (returning.contains(.data) || !isUsedInside)
        self.init(
            itemClass: item.itemClass, persistentID: item.id, attributes: attributes,
            accessControl: item.accessControl, secret: isShown ? secret : nil,
            keptKey: isUsedInside ? secret.flatMap { item.outline(of: $0) } : nil)
    }
}
