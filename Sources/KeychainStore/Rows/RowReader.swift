// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// The row a select statement stands on, and the item sealed in it.
///
/// It lends what SQLite holds, so it is good until the statement moves.
struct RowReader {
    /// The columns every select begins with, in this order.
    static let columns = "rowid, persistref, syncid, agrp, pdmn, sync, tomb, musr, vwht, tkid, ggrp, data"
    static let columnCount = 12

    let table: ItemTable
    let keychain: KeychainUUID
    let statement: Statement

    var rowID: Int64 { statement.int64(0) }
    var group: String { statement.text(3) }
    var accessibility: Accessibility? { Accessibility(name: statement.text(4)) }
    var isTombstone: Bool { statement.int64(6) != 0 }
    var isSynchronizable: Bool { statement.int64(5) != 0 }

    /// The row's own reference, or nil when it is not one.
    var id: PersistentID? { unsafe PersistentID(unsafeBytes: statement.unsafeBlob(1)) }
    private var syncID: PersistentID? { unsafe PersistentID(unsafeBytes: statement.unsafeBlob(2)) }

    /// What the seals bind of this row.
    private func binding(id: PersistentID) -> RowBinding {
        unsafe RowBinding(
            keychain: keychain, itemClass: table.itemClass, id: id, synchronizable: statement.int64(5),
            tombstone: statement.int64(6), group: statement.unsafeBlob(3), accessibility: statement.unsafeBlob(4),
            multiUser: statement.unsafeBlob(7), viewHint: statement.unsafeBlob(8), tokenID: statement.unsafeBlob(9),
            sharingGroup: statement.unsafeBlob(10))
    }

    /// A row whose attributes are open.
    @unsafe struct Opened {
        let id: PersistentID
        let accessibility: Accessibility
        let record: AttributeList
        fileprivate let sealed: SealedItem
        fileprivate let binding: RowBinding

        /// About how large the secret is, which can be told without opening it.
        var secretCount: Int { unsafe sealed.secretCount }
    }

    /// About how many bytes an item has, with its secret or without.
    func size(_ opened: Opened, withSecret: Bool) -> Int {
        unsafe statement.unsafeBlob(11).count - (withSecret ? 0 : opened.secretCount)
    }

    /// The generation the row's item is sealed under.
    var generation: UInt32 {
        get throws(SealingError) { try unsafe SealedItem(statement.unsafeBlob(11)).generation }
    }

    /// Opens the attributes.
    ///
    /// `.undecodable` covers everything that is wrong with this row alone.
    func open(with bench: SealingBench) throws(SealingError) -> Opened {
        guard let id, let syncID else { throw .undecodable }
        let sealed = try unsafe SealedItem(statement.unsafeBlob(11))
        let accessibility = unsafe sealed.accessibility
        var binding = binding(id: id)
        let record = try unsafe bench.openMetadata(sealed, binding: &binding)
        guard record[.accessible] == .string(accessibility.name),
            case .data(let sealedSyncID)? = record[.syncIdentifier], PersistentID(sealedSyncID) == syncID
        else { throw .undecodable }
        return unsafe Opened(id: id, accessibility: accessibility, record: record, sealed: sealed, binding: binding)
    }

    /// Opens the secret of a row whose attributes are open.
    func openSecret(
        of opened: Opened, with bench: SealingBench, wantsDigest: Bool
    ) throws(SealingError) -> OpenedSecret {
        var binding = unsafe opened.binding
        return try unsafe bench.openSecret(opened.sealed, binding: &binding, wantsDigest: wantsDigest)
    }

    /// Throws where the secret does not open; nobody can say so while its class is locked.
    func examineSecret(of opened: Opened, with bench: SealingBench) throws(SealingError) {
        do throws(SealingError) { _ = try unsafe openSecret(of: opened, with: bench, wantsDigest: false) } catch {
            if !error.isOfLockedClass { throw error }
        }
    }

    /// Whether the item has the digest a predicate asks for, if it asks for one; the digest lies beside the secret.
    func hasDigest(
        askedBy predicate: ItemPredicate, _ opened: Opened, with bench: SealingBench
    ) throws(SealingError) -> Bool {
        guard let wanted = predicate.attributes[.digest] else { return true }
        return try unsafe openSecret(of: opened, with: bench, wantsDigest: true).digest.map(AttributeValue.data)
            == wanted
    }

    /// Everything, for an operation that writes the item again.
    func item(of opened: Opened, with bench: SealingBench) throws(SealingError) -> Item {
        guard
            var item = unsafe Item(
                record: opened.record, itemClass: table.itemClass, id: opened.id, accessibility: opened.accessibility)
        else { throw .undecodable }
        item.secret = try unsafe openSecret(of: opened, with: bench, wantsDigest: false).data
        return item
    }
}

extension PersistentID {
    /// The 16 bytes of a column, or nil when there are more or fewer.
    init?(unsafeBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
