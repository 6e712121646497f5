// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Brings items of a backup back: under their references, with their dates, all or none.
struct Restoring {
    private let connection: StoreConnection
    private let writer: RowWriter
    private let history: History
    private let request: RestoreRequest
    private let scope: GroupFilter
    private let moment: WriteContext

    init(_ connection: StoreConnection, _ request: RestoreRequest, _ scope: GroupFilter, at moment: WriteContext) {
        self.connection = connection
        writer = RowWriter(connection)
        history = History(connection: connection)
        (self.request, self.scope, self.moment) = (request, scope, moment)
    }

    /// What became of each, and how many others were removed.
    func restore() throws(StoreError) -> ([RestoreOutcome], removed: Int) {
        try connection.write(at: moment.now, isRehearsal: request.isRehearsal) { () throws(StoreError) in
            var outcomes: [RestoreOutcome] = []
            for found in request.items { outcomes.append(try restore(found)) }
            guard request.replaces, request.isWhole else { return (outcomes, 0) }
            let kept = Set(request.items.map(\.persistentID))
            return (outcomes, try Restoring.removeOthers(than: kept, connection, scope, at: moment))
        }
    }

    private func restore(_ found: FoundItem) throws(StoreError) -> RestoreOutcome {
        guard var item = try Item(restoring: found, moment), scope.contains(item.group) else { return .refused }
        // By its reference first: it may have another name by now.
        switch try history.holder(of: found.persistentID, in: found.itemClass) {
        case .item(let rowID, let local): return try settle(&item, over: local, in: rowID, found)
        // A restore is for just that: the readable one takes its place, and the bytes are kept.
        case .damaged(let rowID):
            try writer.quarantine(rowID: rowID, from: ItemTable.of(found.itemClass), at: moment.now)
        case nil: break
        }
        switch try writer.occupant(of: item) {
        case nil:
            guard try writer.insert(item) else { return .refused }
            connection.notes.note(.added, item)
            return .added
        case .damaged(let rowID):
            try writer.quarantine(rowID: rowID, from: ItemTable.of(item.itemClass), at: moment.now)
            guard try writer.insert(item) else { return .refused }
            connection.notes.note(.added, item)
            return .added
        case .live(let rowID, let local), .tombstone(let rowID, let local):
            return try settle(&item, over: local, in: rowID, found)
        }
    }

    /// Decides between an item and the one that is in its place.
    private func settle(
        _ item: inout Item, over local: Item, in rowID: Int64, _ found: FoundItem
    ) throws(StoreError) -> RestoreOutcome {
        // What demands somebody is not decided over in their absence, and is in no backup.
        guard local.accessControl.rules == nil, scope.contains(local.group), !local.isKeptKey, !local.isOfCircle else {
            return .kept
        }
        let isForced = request.replaces && !local.isSynchronizable && !item.isSynchronizable
        // What is made what it was gets the reference that it had, by which it is told from what has to go.
        let isSame = local.hasSameContent(as: item) && (!isForced || local.id == item.id)
        if isSame, !local.isTombstone { return .same }
        if !isForced, try item.precedence(over: local) != .stays { return .kept }
        try history.keep(local, in: rowID, .changed, at: moment.now)
        // Who holds its reference, here or on another device, goes on finding it.
        if !isForced { item.id = local.id }
        item.syncID = local.syncID
        item.circle = CircleFacts(secretGeneration: CircleFacts.oldestGeneration, later: local.circle.later)
        guard try writer.replace(rowID: rowID, with: item) else { return .refused }
        connection.notes.note(local.isTombstone ? .added : .updated, item)
        return local.isTombstone ? .added : .changed
    }

    /// Removes what a backup would have and this one has not: items that are not synchronized, may leave, and demand nobody;
    /// returns how many.
    static func retain(
        _ kept: Set<PersistentID>, _ connection: StoreConnection, _ scope: GroupFilter, isRehearsal: Bool,
        at moment: WriteContext
    ) throws(StoreError) -> Int {
        try connection.write(at: moment.now, isRehearsal: isRehearsal) { () throws(StoreError) in
            try removeOthers(than: kept, connection, scope, at: moment)
        }
    }

