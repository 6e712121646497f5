// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainRequest

/// A commit of a view: the records that it brings, and the root over all records that there are then.
///
/// Its number is its place in the view's chain; `previous` is the hash of the head that it follows, which has the next
/// lower number that is no junk. A barrier has no entries: it ends what a removed device may still write.
package struct CircleHead: Sendable, Equatable {
    /// A record by its name, and the SHA-256 of its bytes.
    package struct Entry: Sendable, Equatable {
        package let id: SyncRecordID
        package let digest: [UInt8]

        package init(id: SyncRecordID, digest: [UInt8]) { (self.id, self.digest) = (id, digest) }
    }

    /// Entries in the order of their names, each once: 48 bytes for each, as they stand in the head.
    package struct Entries: RandomAccessCollection, Sendable, Equatable {
        fileprivate let bytes: [UInt8]

        fileprivate init(_ entries: [Entry]) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(entries.count * CircleHead.entrySize)
            for entry in entries.sorted(by: { $0.id < $1.id }) { bytes += entry.id.bytes + entry.digest }
            self.bytes = bytes
        }

        fileprivate init(decoding bytes: [UInt8]) throws(CircleError) {
            guard bytes.count % CircleHead.entrySize == 0, bytes.count / CircleHead.entrySize <= greatestCount else {
                throw .malformed
            }
            self.bytes = bytes
            // One listing has one encoding, and names each record once.
            var last: SyncRecordID?
            for index in indices {
                guard let id = id(at: index), last.map({ $0 < id }) ?? true else { throw .malformed }
                last = id
            }
        }

        package var startIndex: Int { 0 }
        package var endIndex: Int { bytes.count / CircleHead.entrySize }

        package subscript(index: Int) -> Entry {
            let start = index * CircleHead.entrySize
            guard let id = id(at: index) else { preconditionFailure("there is no such entry") }
            return Entry(id: id, digest: Array(bytes[(start + SyncRecordID.size)..<(start + CircleHead.entrySize)]))
        }

        private func id(at index: Int) -> SyncRecordID? {
            let start = index * CircleHead.entrySize
            return SyncRecordID(in: bytes, at: start..<(start + SyncRecordID.size))
        }
    }

    package let circle: CircleID
    package let view: SyncView
    package let number: UInt64
    /// Empty at a view's first head.
    package let previous: [UInt8]
    /// The tip of the log that its author knew: what it may write is judged there.
    package let logNumber: UInt64
    package let logHash: [UInt8]
    /// The newest generation of the view's key that there was.
    package let generation: UInt32
    /// Random; under it lie its records, so nobody can take their places beforehand.
    package let chance: Int64
    package let entries: Entries
    package let root: [UInt8]
    /// When the oldest tombstone among all records was made, in seconds since 2001; 0 when there is none.
    package let oldestTombstone: Int64
    /// When it was made, in seconds since 2001, by its author's clock.
    package let time: Int64
    package let author: DeviceID

    package init(
        circle: CircleID, view: SyncView, number: UInt64, previous: [UInt8], logNumber: UInt64, logHash: [UInt8],
        generation: UInt32, chance: Int64, entries: [Entry], root: [UInt8], oldestTombstone: Int64, time: Int64,
        author: DeviceID
    ) {
        self.init(
            circle: circle, view: view, number: number, previous: previous, logNumber: logNumber, logHash: logHash,
            generation: generation, chance: chance, listing: Entries(entries), root: root,
            oldestTombstone: oldestTombstone, time: time, author: author)
    }

    private init(
        circle: CircleID, view: SyncView, number: UInt64, previous: [UInt8], logNumber: UInt64, logHash: [UInt8],
        generation: UInt32, chance: Int64, listing: Entries, root: [UInt8], oldestTombstone: Int64, time: Int64,
        author: DeviceID
    ) {
        (self.circle, self.view, self.number, self.previous) = (circle, view, number, previous)
        (self.logNumber, self.logHash, self.generation, self.chance) = (logNumber, logHash, generation, chance)
        entries = listing
        (self.root, self.oldestTombstone, self.time, self.author) = (root, oldestTombstone, time, author)
    }

    /// As many records as one head may bring.
    package static let greatestCount = 1000
    private static let title = "llavero head"
}

