// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest

extension StoreLane {
    /// Changes every item the request is about, all or none.
    package func update(_ authorized: Authorized<UpdateRequest>, at moment: Moment) throws(StoreError) {
        let request = authorized.request
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            try refuseIdentities(authorized)
            throw .notFound
        }
        try write { () throws(StoreError) in
            // All are read before the first is written: a statement must not walk rows that change under it.
            let items = try items(authorized.request.predicate, itemClass, authorized.scope, moment)
            guard !items.isEmpty else { throw .notFound }
            for (rowID, item) in items {
                try update(item, at: rowID, with: request, moment)
            }
        }
    }

    private func items(
        _ predicate: ItemPredicate, _ itemClass: ItemClass, _ scope: GroupFilter, _ moment: Moment
    ) throws(StoreError) -> [(rowID: Int64, item: Item)] {
        let now = { moment.now }
        var items: [(rowID: Int64, item: Item)] = []
        for selection in try selections(of: predicate, itemClass, scope) {
            try unsafe forEachRow(selection, now) { (row, opened) throws(StoreError) in
                do throws(SealingError) {
                    guard try unsafe row.hasDigest(askedBy: predicate, opened, with: bench) else { return true }
                    unsafe items.append((row.rowID, try row.item(of: opened, with: bench)))
                } catch { try skip(error) }
                return true
            }
        }
        return items
    }

    private func update(
        _ old: Item, at rowID: Int64, with request: UpdateRequest, _ moment: Moment
    ) throws(StoreError) {
        var item = try old.changed(by: request.changes)
        item.attributes[.modificationDate] = .date(moment.later(than: old.date(.modificationDate)))
        let moved = !item.hasSameIdentity(as: old)
        let leavesTombstone = moved && !old.isTombstone && request.tombstones.applies(to: old)
        var tombstone: Item?
        if leavesTombstone {
            // Other devices know the item by its sync identity: that one dies with the old key.
            guard let fresh = moment.identifiers() else { throw .sealing(.crypto(.randomnessUnavailable)) }
            tombstone = old.tombstone(at: moment.later(than: old.date(.modificationDate)))
            tombstone?.id = fresh.persistent
            item.syncID = fresh.sync
        }
        if try !replace(rowID: rowID, with: item) {
            switch try occupant(of: item) {
            case .live, nil: throw .duplicate
            case .tombstone(let taken, _): try remove(rowID: taken, from: ItemTable.of(item.itemClass))
            case .damaged(let taken):
                try quarantine(rowID: taken, from: ItemTable.of(item.itemClass), at: moment.now)
            }
            guard try replace(rowID: rowID, with: item) else { throw .duplicate }
        }
        if let tombstone, try !insert(tombstone) { throw .duplicate }
    }
}

extension TombstonePolicy {
    /// Whether an item that leaves its place leaves a tombstone there.
    func applies(to item: Item) -> Bool {
        switch self {
        case .whenSynchronizable: item.isSynchronizable
        case .always: true
        case .never: false
        }
    }
}

extension Item {
    /// The item as an update wants it; the modification date is still the old one.
    fileprivate func changed(by changes: ItemChanges) throws(StoreError) -> Item {
        var item = self
        for entry in changes.attributes.entries { item.attributes[entry.attribute] = entry.value }
        if item.attributes[.viewHint] == .emptyString { item.attributes[.viewHint] = nil }
        if case .named(let group)? = changes.group { item.attributes[.accessGroup] = .string(group) }
        if let accessControl = changes.accessControl {
            item.accessControl = accessControl
            item.attributes[.accessible] = .string(accessControl.protection.name)
        }
        if let isSynchronizable = changes.isSynchronizable {
            item.attributes[.synchronizable] = .number(isSynchronizable ? 1 : 0)
        }
        let changesReach = changes.isSynchronizable != nil || changes.accessControl != nil
        if changesReach, item.isSynchronizable {
            // Either side of the pair may have changed (decision D9).
            do throws(KeychainError) { try SynchronizableRule.check(item.accessControl) } catch {
                throw .synchronizableThisDeviceOnly
            }
        }
        if item.accessControl.isConstrained { throw .constraintUnavailable }
        if let secret = changes.secret { item.secret = secret }
        return item
    }
}
