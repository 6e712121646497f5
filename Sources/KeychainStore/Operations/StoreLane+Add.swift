// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest

extension StoreLane {
    /// Stores an item in a transaction of its own; when this returns, the item survives a power cut.
    package func add(_ authorized: Authorized<AddRequest>, at moment: Moment) throws(StoreError) -> FoundItem {
        guard var item = Item(authorized, at: moment) else { throw .sealing(.crypto(.randomnessUnavailable)) }
        guard !item.accessControl.isConstrained else { throw .constraintUnavailable }
        if item.isSynchronizable, item.accessControl.protection.isThisDeviceOnly {
            throw .synchronizableThisDeviceOnly
        }
        return try write { () throws(StoreError) in
            try settle(&item, at: moment)
            return FoundItem(item)
        }
    }

    private func settle(_ item: inout Item, at moment: Moment) throws(StoreError) {
        if try insert(item) { return }
        switch try occupant(of: item) {
        case .live: throw .duplicate
        case .tombstone(let rowID, let tombstone):
            // The item comes back: whoever held its reference finds it again, and it is later than its deletion.
            item.id = tombstone.id
            item.syncID = tombstone.syncID
            let date = moment.later(than: tombstone.date(.modificationDate))
            item.attributes[.modificationDate] = .date(date)
            guard try replace(rowID: rowID, with: item) else { throw .duplicate }
        case .damaged(let rowID):
            try quarantine(rowID: rowID, from: ItemTable.of(item.itemClass), at: moment.now)
            guard try insert(item) else { throw .duplicate }
        // The key is free and the reference was taken: sixteen random bytes do not repeat by accident.
        case nil: throw .duplicate
        }
    }
}

extension Item {
    /// The item an Add describes, with the defaults of semantics §2.4 written out.
    fileprivate init?(_ authorized: Authorized<AddRequest>, at moment: Moment) {
        let request = authorized.request
        guard let identifiers = moment.identifiers(), case .only(let groups) = authorized.scope,
            let group = groups.first
        else { return nil }
        let accessControl: AccessControl
        switch request.protection {
        case .accessControl(let given): accessControl = given
        case .byClassAndGroup:
            accessControl = AccessControl(protection: Item.defaultProtection(of: request.itemClass, in: group))
        }
        var attributes = AttributeList(reservingCapacity: request.attributes.entries.count + 10)
        for entry in request.attributes.entries {
            switch entry.attribute {
            // Ours to say.
            case .creationDate, .modificationDate, .multiUser, .digest, .tokenID: continue
            case .viewHint where entry.value == .emptyString: continue
            default: attributes.append(unchecked: entry.attribute, entry.value)
            }
        }
        for part in ItemIdentity.parts(of: request.itemClass) where !attributes.contains(part.attribute) {
            attributes.append(unchecked: part.attribute, part.absent)
        }
        attributes.append(unchecked: .creationDate, .date(moment.now))
        attributes.append(unchecked: .modificationDate, .date(moment.now))
        attributes.append(unchecked: .accessGroup, .string(group.name))
        attributes.append(unchecked: .accessible, .string(accessControl.protection.name))
        attributes.append(unchecked: .synchronizable, .number(request.isSynchronizable ? 1 : 0))
        attributes.append(unchecked: .tombstone, .number(request.isTombstone ? 1 : 0))
        attributes.append(unchecked: .multiUser, .emptyData)
        self.init(
            itemClass: request.itemClass, id: identifiers.persistent, syncID: identifiers.sync,
            attributes: attributes, accessControl: accessControl, secret: request.secret)
    }

    private static func defaultProtection(of itemClass: ItemClass, in group: AccessGroup) -> Accessibility {
        if group == .pushService { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }
}

extension FoundItem {
    /// What an Add hands back.
    fileprivate init(_ item: Item) {
        self.init(
            itemClass: item.itemClass, persistentID: item.id, attributes: item.attributes,
            accessControl: item.accessControl, secret: item.secret)
    }
}
