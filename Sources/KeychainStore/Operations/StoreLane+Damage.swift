// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Rows that do not open: left as they are, counted, and told of to who asks.
extension StoreLane {
    /// Passes over a row that cannot be read, or ends the request where the reason is not the row's own.
    func skip(_ error: SealingError, _ row: RowReader, rest: FoundItem? = nil) throws(StoreError) {
        guard error == .undecodable else { throw StoreError(error) }
        passOver(row, rest: rest)
    }

    /// Passes over a row that cannot be read; who wants to know of those learns that it is there.
    func passOver(_ row: RowReader, rest: FoundItem? = nil) {
        guard damagedItems != nil else {
            damagedRows += 1
            return
        }
        damagedItems?[row.rowID] = DamagedItem(itemClass: row.table.itemClass, persistentID: row.id, rest: rest)
    }

    /// What is known of an item whose secret is damaged, for who wants to know of those; nil where it contradicts itself.
    func rest(
        of opened: RowReader.Opened, _ itemClass: ItemClass, _ returning: ReturnTypes
    ) -> FoundItem? {
        guard damagedItems != nil else { return nil }
        return unsafe FoundItem(
            opened, itemClass: itemClass, returning: returning.subtracting([.data, .reference]), secret: nil)
    }
}
