// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

extension StoreLane {
    /// Removes every item the request is about, all or none.
    ///
    /// A plain removal needs no key. Where the key is at hand the seal is looked at all the same, so that nobody makes
    /// us remove the wrong item by changing columns; a row that cannot be read goes to quarantine instead.
    package func delete(
        _ authorized: Authorized<DeleteRequest>, _ shown: FactorSecrets, at moment: Moment
    ) throws(StoreError) {
        let request = authorized.request
        let judgement = Judgement(tombstones: request.tombstones, shown: shown.valid(in: keybag.keys))
        try write { () throws(StoreError) in
            var fates: [RowName: Fate] = [:]
            switch (request.predicate.queriedClass, request.predicate.restriction) {
            case (.stored(let itemClass), _): try judge(authorized, itemClass, judgement, into: &fates)
            // Not the join: what matches as a certificate and what matches as a key, each by itself (semantics §3.9).
            case (.identity, .none):
                try judge(authorized, .certificate, judgement, into: &fates)
                try judge(authorized, .key, judgement, into: &fates)
            case (.identity, .items): try judgeIdentities(authorized, judgement, into: &fates)
            }
            for (row, fate) in fates.sorted(by: { $0.key < $1.key }) {
                let table = ItemTable.of(row.itemClass)
                switch fate {
                case .removed: try remove(rowID: row.rowID, from: table)
                case .quarantined: try quarantine(rowID: row.rowID, from: table, at: moment.now)
                case .buried(let item):
                    let date = moment.later(than: item.date(.modificationDate))
                    guard try replace(rowID: row.rowID, with: item.tombstone(at: date)) else { throw .duplicate }
                }
            }
        }
    }

    /// A row of one of the tables.
    private struct RowName: Hashable, Comparable {
        let itemClass: ItemClass
        let rowID: Int64

        static func < (left: RowName, right: RowName) -> Bool {
            (left.itemClass.rawValue, left.rowID) < (right.itemClass.rawValue, right.rowID)
        }
    }

    /// What a deletion goes by.
    private struct Judgement {
        let tombstones: TombstonePolicy
        let shown: FactorSecrets
    }

    /// What becomes of a row.
    private enum Fate {
        case removed
        case quarantined
        case buried(Item)
    }

    /// Judges what matches in one class, which has to be something.
    private func judge(
        _ authorized: Authorized<DeleteRequest>, _ itemClass: ItemClass, _ judgement: Judgement,
        into fates: inout [RowName: Fate]
    ) throws(StoreError) {
        let request = authorized.request
        var found = false
        for selection in selections(of: request.predicate, itemClass, authorized) {
            let statement = try boundStatement(selection)
            defer { statement.reset() }
            let row = reader(statement, selection.table)
            while try step(statement) {
                guard let fate = try fate(of: row, selection, judgement) else { continue }
                let name = RowName(itemClass: itemClass, rowID: row.rowID)
                if fates.updateValue(fate, forKey: name) == nil { note(.deleted, row) }
                found = true
            }
        }
        guard found else { throw .notFound }
    }

    /// Judges the identities that are named: the certificates go, and each key unless a certificate stays that has it.
    private func judgeIdentities(
        _ authorized: Authorized<DeleteRequest>, _ judgement: Judgement, into fates: inout [RowName: Fate]
    ) throws(StoreError) {
        var going: Set<Int64> = []
        var keys: [(rowID: Int64, selection: Selection)] = []
        for selection in identitySelections(of: authorized.request.predicate, authorized) {
            for rows in try pairs(selection) where try isIdentityAsFarAsCanBeSeen(rows, selection) {
                guard let fate = try fate(of: rows.certificate, selection.certificate, judgement) else { continue }
                fates[RowName(itemClass: .certificate, rowID: rows.certificate)] = fate
                going.insert(rows.certificate)
                keys.append((rows.key, selection.key))
            }
        }
        for key in keys where try certificates(ofKey: key.rowID).allSatisfy(going.contains) {
            guard let fate = try fate(of: key.rowID, key.selection, judgement) else { continue }
            fates[RowName(itemClass: .key, rowID: key.rowID)] = fate
        }
        guard !fates.isEmpty else { throw .notFound }
    }

    /// A locked half can be deleted like any locked item: by its columns (decision D23).
    private func isIdentityAsFarAsCanBeSeen(
        _ rows: IdentityRows, _ selection: IdentitySelection
    ) throws(StoreError) -> Bool {
        do throws(StoreError) { return try areIdentity(rows, selection, { 0 }) } catch {
            guard case .locked = error else { throw error }
            return true
        }
    }

    private func fate(
        of rowID: Int64, _ selection: Selection, _ judgement: Judgement
    ) throws(StoreError) -> Fate? {
        try withRow(rowID, selection.table) { (row) throws(StoreError) in
            let fate = try fate(of: row, selection, judgement)
            if fate != nil { note(.deleted, row) }
            return fate
        } ?? nil
    }

    private func fate(
        of row: RowReader, _ selection: Selection, _ judgement: Judgement
    ) throws(StoreError) -> Fate? {
        let policy = judgement.tombstones
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
        guard let ways = item.accessControl.constraint(on: .delete).ways else { throw .operationForbidden }
        guard ways.contains(where: judgement.shown.meets) else {
            throw .demands(Demand(ways: ways))
        }
        // A tombstone that is deleted goes for good, unless a tombstone is what was asked to stay.
        let buries = item.isTombstone ? policy == .always : policy.applies(to: item)
        return buries ? .buried(item) : .removed
    }
}
