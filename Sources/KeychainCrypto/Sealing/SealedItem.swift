// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The layout of a sealed item, read without believing any of it.
///
/// It lends the blob it was read from.
///
/// ```
/// "Lv" | version 1 | class 1 | generation 4 | wrapped metadata key 40 | metadata length 4 | metadata and tag
///      | wrapped secret key 40 | secret and tag
/// ```
@unsafe package struct SealedItem {
    static let version: UInt8 = 1
    static let magic: (UInt8, UInt8) = (UInt8(ascii: "L"), UInt8(ascii: "v"))
    static let headerCount = 8
    static let wrappedKeyCount = 40
    static let tagCount = 16

    package let accessibility: Accessibility
    package let generation: UInt32
    let header: UnsafeRawBufferPointer
    let wrappedMetadataKey: UnsafeRawBufferPointer
    let metadata: UnsafeRawBufferPointer
    let wrappedSecretKey: UnsafeRawBufferPointer
    let secret: UnsafeRawBufferPointer

    package init(_ blob: UnsafeRawBufferPointer) throws(SealingError) {
        guard blob.count > 2, unsafe blob[0] == SealedItem.magic.0, unsafe blob[1] == SealedItem.magic.1
        else { throw .undecodable }
        // Before its length: a later version may be shorter, and is not damage.
        guard unsafe blob[2] == SealedItem.version else { throw .unknownVersion }
        let fixed = unsafe SealedItem.headerCount + 2 * SealedItem.wrappedKeyCount + 4 + 2 * SealedItem.tagCount
        guard blob.count >= fixed else { throw .undecodable }
        guard let accessibility = unsafe Accessibility(rawValue: blob[3]) else { throw .undecodable }
        unsafe self.accessibility = accessibility
        unsafe generation = unsafe UInt32(littleEndian: blob.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let lengthAt = unsafe SealedItem.headerCount + SealedItem.wrappedKeyCount
        let count = unsafe Int(UInt32(littleEndian: blob.loadUnaligned(fromByteOffset: lengthAt, as: UInt32.self)))
        guard unsafe count >= SealedItem.tagCount, unsafe count <= blob.count - fixed + SealedItem.tagCount else {
            throw .undecodable
        }
        let metadataAt = lengthAt + 4
        let secretKeyAt = metadataAt + count
        let secretAt = unsafe secretKeyAt + SealedItem.wrappedKeyCount
        unsafe header = UnsafeRawBufferPointer(rebasing: blob[0..<SealedItem.headerCount])
        unsafe wrappedMetadataKey = UnsafeRawBufferPointer(rebasing: blob[SealedItem.headerCount..<lengthAt])
        unsafe metadata = UnsafeRawBufferPointer(rebasing: blob[metadataAt..<secretKeyAt])
        unsafe wrappedSecretKey = UnsafeRawBufferPointer(rebasing: blob[secretKeyAt..<secretAt])
        unsafe secret = UnsafeRawBufferPointer(rebasing: blob[secretAt...])
    }

    /// The bytes of the sealed secret: at least as many as the secret has.
    package var secretCount: Int { unsafe secret.count }

    var metadataTag: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: metadata[(metadata.count - SealedItem.tagCount)...])
    }
}

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
