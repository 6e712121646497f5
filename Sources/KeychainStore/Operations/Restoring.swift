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
    /// Items whose rows bear a mark while another takes their name; what they were is among the earlier versions.
    private var parked: Set<PersistentID> = []

    init(_ connection: StoreConnection, _ request: RestoreRequest, _ scope: GroupFilter, at moment: WriteContext) {
        self.connection = connection
        writer = RowWriter(connection)
        history = History(connection: connection)
        (self.request, self.scope, self.moment) = (request, scope, moment)
    }

    /// What became of each, and which others were removed.
    mutating func restore() throws(StoreError) -> ([RestoreOutcome], removed: RemovedItems) {
        var result: ([RestoreOutcome], removed: RemovedItems) = ([], RemovedItems())
        try connection.write(at: moment.now, isRehearsal: request.isRehearsal) { () throws(StoreError) in
            for found in request.items { result.0.append(try restore(found)) }
            guard request.replaces else { return }
            if request.isWhole {
                let kept = Set(request.items.map(\.persistentID))
                result.removed = try Restoring.removeOthers(than: kept, connection, scope, at: moment)
            }
            try restoreRefused(&result.0)
        }
        return result
    }

    /// Those whose names others had: some of these are gone by now, or have other names, and some have each other's.
    private mutating func restoreRefused(_ outcomes: inout [RestoreOutcome]) throws(StoreError) {
        var refused = outcomes.indices.filter { outcomes[$0] == .refused }
        while !refused.isEmpty {
            // The other way round each time: in a row of items that moved up, each waits for the one behind it.
            for index in refused.reversed() { outcomes[index] = try restore(request.items[index]) }
            let left = refused.reversed().filter { outcomes[$0] == .refused }
            if left.count == refused.count, try !park(left) { break }
            refused = left
        }
        // A keychain's own backup has no two items of one name; after another's, no item stays under a mark.
        for index in refused where parked.contains(request.items[index].persistentID) { throw .duplicate }
    }

    /// Has one of some items that have each other's names make room for the others; false where none do.
    private mutating func park(_ indices: [Int]) throws(StoreError) -> Bool {
        var waiting: [PersistentID: PersistentID] = [:]
        for index in indices {
            let found = request.items[index]
            guard let item = try Item(restoring: found, moment),
                case .live(_, let occupant)? = try writer.occupant(of: item)
            else { continue }
            waiting[found.persistentID] = occupant.id
        }
        for index in indices {
            let found = request.items[index]
            var last = waiting[found.persistentID]
            // It is reached again, or the way ends with an item that stays.
            for _ in indices where last != found.persistentID { last = last.flatMap { waiting[$0] } }
            guard last == found.persistentID, !parked.contains(found.persistentID),
                let (rowID, item) = try history.readable(found.persistentID, of: found.itemClass),
                !item.isSynchronizable, let mark = moment.identifiers()
            else { continue }
            try history.keep(item, in: rowID, .changed, at: moment.now)
            var marked = item
            marked.attributes[.viewHint] = .string("restored-\(mark.persistent.high)-\(mark.persistent.low)")
            guard try writer.replace(rowID: rowID, with: marked) else { continue }
            parked.insert(found.persistentID)
            return true
        }
        return false
    }

    private func restore(_ found: FoundItem) throws(StoreError) -> RestoreOutcome {
        guard var item = try Item(restoring: found, moment) else { return .refused }
        guard scope.contains(item.group) else { return .outOfReach }
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
        if !isForced, try item.precedence(over: local) != .stays { return local.isTombstone ? .staysRemoved : .kept }
        switch try writer.occupant(of: item) {
        // Nothing is kept of what does not change.
        case .live(let other, _)?, .tombstone(let other, _)?, .damaged(let other)?:
            if other != rowID { return .refused }
        case nil: break
        }
        if !parked.contains(local.id) { try history.keep(local, in: rowID, .changed, at: moment.now) }
        // Who holds its reference, here or on another device, goes on finding it.
        if !isForced { item.id = local.id }
        item.syncID = local.syncID
        item.circle = CircleFacts(secretGeneration: CircleFacts.oldestGeneration, later: local.circle.later)
        guard try writer.replace(rowID: rowID, with: item) else { return .refused }
        connection.notes.note(local.isTombstone ? .added : .updated, item)
        return local.isTombstone ? .added : .changed
    }

    /// Removes what a backup would have and this one has not: items that are not synchronized, may leave, and demand nobody;
    /// returns which.
    static func retain(
        _ kept: Set<PersistentID>, _ connection: StoreConnection, _ scope: GroupFilter, isRehearsal: Bool,
        at moment: WriteContext
    ) throws(StoreError) -> RemovedItems {
        try connection.write(at: moment.now, isRehearsal: isRehearsal) { () throws(StoreError) in
            try removeOthers(than: kept, connection, scope, at: moment)
        }
    }

    private static func removeOthers(
        than kept: Set<PersistentID>, _ connection: StoreConnection, _ scope: GroupFilter, at moment: WriteContext
    ) throws(StoreError) -> RemovedItems {
        let (writer, history) = (RowWriter(connection), History(connection: connection))
        var removed = RemovedItems()
        for itemClass in ItemClass.allCases {
            let table = ItemTable.of(itemClass)
            for (rowID, item) in try going(kept, table, connection, scope) {
                try history.keep(item, in: rowID, .removed, at: moment.now)
                try writer.remove(rowID: rowID, from: table)
                connection.notes.note(.deleted, item)
                removed.add(.item(itemClass, item.id))
            }
        }
        return removed
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
