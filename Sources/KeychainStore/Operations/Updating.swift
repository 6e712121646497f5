// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// Changes every item that a request is about, all or none.
struct Updating {
    private let connection: StoreConnection
    private let rows: RowAccess
    private let writer: RowWriter
    private let authorized: Authorized<UpdateRequest>
    private let shown: ShownFactors
    private let moment: WriteContext

    init(
        _ connection: StoreConnection, _ authorized: Authorized<UpdateRequest>, _ shown: ShownFactors,
        at moment: WriteContext
    ) {
        self.connection = connection
        rows = RowAccess(connection, filteringFor: authorized.request.predicate) { moment.now }
        writer = RowWriter(connection)
        self.authorized = authorized
        self.shown = shown
        self.moment = moment
    }

    /// Within the caller's transaction.
    func update() throws(StoreError) {
        // All are read before the first is written: a statement must not walk rows that change under it.
        var isAnyChanged = false
        for (rowID, item) in try itemsToUpdate() {
            do throws(StoreError) {
                try update(item, at: rowID)
                isAnyChanged = true
            } catch {
                // It cannot be opened by any person, so for a change it is not there (decision D28).
                guard case .boundToOtherFingers = error else { throw error }
            }
        }
        guard isAnyChanged else { throw .boundToOtherFingers }
    }

    // MARK: Reading

    /// An item as it was read, and the row it was read from.
    private typealias Read = (rowID: Int64, item: Item)

    /// At least one item, or none is changed.
    private func itemsToUpdate() throws(StoreError) -> [Read] {
        let predicate = authorized.request.predicate
        switch (predicate.queriedClass, predicate.restriction) {
        case (.stored(let itemClass), _):
            let items = try items(itemClass)
            guard !items.isEmpty else { throw .notFound }
            return items
        // Not the join: what matches as a certificate and what matches as a key, each by itself (semantics §3.9).
        case (.identity, .none):
            let certificates = try items(.certificate)
            let keys = try items(.key)
            guard !certificates.isEmpty, !keys.isEmpty else { throw .notFound }
            return certificates + keys
        case (.identity, .items): return try halves()
        }
    }

    private func items(_ itemClass: ItemClass) throws(StoreError) -> [Read] {
        let predicate = authorized.request.predicate
        var items: [Read] = []
        var seen: Set<Int64> = []
        for selection in Selection.all(for: predicate, itemClass, authorized) {
            try unsafe rows.forEachRow(selection) { (row, opened) throws(StoreError) in
                guard seen.insert(row.rowID).inserted else { return true }
                do throws(SealingError) {
                    guard try unsafe row.hasDigest(askedBy: predicate, opened, with: connection.sealer) else {
                        return true
                    }
                    unsafe items.append((row.rowID, try row.item(of: opened, with: connection.sealer)))
                } catch { try rows.passOverDamage(error, row) }
                return true
            }
        }
        return items
    }

    /// Both halves of every identity that is named, each once.
    private func halves() throws(StoreError) -> [Read] {
        let identities = Identities(rows: rows)
        var halves: [Read] = []
        var certificates: Set<Int64> = []
        var keys: Set<Int64> = []
        for selection in IdentitySelection.all(for: authorized.request.predicate, authorized) {
            for pair in try identities.pairs(selection) {
                guard try identities.isIdentity(pair, selection),
                    let certificate = try item(pair.certificate, selection.certificate),
                    let key = try item(pair.key, selection.key)
                else { continue }
                if certificates.insert(pair.certificate).inserted { halves.append((pair.certificate, certificate)) }
                if keys.insert(pair.key).inserted { halves.append((pair.key, key)) }
            }
        }
        guard !halves.isEmpty else { throw .notFound }
        return halves
    }

    private func item(_ rowID: Int64, _ selection: Selection) throws(StoreError) -> Item? {
        try rows.withRow(rowID, selection.table) { (row) throws(StoreError) -> Item? in
            guard let opened = try unsafe rows.opened(row, selection) else { return nil }
            do throws(SealingError) { return try unsafe row.item(of: opened, with: connection.sealer) } catch {
                try rows.passOverDamage(error, row)
                return nil
            }
        } ?? nil
    }

    // MARK: Writing

