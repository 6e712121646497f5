// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The row an item is sealed into: whatever is written here cannot be changed without breaking the seal.
package struct RowBinding {
    /// The bytes both envelopes authenticate, the first one saying which envelope it is.
    private(set) var bytes: [UInt8]

    /// `text` columns come as their UTF-8 bytes; each is preceded by its length, so no two rows give the same bytes.
    package init(
        keychain: KeychainUUID, itemClass: ItemClass, id: PersistentID, synchronizable: Int64, tombstone: Int64,
        group: UnsafeRawBufferPointer, accessibility: UnsafeRawBufferPointer, multiUser: UnsafeRawBufferPointer,
        viewHint: UnsafeRawBufferPointer, tokenID: UnsafeRawBufferPointer, sharingGroup: UnsafeRawBufferPointer
    ) {
        bytes = []
        bytes.reserveCapacity(128)
        bytes.append(Envelope.metadata.rawValue)
        unsafe bytes.append(SealedItem.version)
        bytes.append(itemClass.rawValue)
        bytes.append(contentsOf: keychain.bytes)
        append(id.high)
        append(id.low)
        append(UInt64(bitPattern: synchronizable))
        append(UInt64(bitPattern: tombstone))
        unsafe append(group)
        unsafe append(accessibility)
        unsafe append(multiUser)
        unsafe append(viewHint)
        unsafe append(tokenID)
        unsafe append(sharingGroup)
    }

    /// Which of an item's two envelopes is bound.
    enum Envelope: UInt8 {
        case metadata = 1
        case secret = 2
    }

    private mutating func append(_ number: UInt64) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ column: UnsafeRawBufferPointer) {
        unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: column.count).bigEndian) {
            unsafe bytes.append(contentsOf: $0)
        }
        unsafe bytes.append(contentsOf: column)
    }

    /// What the secret envelope binds: the row, and the metadata envelope's tag, so that the two are always of one
    /// write.
    mutating func bindSecret(toMetadataTag tag: UnsafeRawBufferPointer) {
        bytes[0] = Envelope.secret.rawValue
        unsafe bytes.append(contentsOf: tag)
    }

    /// The header of the blob, bound too: class and generation say which key opens it.
    mutating func bind(header: UnsafeRawBufferPointer) {
        unsafe bytes.append(contentsOf: header)
    }
}