    private static func removeOthers(
        than kept: Set<PersistentID>, _ connection: StoreConnection, _ scope: GroupFilter, at moment: WriteContext
    ) throws(StoreError) -> Int {
        let (writer, history) = (RowWriter(connection), History(connection: connection))
        var count = 0
        for itemClass in ItemClass.allCases {
            let table = ItemTable.of(itemClass)
            for (rowID, item) in try going(kept, table, connection, scope) {
                try history.keep(item, in: rowID, .removed, at: moment.now)
                try writer.remove(rowID: rowID, from: table)
                connection.notes.note(.deleted, item)
                count += 1
            }
        }
        return count
    }

    private static func going(
        _ kept: Set<PersistentID>, _ table: ItemTable, _ connection: StoreConnection, _ scope: GroupFilter
    ) throws(StoreError) -> [(Int64, Item)] {
        let statement = try translating { () throws(SQLiteError) in
            try connection.sqlite.prepare(
                "select \(RowReader.columns) from \(table.name) where sync = 0 and tomb = 0 order by rowid")
        }
        defer { statement.reset() }
        let row = connection.reader(statement, table)
        var going: [(Int64, Item)] = []
        while try statement.nextRow() {
            guard let id = row.id, !kept.contains(id), scope.contains(row.group) else { continue }
            let item: Item
            do throws(SealingError) {
                item = try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
            } catch {
                // Nothing is deleted because it could not be read.
                guard error == .undecodable else { throw StoreError(error) }
                continue
            }
            if item.isInBackups { going.append((row.rowID, item)) }
        }
        return going
    }
}

extension Item {
    /// Whether a backup made here would have it.
    fileprivate var isInBackups: Bool {
        accessControl.rules == nil && accessControl.protection != .whenPasscodeSetThisDeviceOnly && tokenID.isEmpty
            && !isKeptKey && !isOfCircle
    }

    /// Whether the keychain keeps it of its circle: what a file says of that would be somebody else's, or old.
    fileprivate var isOfCircle: Bool { group.hasSameBytes(as: AccessGroup.sync.name) }

    /// The item that a backup says there was; nil of one that no backup of ours has.
    fileprivate init?(restoring found: FoundItem, _ moment: WriteContext) throws(StoreError) {
        guard let given = found.attributes, found.accessControl.rules == nil,
            case .string(let accessible)? = given[.accessible], let protection = Accessibility(name: accessible),
            case .string(let name)? = given[.accessGroup], let group = AccessGroup(name), group != .token,
            case .date? = given[.modificationDate], case .date? = given[.creationDate]
        else { return nil }
        var attributes = AttributeList(reservingCapacity: given.entries.count)
        for entry in given.entries {
            guard entry.attribute.isKnown(to: found.itemClass) else { return nil }
            // The digest is taken anew.
            if entry.attribute != .digest { attributes.append(unchecked: entry.attribute, entry.value) }
        }
        guard let identifiers = moment.identifiers() else { throw .sealing(.crypto(.randomnessUnavailable)) }
        self.init(
            itemClass: found.itemClass, id: found.persistentID, syncID: identifiers.sync, attributes: attributes,
            accessControl: AccessControl(protection: protection), secret: found.secret)
        guard isInBackups, !isTombstone, attributes[.multiUser] == .emptyData,
            !isSynchronizable || !protection.isThisDeviceOnly
        else { return nil }
    }

    fileprivate func hasSameContent(as other: Item) -> Bool {
        guard attributes.entries.count == other.attributes.entries.count else { return false }
        for entry in attributes.entries where other.attributes[entry.attribute] != entry.value { return false }
        switch (secret, other.secret) {
        case (nil, nil): return true
        case (let mine?, let theirs?): return mine.isEqualInConstantTime(to: theirs)
        default: return false
        }
    }
}