    private func update(_ old: Item, at rowID: Int64) throws(StoreError) {
        let request = authorized.request
        // Whatever is changed about an item that demands a person, the person has to be there (semantics §7.4).
        let open = try old.revealedForChange(shown.secrets, connection.keybag.keys)
        var item = try shown.sealing(try open.changed(by: request.changes), with: connection.keybag.keys)
        item.attributes[.modificationDate] = .date(moment.later(than: old.date(.modificationDate)))
        let tombstone = old.isTombstone ? nil : try item.leaving(old, request.tombstones, at: moment)
        try History(connection: connection).keep(old, in: rowID, .changed, at: moment.now)
        if try !writer.replace(rowID: rowID, with: item) {
            guard try writer.makesRoom(for: &item, at: moment), try writer.replace(rowID: rowID, with: item) else {
                throw .duplicate
            }
        }
        if let tombstone, try !writer.insert(tombstone) { throw .duplicate }
        // To callers that see one of its groups alone, it went or came.
        if item.group != old.group {
            connection.notes.note(.deleted, old)
            connection.notes.note(.added, item)
        } else {
            connection.notes.note(.updated, item)
        }
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
    /// The tombstone that stays where the item was before, if it leaves that place and is to leave one; then it gets another sync
    /// identity, for other devices know it by that, and that one dies with the old key.
    mutating func leaving(
        _ old: Item, _ tombstones: TombstonePolicy, at moment: WriteContext
    ) throws(StoreError) -> Item? {
        guard !hasSameIdentity(as: old), tombstones.applies(to: old) else { return nil }
        guard let fresh = moment.identifiers() else { throw .sealing(.crypto(.randomnessUnavailable)) }
        var tombstone = old.tombstone(at: moment.later(than: old.date(.modificationDate)))
        tombstone.id = fresh.persistent
        syncID = fresh.sync
        return tombstone
    }

    /// The item as an update wants it; the modification date is still the old one.
    fileprivate func changed(by changes: ItemChanges) throws(StoreError) -> Item {
        var item = self
        for entry in changes.attributes.entries { item.attributes[entry.attribute] = entry.value }
        if itemClass == .certificate { item.attributes.normalizeIssuer() }
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
            // Either side of the pair may have changed.
            do throws(KeychainError) { try SynchronizableRule.check(item.accessControl) } catch {
                throw .notSynchronizable
            }
        }
        if itemClass == .key { try checkKeptKey(becoming: item, changes) }
        if let secret = changes.secret {
            // One that is what it was is as old as it was.
            if let old = item.secret, !old.isEqualInConstantTime(to: secret) { item.circle.secretGeneration = 0 }
            item.secret = secret
        }
        if itemClass == .certificate { try checkAgreesWithCertificate(becoming: item, changes) }
        return item
    }

    /// References to a certificate, and identities, find its item by what the certificate says of itself; a change that
    /// says otherwise would hide it from them, and make room for a second item of the same certificate.
    ///
    /// An item whose bytes are no certificate has nothing to disagree with.
    private func checkAgreesWithCertificate(becoming changed: Item, _ changes: ItemChanges) throws(StoreError) {
        // With other bytes all of it counts; without, what is changed.
        let judged = Certificate.ownAttributes.filter { attribute in
            changes.secret != nil || changed.attributes[attribute] != attributes[attribute]
        }
        guard !judged.isEmpty, let secret = changed.secret, secret.count <= Certificate.largest,
            let certificate = unsafe secret.withUnsafeBytes({ bytes in unsafe Certificate(der: Array(bytes)) })
        else { return }
        let said = certificate.itemAttributes
        for attribute in judged where changed.attributes[attribute] != said[attribute] {
            throw .certificateDisagrees(attribute)
        }
    }

    /// A key that may not leave cannot be changed into one that may, and what an enclave made is not replaced.
    private func checkKeptKey(becoming changed: Item, _ changes: ItemChanges) throws(StoreError) {
        guard isKeptKey else { return }
        let old = KeyTerms(attributes, accessControl)
        let new = KeyTerms(changed.attributes, accessControl)
        guard old.isExtractable || !new.isExtractable, !old.isSensitive || new.isSensitive else {
            throw .keyMayNotLeave
        }
        guard tokenID.isEmpty || changes.secret == nil else { throw .keyMayNotLeave }
        // What an enclave made works on this device alone.
        guard tokenID.isEmpty || !changed.isSynchronizable else { throw .notSynchronizable }
        // What it is: as a key of another kind, or as the public half, its bytes would be read and told. Nothing else
        // stands between the two for kinds whose halves are of one size.
        let whatItIs: [Attribute] = [.keyClass, .type, .keySizeInBits, .effectiveKeySize]
        guard whatItIs.allSatisfy({ attributes[$0] == changed.attributes[$0] }) else { throw .keyMayNotLeave }
        guard new.denied.isSuperset(of: old.denied) else { throw .keyMayNotLeave }
    }
}
