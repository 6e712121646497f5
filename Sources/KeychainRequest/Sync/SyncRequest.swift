// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What synchronisation asks of a keychain: what changed, and to take what came.
///
/// The keychain knows nothing of circles and servers. It keeps, for the one circle it is in, a sealed state, a leaf for each
/// record that it knows of, and marks at items that changed; all three change in the transactions that change items.
package enum SyncRequest: Sendable {
    /// The state of the circle; none while the keychain is in none. Who names the base that it has is not given that again.
    case state(knowing: [UInt8]? = nil)
    /// Makes the keychain one of a circle: the tables, the marks, every eligible item marked.
    case begin(state: [UInt8], base: [UInt8])
    /// Forgets the circle; the items stay.
    case end
    /// Leaves of a view behind one of them, in the order of their ids.
    case leaves(of: SyncView, behind: SyncRecordID?, limit: Int)
    /// Records that wait for a class of keys, in the order of their ids.
    case waiting(in: SyncView, behind: SyncRecordID?, limit: Int)
    /// Heads that are remembered, newest first, before one of them.
    case heads(of: SyncView, before: UInt64?, limit: Int)
    /// Eligible items that are marked as changed, behind a mark, in the order of marks.
    case changes(behind: UInt64, limit: Int)
    /// Marks every eligible item that has no mark, as after a change of the policy.
    case markAll
    /// How many items of a view are no tombstones: among those of some records, and among all.
    case live(of: SyncView, among: [SyncRecordID])
    /// Those of some records that the circle has forgotten, as far as this keychain has read: void, and nothing waits of them.
    case voids(of: SyncView, among: [SyncRecordID])
    /// Tombstones of a view whose modification date is before one, the oldest first.
    case tombstones(of: SyncView, before: Double, limit: Int)
    /// Takes what came and notes what went, all or nothing.
    case apply(SyncBatch)

    /// The most rows of one answer.
    ///
    /// It ends earlier where they become large, and says nothing where there are no more.
    package static let mostAtOnce = 10_000
    package static let mostBytes = 8 << 20
    /// The most records that one question names.
    package static let mostRecords = 1_000_000
}

/// What a keychain answers to it.
package enum SyncReply: Sendable {
    case done
    case state(SyncState?)
    case leaves([SyncLeaf])
    case waiting([SyncWaiting])
    case heads([SyncHead])
    /// The changes, and whether some marked items are locked now.
    case changes([SyncChange], someAreLocked: Bool)
    case live(Int, of: Int)
    case voids([SyncRecordID])
    case tombstones([SyncTombstone])
    /// What was marked now: all numbers behind one of them, up to another. What changed before has a lower one, what changes from now on
    /// a higher one.
    case marked(behind: UInt64, upTo: UInt64)
    /// What became of each incoming record, in order, and the state's version now.
    case applied([SyncOutcome], version: UInt64)
    /// Another process advanced the state meanwhile: nothing was done.
    case outdated
}

/// The number of a view among those of a circle's: 16 bytes.
package struct SyncView: Hashable, Sendable {
    package static let size = 16
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == SyncView.size else { return nil }
        self.bytes = bytes
    }
}