extension CircleHead {
    /// What is signed and hashed.
    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .string(CircleHead.title), .data(circle.bytes), .data(view.bytes), .number(Int64(clamping: number)),
                .data(previous), .number(Int64(clamping: logNumber)), .data(logHash), .number(Int64(generation)),
                .number(chance), .data(entries.bytes), .data(root), .number(oldestTombstone), .number(time),
                .data(author.bytes),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        guard case .array(let parts) = try CircleCoding.decode(bytes), parts.count == 14,
            parts[0] == .string(CircleHead.title), case .data(let circleBytes) = parts[1],
            let circle = CircleID(circleBytes), case .data(let viewBytes) = parts[2], let view = SyncView(viewBytes),
            let number = CircleCoding.number(parts[3]), number > 0, case .data(let previous) = parts[4],
            let logNumber = CircleCoding.number(parts[5]), case .data(let logHash) = parts[6],
            case .number(let generationNumber) = parts[7], let generation = UInt32(exactly: generationNumber),
            case .number(let chance) = parts[8], case .data(let listing) = parts[9],
            case .data(let root) = parts[10], case .number(let oldestTombstone) = parts[11],
            case .number(let time) = parts[12], case .data(let authorBytes) = parts[13],
            let author = DeviceID(authorBytes), previous.isEmpty || previous.count == Digest.sha256Size,
            logHash.count == Digest.sha256Size, root.count == Digest.sha256Size, oldestTombstone >= 0
        else { throw .malformed }
        self.init(
            circle: circle, view: view, number: number, previous: previous, logNumber: logNumber, logHash: logHash,
            generation: generation, chance: chance, listing: try Entries(decoding: listing), root: root,
            oldestTombstone: oldestTombstone, time: time, author: author)
    }

    /// The hash by which the next head names this one: of the content, so another signature of it is the same head.
    package func hash() throws(CircleError) -> [UInt8] { try CircleCoding.digest(of: encoded()) }

    /// The body that goes to the server.
    package func signed(by device: some CircleDevice) throws(CircleError) -> [UInt8] {
        try SignedBody(encoded(), by: device).encoded()
    }

    fileprivate static let entrySize = SyncRecordID.size + Digest.sha256Size
}

/// A head as it lies in the view's chain, with who signed it.
package struct SignedHead: Sendable {
    package let head: CircleHead
    package let hash: [UInt8]
    private let signatures: [SignedBody.Signature]

    /// Throws `malformed` unless it is a head in its one encoding, of this circle, this view and this number, with one
    /// signature, which names its author.
    package init(
        decoding body: [UInt8], of circle: CircleID, view: SyncView, number: UInt64
    ) throws(CircleError) {
        let signed = try SignedBody(decoding: body)
        head = try CircleHead(decoding: signed.content)
        guard head.circle == circle, head.view == view, head.number == number, signed.signatures.count == 1,
            signed.signatures[0].device == head.author
        else { throw .malformed }
        hash = try CircleCoding.digest(of: signed.content)
        signatures = signed.signatures
    }

    /// As it was read: there is one encoding, so it need not be kept beside what was read of it.
    package func body() throws(CircleError) -> [UInt8] { try SignedBody(head.encoded(), signatures).encoded() }

    package func isSigned(by card: Card) throws(CircleError) -> Bool {
        guard try card.id() == head.author, let signature = signatures.first else { return false }
        return P256.isValid(signature: signature.bytes, of: hash, publicKey: card.signingKey)
    }
}

extension CircleCoding {
    /// A number of a chain's: not negative.
    static func number(_ part: PropertyList) -> UInt64? {
        guard case .number(let number) = part else { return nil }
        return UInt64(exactly: number)
    }
}
