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
        // Later software that seals otherwise raises the database's `min_reader`, and is not read at all; so another version
        // is damage of this one row.
        guard blob.count > 2, unsafe blob[0] == SealedItem.magic.0, unsafe blob[1] == SealedItem.magic.1,
            unsafe blob[2] == SealedItem.version
        else { throw .undecodable }
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
    /// The bytes both envelopes authenticate, the first one saying which envelope it is: the row, then the header of the blob,
    /// then room for the tag of the metadata envelope, which the secret envelope alone binds.
    private var bytes: [UInt8]

    /// `text` columns come as their UTF-8 bytes; each is preceded by its length, so no two rows give the same bytes.
    package init(
        keychain: KeychainUUID, itemClass: ItemClass, id: PersistentID, synchronizable: Int64, tombstone: Int64,
        group: UnsafeRawBufferPointer, accessibility: UnsafeRawBufferPointer, multiUser: UnsafeRawBufferPointer,
        viewHint: UnsafeRawBufferPointer, tokenID: UnsafeRawBufferPointer, sharingGroup: UnsafeRawBufferPointer
    ) {
        // In one piece of memory, measured before: this is made for every row that is opened.
        let texts = group.count + accessibility.count + viewHint.count + tokenID.count + sharingGroup.count
        let row = 3 + keychain.bytes.count + 4 * 8 + 6 * 4 + texts + multiUser.count
        bytes = unsafe [UInt8](count: row + SealedItem.headerCount + SealedItem.tagCount) { memory in
            var place = unsafe Place(memory)
            place.put(Envelope.metadata.rawValue)
            unsafe place.put(SealedItem.version)
            place.put(itemClass.rawValue)
            unsafe keychain.bytes.withUnsafeBytes { unsafe place.put($0) }
            place.put(id.high)
            place.put(id.low)
            place.put(UInt64(bitPattern: synchronizable))
            place.put(UInt64(bitPattern: tombstone))
            unsafe place.put(column: group)
            unsafe place.put(column: accessibility)
            unsafe place.put(column: multiUser)
            unsafe place.put(column: viewHint)
            unsafe place.put(column: tokenID)
            unsafe place.put(column: sharingGroup)
            precondition(place.offset == row, "a row's binding was measured wrong")
        }
    }

    /// Which of an item's two envelopes is bound.
    enum Envelope: UInt8 {
        case metadata = 1
        case secret = 2
    }

    /// What the secret envelope binds: the row, and the metadata envelope's tag, so that the two are always of one
    /// write.
    mutating func bindSecret(toMetadataTag tag: UnsafeRawBufferPointer) {
        bytes[0] = Envelope.secret.rawValue
        unsafe put(tag, at: bytes.count - SealedItem.tagCount)
    }

    /// The header of the blob, bound too: class and generation say which key opens it.
    mutating func bind(header: UnsafeRawBufferPointer) {
        unsafe put(header, at: bytes.count - SealedItem.tagCount - SealedItem.headerCount)
    }

    /// Lends what the envelope authenticates that is bound now.
    func lendingBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        let unbound = unsafe bytes[0] == Envelope.secret.rawValue ? 0 : SealedItem.tagCount
        return try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in
            try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - unbound)]))
        }
    }

    private mutating func put(_ part: UnsafeRawBufferPointer, at offset: Int) {
        var span = bytes.mutableSpan
        var raw = unsafe span.mutableBytes
        unsafe raw.withUnsafeMutableBytes { memory in
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset..<(offset + part.count)]).copyMemory(
                from: part)
        }
    }

    /// Where the next bytes go.
    // Safe: what is put is checked against the memory's end, and the memory is written to while it is lent.
    @safe
    private struct Place {
        private let start: UnsafeMutableRawPointer?
        private let count: Int
        private(set) var offset = 0

        init(_ memory: UnsafeMutableRawBufferPointer) {
            unsafe start = memory.baseAddress
            count = memory.count
        }

        mutating func put(_ bytes: UnsafeRawBufferPointer) {
            precondition(count - offset >= bytes.count, "a row's binding was measured too small")
            guard let source = bytes.baseAddress, let start = unsafe start else { return }
            unsafe (start + offset).copyMemory(from: source, byteCount: bytes.count)
            offset += bytes.count
        }

        mutating func put<Number: FixedWidthInteger>(_ number: Number) {
            unsafe withUnsafeBytes(of: number.bigEndian) { unsafe put($0) }
        }

        mutating func put(column: UnsafeRawBufferPointer) {
            put(UInt32(truncatingIfNeeded: column.count))
            unsafe put(column)
        }
    }
}