/// The name of a record, the same on all devices: 16 bytes, in the order of which names stand.
///
/// A device has a hundred thousand of them in its memory, so they have none of their own.
package struct SyncRecordID: Hashable, Sendable, Comparable {
    package static let size = 16
    /// The first eight bytes as a number, and the last.
    package let high: UInt64
    private let low: UInt64

    package init?(_ bytes: [UInt8]) { self.init(in: bytes, at: 0..<bytes.count) }

    /// The name that stands somewhere in bytes.
    package init?(in bytes: [UInt8], at place: Range<Int>) {
        guard place.count == SyncRecordID.size, place.lowerBound >= 0, place.upperBound <= bytes.count else {
            return nil
        }
        (high, low) = unsafe bytes.withUnsafeBytes { bytes in
            unsafe (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place.lowerBound + 8, as: UInt64.self))
            )
        }
    }

    package var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe Array($0) }
    }

    package static func < (left: SyncRecordID, right: SyncRecordID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// The state of the circle, as its machine wrote it, and how often it was written.
///
/// It is in two parts, so that a change of one item costs the same in every circle: what most rounds change, and its base, which has
/// all members and seldom changes.
package struct SyncState: Sendable, Equatable {
    /// The length of a base's name.
    package static let nameSize = 32
    package let version: UInt64
    package let bytes: [UInt8]
    /// nil for who has it already.
    package let base: [UInt8]?
    /// Another one each time that a base is written, and never one that there was.
    package let baseName: [UInt8]

    package init(version: UInt64, bytes: [UInt8], base: [UInt8]?, baseName: [UInt8]) {
        (self.version, self.bytes, self.base, self.baseName) = (version, bytes, base, baseName)
    }
}

/// What is known of one record: the head that lists it, and the SHA-256 of its bytes.
package struct SyncLeaf: Sendable, Equatable {
    package static let digestSize = 32
    package let id: SyncRecordID
    package let head: UInt64
    package let digest: [UInt8]

    package init(id: SyncRecordID, head: UInt64, digest: [UInt8]) {
        (self.id, self.head, self.digest) = (id, head, digest)
    }
}

/// A tombstone among the items of a view, and when it was made.
package struct SyncTombstone: Sendable, Equatable {
    package let id: SyncRecordID
    package let date: Double

    package init(id: SyncRecordID, date: Double) { (self.id, self.date) = (id, date) }
}

/// A record that cannot be opened yet, as it came.
package struct SyncWaiting: Sendable {
    package let leaf: SyncLeaf
    package let body: [UInt8]

    package init(leaf: SyncLeaf, body: [UInt8]) { (self.leaf, self.body) = (leaf, body) }
}

/// A head as it was signed, remembered to give it back to a server that lost it.
package struct SyncHead: Sendable, Equatable {
    package let number: UInt64
    package let body: [UInt8]

    package init(number: UInt64, body: [UInt8]) { (self.number, self.body) = (number, body) }
}

/// An item as devices share it: without its reference, which is each device's own.
package struct SyncItem: Sendable {
    package let itemClass: ItemClass
    /// As callers see them, with dates, group, protection, and the mark of a tombstone.
    package let attributes: AttributeList
    package let secret: SecretValue?
    /// The generation of keys under which the secret as it is was first sealed; 0 of one that never was.
    package var secretGeneration: UInt32
    /// What software of later versions knows of the item: kept as it came, and handed on.
    package var later: [UInt8]

    package init(
        itemClass: ItemClass, attributes: AttributeList, secret: SecretValue?, secretGeneration: UInt32 = 0,
        later: [UInt8] = []
    ) {
        (self.itemClass, self.attributes, self.secret) = (itemClass, attributes, secret)
        (self.secretGeneration, self.later) = (secretGeneration, later)
    }

    package var isTombstone: Bool { attributes[.tombstone] == .number(1) }
}

/// An item that changed, and the mark to take off when it went.
package struct SyncChange: Sendable {
    package let mark: UInt64
    package let item: SyncItem

    package init(mark: UInt64, item: SyncItem) { (self.mark, self.item) = (mark, item) }
}

/// What one transaction does.
package struct SyncBatch: Sendable {
    /// The version of the state that this was worked out from; another one there ends it without a change.
    package let version: UInt64
    /// The state afterwards; nil leaves it.
    ///
    /// Where something that came is locked, it stays as it was, and so does its version; the rest is done, but for the heads. Then
    /// that comes once more, as `sealed`, with heads and state.
    package var state: [UInt8]?
    /// The base afterwards, which is written with a state; nil leaves it.
    package var base: [UInt8]?
    package var incoming: [SyncIncoming] = []
    package var sent: [SyncSent] = []
    /// Heads to remember, and how many numbers back those reach that are kept of each view.
    package var heads: [(view: SyncView, head: SyncHead)] = []
    package var keptHeads = 4096
    /// Views to be read anew: before anything else their leaves, what waits of them, and their heads are forgotten, and
    /// every eligible item is marked, so that what only this keychain has goes out.
    package var forgotten: [SyncView] = []
    /// How many devices came and went, as the log's entries say that were read with this: for the audit log alone.
    package var members = SyncMembers()

    package init(version: UInt64) { self.version = version }
}

/// How many devices a circle admitted and removed.
package struct SyncMembers: Sendable, Equatable {
    package var admitted = 0
    package var removed = 0

    package init() {}
}

/// A record that came.
package struct SyncIncoming: Sendable {
    package enum Content: Sendable {
        case item(SyncItem)
        /// Its class of keys is locked: its bytes wait.
        case sealed([UInt8])
        /// It says no more than that there is none any more: a tombstone that has served its time. It has a leaf all the
        /// same.
        case void
        /// No item is behind it that this keychain could have; the leaf alone is noted.
        case unreadable
    }

    package let view: SyncView
    package let leaf: SyncLeaf
    package let content: Content

    package init(view: SyncView, leaf: SyncLeaf, content: Content) {
        (self.view, self.leaf, self.content) = (view, leaf, content)
    }
}

/// A change that went: its mark goes if the item is still the one that was sent.
package struct SyncSent: Sendable {
    package let mark: UInt64
    /// nil of what is not shared: the mark alone goes.
    package let leaf: (view: SyncView, leaf: SyncLeaf)?
    /// The generation of keys that sealed it: noted with a secret that went for the first time.
    package let generation: UInt32

    package init(mark: UInt64, leaf: (view: SyncView, leaf: SyncLeaf)?, generation: UInt32 = 0) {
        (self.mark, self.leaf, self.generation) = (mark, leaf, generation)
    }
}

/// What became of a record that came.
package enum SyncOutcome: Sendable, Equatable, CaseIterable {
    case added, changed, removed
    /// The item here is that one already.
    case same
    /// The item here is the later one; it is marked, and goes out.
    case kept
    /// It waits, or there was nothing to do.
    case noted
    /// What is here in its place cannot be opened now, or its own class cannot: nothing was done, and its leaf is not noted. It is
    /// to wait, as `sealed`.
    case locked
    /// No item that this keychain could have.
    case refused
}
