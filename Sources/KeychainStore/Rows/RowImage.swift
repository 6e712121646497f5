// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// All that is written for an item: every column, and the sealed blob bound to them.
struct RowImage {
    /// Every column but the blob: the common ones, then the class's own, as `ItemTable.writtenColumns` orders them.
    let columns: [ColumnValue]
    let blob: [UInt8]

    init(_ item: Item, keychain: KeychainUUID, bench: SealingBench) throws(SealingError) {
        let table = ItemTable.of(item.itemClass)
        let accessibility = item.accessControl.protection
        columns = try RowImage.columns(of: item, in: table, bench: bench)
        let group = Array(item.group.utf8)
        let name = Array(accessibility.name.utf8)
        let viewHint = Array(item.viewHint.utf8)
        let tokenID = Array(item.tokenID.utf8)
        let empty = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        let binding = unsafe group.withUnsafeBytes { group in
            unsafe name.withUnsafeBytes { name in
                unsafe viewHint.withUnsafeBytes { viewHint in
                    unsafe tokenID.withUnsafeBytes { tokenID in
                        unsafe RowBinding(
                            keychain: keychain, itemClass: item.itemClass, id: item.id,
                            synchronizable: item.isSynchronizable ? 1 : 0, tombstone: item.isTombstone ? 1 : 0,
                            group: group, accessibility: name, multiUser: empty, viewHint: viewHint,
                            tokenID: tokenID, sharingGroup: empty)
                    }
                }
            }
        }
        blob = try bench.seal(try item.record(), secret: item.secret, accessibility: accessibility, binding: binding)
    }

    static func columns(
        of item: Item, in table: ItemTable, bench: SealingBench
    ) throws(SealingError) -> [ColumnValue] {
        let common: [ColumnValue] = [
            .hash(item.id.high, item.id.low), .hash(item.syncID.high, item.syncID.low), .text(item.group),
            .text(item.accessControl.protection.name), .integer(item.isSynchronizable ? 1 : 0),
            .integer(item.isTombstone ? 1 : 0), .blob([]), .text(item.viewHint), .text(item.tokenID), .text(""),
        ]
        return common + (try ownColumns(of: item, in: table, bench: bench))
    }

    /// What the searchable columns of an item hold.
    static func ownColumns(
        of item: Item, in table: ItemTable, bench: SealingBench
    ) throws(SealingError) -> [ColumnValue] {
        var values: [ColumnValue] = []
        values.reserveCapacity(table.columns.count)
        for column in table.columns {
            guard let value = item.attributes[column.attribute] ?? column.absent else {
                values.append(.null)
                continue
            }
            values.append(try ColumnValue(value, for: column, in: table, bench: bench))
        }
        return values
    }
}

extension ColumnValue {
    /// What stands in a column for an attribute's value.
    init(
        _ value: AttributeValue, for column: Column, in table: ItemTable, bench: SealingBench
    ) throws(SealingError) {
        guard column.storage == .hashed else {
            self = ColumnValue(clear: value)
            return
        }
        self = try unsafe value.withComparisonBytes { (bytes) throws(SealingError) in
            // Nothing to hide in an empty value, and a constant spares most rows several hashes.
            if unsafe bytes.isEmpty { return .blob([]) }
            return try unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) {
                hash -> Result<ColumnValue, SealingError> in
                do throws(SealingError) {
                    try unsafe bench.indexHash(
                        table: table.itemClass, column: column.attribute, bytes, into: hash)
                    return unsafe .success(
                        .hash(
                            UInt64(bigEndian: hash.load(fromByteOffset: 0, as: UInt64.self)),
                            UInt64(bigEndian: hash.load(fromByteOffset: 8, as: UInt64.self))))
                } catch { return .failure(error) }
            }.get()
        }
    }
}
