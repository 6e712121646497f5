// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainRequest

/// All leaves of a view, and the root over them that each head signs: two devices with one root have the same records.
///
/// A leaf stands in the bucket of its name's first 12 bits, and its bucket under the node of the first 6, so a change
/// costs four hashes, whatever the number of leaves.
package struct StateTree: Sendable {
    private var nodes: [Node]
    /// The hashes of all nodes, as they stand in what the root's hash is taken of.
    private var nodeHashes: [UInt8]
    private var changedBuckets: Set<Int>
    package private(set) var count = 0

    package init() throws(CircleError) {
        let emptyBucket = try CircleCoding.digest(of: [Level.bucket.rawValue])
        nodes = Array(repeating: Node(emptyBucket), count: StateTree.nodeCount)
        nodeHashes = Array(repeating: 0, count: StateTree.nodeCount * Digest.sha256Size)
        changedBuckets = Set(stride(from: 0, to: StateTree.bucketCount, by: StateTree.bucketsPerNode))
    }

    package subscript(id: SyncRecordID) -> SyncLeaf? {
        let (node, place) = StateTree.place(of: id).quotientAndRemainder(dividingBy: StateTree.bucketsPerNode)
        let bucket = nodes[node].buckets[place]
        let index = bucket.index(of: id)
        return index < bucket.rows.count && bucket.rows[index].id == id ? bucket.rows[index].leaf : nil
    }

    /// What stood in the place of a leaf before.
    package enum Before: Sendable { case nothing, another, same }

    /// Puts a leaf in the place of the one of its name.
    @discardableResult
    package mutating func set(_ leaf: SyncLeaf) throws(CircleError) -> Before {
        let bucket = StateTree.place(of: leaf.id)
        let (node, place) = bucket.quotientAndRemainder(dividingBy: StateTree.bucketsPerNode)
        let before = try nodes[node].buckets[place].set(leaf)
        if before == .nothing { count += 1 }
        if before != .same { changedBuckets.insert(bucket) }
        return before
    }

    /// The hash over everything.
    package mutating func root() throws(CircleError) -> [UInt8] {
        var changedNodes: Set<Int> = []
        for bucket in changedBuckets {
            let (node, place) = bucket.quotientAndRemainder(dividingBy: StateTree.bucketsPerNode)
            try nodes[node].hash(place)
            changedNodes.insert(node)
        }
        changedBuckets.removeAll(keepingCapacity: true)
        for node in changedNodes {
            let start = node * Digest.sha256Size
            nodeHashes.replaceSubrange(
                start..<(start + Digest.sha256Size), with: try CircleCoding.digest(of: nodes[node].hashes))
        }
        return try CircleCoding.digest(of: [Level.root.rawValue] + nodeHashes)
    }

    /// All leaves, in the order of their names.
    package var leaves: [SyncLeaf] { nodes.flatMap { $0.buckets.flatMap { $0.rows.map(\.leaf) } } }

    private static func place(of id: SyncRecordID) -> Int { Int(truncatingIfNeeded: id.high >> 52) }

    private static let bucketCount = 4096
    private static let nodeCount = 64
    private static let bucketsPerNode = bucketCount / nodeCount

    /// What is hashed begins with its level, so that no hash of one is one of another.
    fileprivate enum Level: UInt8 {
        case leaf = 0
        case bucket = 1
        case node = 2
        case root = 3
    }

    /// A leaf without memory of its own.
    private struct Row: Sendable {
        let id: SyncRecordID
        let head: UInt64
        private let digest: (UInt64, UInt64, UInt64, UInt64)

        init?(_ leaf: SyncLeaf) {
            guard leaf.digest.count == Digest.sha256Size else { return nil }
            (id, head) = (leaf.id, leaf.head)
            digest = unsafe leaf.digest.withUnsafeBytes { bytes in
                unsafe bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
            }
        }

        static func == (left: Row, right: Row) -> Bool {
            left.id == right.id && left.head == right.head && left.digest == right.digest
        }

        var leaf: SyncLeaf {
            SyncLeaf(id: id, head: head, digest: unsafe withUnsafeBytes(of: digest) { unsafe Array($0) })
        }
    }

    /// The buckets whose names begin alike.
    ///
    /// By them a tree is copied: one that a change makes shares all nodes but its own with the one before.
    private struct Node: Sendable {
        var buckets: [Bucket]
        /// What the node's hash is taken of: its level, and the hashes of its buckets.
        private(set) var hashes: [UInt8] = [Level.node.rawValue]

        init(_ emptyBucket: [UInt8]) {
            buckets = Array(repeating: Bucket(), count: StateTree.bucketsPerNode)
            for _ in buckets { hashes += emptyBucket }
        }

        /// Takes the hash of a bucket anew.
        mutating func hash(_ place: Int) throws(CircleError) {
            let start = 1 + place * Digest.sha256Size
            hashes.replaceSubrange(
                start..<(start + Digest.sha256Size), with: try CircleCoding.digest(of: buckets[place].hashes))
        }
    }

    /// The leaves whose names begin alike, in order.
    private struct Bucket: Sendable {
        private(set) var rows: [Row] = []
        /// What the bucket's hash is taken of: its level, and the hashes of its leaves.
        private(set) var hashes: [UInt8] = [Level.bucket.rawValue]

        func index(of id: SyncRecordID) -> Int {
            // Leaves that are read from a keychain come in order.
            guard let last = rows.last, !(last.id < id) else { return rows.count }
            var (low, high) = (0, rows.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low
        }

        mutating func set(_ leaf: SyncLeaf) throws(CircleError) -> Before {
            guard let row = Row(leaf) else { throw .malformed }
            let index = index(of: leaf.id)
            let isThere = index < rows.count && rows[index].id == leaf.id
            if isThere, rows[index] == row { return .same }
            let hash = try leaf.hash()
            let start = 1 + index * Digest.sha256Size
            guard isThere else {
                if rows.count == rows.capacity { grow() }
                rows.insert(row, at: index)
                hashes.insert(contentsOf: hash, at: start)
                return .nothing
            }
            rows[index] = row
            hashes.replaceSubrange(start..<(start + Digest.sha256Size), with: hash)
            return .another
        }

        /// Makes room for a few more: by itself an array takes twice what it has, and most of that would stay empty.
        private mutating func grow() {
            let room = rows.count + max(4, rows.count / 4)
            rows.reserveCapacity(room)
            hashes.reserveCapacity(1 + room * Digest.sha256Size)
        }
    }
}

extension SyncLeaf {
    fileprivate func hash() throws(CircleError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + SyncRecordID.size + 8 + Digest.sha256Size)
        bytes.append(StateTree.Level.leaf.rawValue)
        bytes += id.bytes
        for place in (0..<8).reversed() { bytes.append(UInt8(truncatingIfNeeded: head >> UInt64(8 * place))) }
        bytes += digest
        return try CircleCoding.digest(of: bytes)
    }
}
