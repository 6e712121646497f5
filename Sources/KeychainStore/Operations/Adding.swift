// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Stores items; an operation's transaction stores all of its items or none.
struct Adding {
    private let connection: StoreConnection
    private let rows: RowAccess
    private let writer: RowWriter
    private let shown: ShownFactors
    private let moment: WriteContext

    init(_ connection: StoreConnection, _ shown: ShownFactors, at moment: WriteContext) {
        self.connection = connection
        rows = RowAccess(connection)
        writer = RowWriter(connection)
        self.shown = shown
        self.moment = moment
    }

    func add(_ authorized: Authorized<AddRequest>) throws(StoreError) -> FoundItem {
        let request = authorized.request
        let item = try item(request, authorized.scope)
        return try connection.write(at: moment.now) { () throws(StoreError) in
            switch try settle(item, request.origin, authorized.scope) {
            case .stored where connection.mayMissChanges: throw .mayBeInKeptLog
            case .stored(let item): return FoundItem(item.holding(request.secret), returning: request.returning)
            // The very item that this request stored when it came first.
            case .wasThere(let other) where request.token != nil && other.syncID == item.syncID:
                return FoundItem(other.holding(request.secret), returning: request.returning)
            case .wasThere: throw .duplicate
            }
        }
    }

    func add(_ authorized: Authorized<AddAllRequest>) throws(StoreError) -> [Found] {
        let request = authorized.request
        return try connection.write(at: moment.now) { () throws(StoreError) in
            if connection.mayMissChanges { throw .mayBeInKeptLog }
            var found: [Found] = []
            for (entry, scopes) in zip(request.entries, authorized.entryScopes) {
                switch entry {
                case .item(let add):
                    let item = try item(add, scopes.first)
                    guard case .stored(let item) = try settle(item, add.origin, scopes.first) else {
                        throw .duplicate
                    }
                    found.append(.item(FoundItem(item.holding(add.secret), returning: request.returning)))
                case .identity(let certificate, let key):
                    found.append(try addIdentity(certificate, key, scopes, request.returning))
                }
            }
            return found
        }
    }

    /// One half may be there already, but not both (semantics §3.9).
    private func addIdentity(
        _ certificate: AddRequest, _ key: AddRequest, _ scopes: EntryScopes, _ returning: ReturnTypes
    ) throws(StoreError) -> Found {
        let certificateItem = try item(certificate, scopes.first)
        let keyItem = try item(key, scopes.second)
        let first = try settle(certificateItem, certificate.origin, scopes.first)
        let second = try settle(keyItem, key.origin, scopes.second)
        if case .wasThere = first, case .wasThere = second { throw .duplicate }
        return .identity(
            certificate: try told(first, certificate, returning.subtracting(.data)),
            key: try told(second, key, returning))
    }

    /// What an Add tells of one half: of what was there, no more than a query would.
    private func told(
        _ settled: Settled, _ request: AddRequest, _ returning: ReturnTypes
    ) throws(StoreError) -> FoundItem {
        switch settled {
        case .stored(let item): return FoundItem(item.holding(request.secret), returning: returning)
        case .wasThere(let item):
            let found = FoundItem(item, returning: returning)
            let wanted = Wanted(returning: returning, shown: shown.secrets, unmet: .told)
            return try found.revealed(wanted, connection.keybag.keys) ?? found
        }
    }

    private func item(_ request: AddRequest, _ scope: GroupFilter) throws(StoreError) -> Item {
        guard let item = Item(request, scope, at: moment) else {
            throw .sealing(.crypto(.randomnessUnavailable))
        }
        return try shown.sealing(item, with: connection.keybag.keys)
    }

    /// What became of an item that was to be stored.
    private enum Settled {
        case stored(Item)
        /// One with the same unique key is there, and stays.
        case wasThere(Item)
    }

    /// Tries the insert first, and looks at what is in the way only when the unique key is taken.
    private func settle(
        _ item: Item, _ origin: AddRequest.Origin, _ scope: GroupFilter
    ) throws(StoreError) -> Settled {
        if case .stored(let id) = origin {
            // Its bytes are not ours to copy: it is here already, or nothing can be done.
            guard let key = try StoredKey.find(id, scope, rows)?.item, item.isAnother(of: key) else {
                throw .keyMayNotLeave
            }
            return .wasThere(key)
        }
        var item = item
        if try writer.insert(item) {
            connection.notes.note(.added, item)
            return .stored(item)
        }
        switch try writer.occupant(of: item) {
        case .live(let rowID, let other):
            guard try shown.hasLost(other) else { return .wasThere(other) }
            try writer.quarantine(rowID: rowID, from: ItemTable.of(item.itemClass), at: moment.now)
            guard try writer.insert(item) else { throw .duplicate }
        case .tombstone(let rowID, let tombstone):
            // The item comes back: who held its reference finds it again, and it is later than its deletion.
            item.id = tombstone.id
            item.syncID = tombstone.syncID
            let date = moment.later(than: tombstone.date(.modificationDate))
            item.attributes[.modificationDate] = .date(date)
            guard try writer.replace(rowID: rowID, with: item) else { throw .duplicate }
        case .damaged(let rowID):
            try writer.quarantine(rowID: rowID, from: ItemTable.of(item.itemClass), at: moment.now)
            guard try writer.insert(item) else { throw .duplicate }
        // The key is free and the reference was taken: sixteen random bytes do not repeat by accident.
        case nil: throw .duplicate
        }
        connection.notes.note(.added, item)
        return .stored(item)
    }
}

extension Item {
    /// The item an Add describes, with the defaults of semantics §2.4 written out.
    fileprivate init?(_ request: AddRequest, _ scope: GroupFilter, at moment: WriteContext) {
        guard let identifiers = moment.identifiers(), case .only(let groups) = scope, let group = groups.first else {
            return nil
        }
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
        if request.itemClass == .certificate { attributes.normalizeIssuer() }
        if request.origin == .enclave {
            attributes.append(unchecked: .tokenID, .string(Item.enclaveToken))
            // Whatever the caller asked for.
            attributes[.isExtractable] = .number(0)
            attributes[.wasNeverExtractable] = .number(1)
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

    /// The item with its secret as the caller gave it, not as it was sealed.
    fileprivate func holding(_ secret: SecretValue?) -> Item {
        var item = self
        item.secret = secret
        return item
    }

    /// Whether storing this would make no other item than one that is there.
    fileprivate func isAnother(of stored: Item) -> Bool {
        var item = self
        item.attributes[.tokenID] = stored.attributes[.tokenID]
        return item.hasSameIdentity(as: stored)
    }

    /// The value of `kSecAttrTokenIDSecureEnclave`.
    static let enclaveToken = "com.apple.setoken"

    private static func defaultProtection(of itemClass: ItemClass, in group: AccessGroup) -> Accessibility {
        if group == .pushService { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }
}
