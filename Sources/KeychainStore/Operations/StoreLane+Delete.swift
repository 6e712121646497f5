// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

extension StoreLane {
    /// Removes every item the request is about, all or none.
    ///
    /// A plain removal needs no key. Where the key is at hand the seal is looked at all the same, so that nobody makes
    /// us remove the wrong item by changing columns; a row that cannot be read goes to quarantine instead.
    package func delete(_ authorized: Authorized<DeleteRequest>, at moment: Moment) throws(StoreError) {
        let request = authorized.request
        guard case .stored(let itemClass) = request.predicate.queriedClass else {
            try refuseIdentities(authorized)
            throw .notFound
        }
        try write { () throws(StoreError) in
            var fates: [(rowID: Int64, fate: Fate)] = []
            for selection in try selections(of: request.predicate, itemClass, authorized.scope) {
                try judge(selection, request.tombstones, into: &fates)
            }
            guard !fates.isEmpty else { throw .notFound }
            let table = ItemTable.of(itemClass)
            for (rowID, fate) in fates {
                switch fate {
                case .removed: try remove(rowID: rowID, from: table)
                case .quarantined: try quarantine(rowID: rowID, from: table, at: moment.now)
                case .buried(let item):
                    let date = moment.later(than: item.date(.modificationDate))
                    guard try replace(rowID: rowID, with: item.tombstone(at: date)) else { throw .duplicate }
                }
            }
        }
    }

    /// What becomes of a row.
    private enum Fate {
        case removed
        case quarantined
        case buried(Item)
    }

    private func judge(
        _ selection: Selection, _ policy: TombstonePolicy, into fates: inout [(rowID: Int64, fate: Fate)]
    ) throws(StoreError) {
        let statement = try boundStatement(selection)
        defer { statement.reset() }
        let row = reader(statement, selection.table)
        while try step(statement) {
            if let fate = try fate(of: row, selection, policy) { fates.append((row.rowID, fate)) }
        }
    }

    private func fate(
        of row: RowReader, _ selection: Selection, _ policy: TombstonePolicy
    ) throws(StoreError) -> Fate? {
        let opened: RowReader.Opened
        do throws(SealingError) { unsafe opened = try unsafe row.open(with: bench) } catch {
            switch error {
            case .undecodable: return .quarantined
            case .classUnavailable:
                // Nothing could be sealed into a tombstone now (decision D23).
                let leaves =
                    policy == .always
                    || (policy == .whenSynchronizable && row.isSynchronizable && !row.isTombstone)
                let mustOpen = leaves || selection.predicate.attributes.contains(.digest)
                if mustOpen { throw StoreError(error) }
                return .removed
            case .unknownVersion, .unencodable, .noPasscode, .classKeyMissing, .crypto: throw StoreError(error)
            }
        }
        guard unsafe selection.accepts(opened.record) else {
            damagedRows += 1
            return nil
        }
        do throws(SealingError) {
            guard try unsafe row.hasDigest(askedBy: selection.predicate, opened, with: bench) else { return nil }
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return .quarantined
        }
        guard
            let item = unsafe Item(
                record: opened.record, itemClass: selection.table.itemClass, id: opened.id,
                accessibility: opened.accessibility)
        else { return .quarantined }
        // A tombstone that is deleted goes for good, unless a tombstone is what was asked to stay.
        let buries = item.isTombstone ? policy == .always : policy.applies(to: item)
        return buries ? .buried(item) : .removed
    }
}
