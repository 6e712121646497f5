// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import TestSeed
import Testing

@Suite struct StateTreeTests {
    @Test("a root depends on the leaves alone, not on the way to them")
    func order() throws {
        var seed = Seed(for: "StateTreeTests")
        var leaves: [SyncRecordID: SyncLeaf] = [:]
        var tree = try StateTree()
        var names: [SyncRecordID] = []
        for step in 0..<2000 {
            let old = names.isEmpty || seed.oneIn(2) ? nil : seed.pick(names)
            let leaf = SyncLeaf(
                id: try old ?? #require(SyncRecordID(bytes(16, &seed))), head: UInt64(step), digest: bytes(32, &seed))
            if leaves.updateValue(leaf, forKey: leaf.id) == nil { names.append(leaf.id) }
            #expect(try tree.set(leaf) == (old == nil ? .nothing : .another))
            #expect(try tree.set(leaf) == .same)
            if seed.oneIn(100) { _ = try tree.root() }
        }
        var inOrder = try StateTree()
        let sorted = leaves.values.sorted { $0.id < $1.id }
        for leaf in sorted { try inOrder.set(leaf) }
        #expect(try tree.root() == inOrder.root())
        #expect(tree.count == leaves.count)
        #expect(tree.leaves == sorted)
        for leaf in sorted { #expect(tree[leaf.id] == leaf) }
        #expect(try tree[#require(SyncRecordID(bytes(16, &seed)))] == nil)
    }

    @Test("another number, digest or name, a leaf more or less: another root")
    func differences() throws {
        var seed = Seed(for: "StateTreeTests.differences")
        let leaves = try (0..<50).map { _ in
            SyncLeaf(id: try #require(SyncRecordID(bytes(16, &seed))), head: 4, digest: bytes(32, &seed))
        }
        var roots = [try root(of: [])]
        roots.append(try root(of: leaves))
        roots.append(try root(of: Array(leaves.dropLast())))
        for change in 0..<3 {
            var other = leaves
            let last = other.removeLast()
            other.append(
                SyncLeaf(
                    id: change == 0 ? try #require(SyncRecordID(bytes(16, &seed))) : last.id,
                    head: change == 1 ? 5 : last.head, digest: change == 2 ? bytes(32, &seed) : last.digest))
            roots.append(try root(of: other))
        }
        #expect(Set(roots).count == roots.count)
    }

    @Test("100 000 leaves, and one of them changed")
    func size() throws {
        var seed = Seed(for: "StateTreeTests.size")
        let leaves = try (0..<100_000).map { _ in
            SyncLeaf(id: try #require(SyncRecordID(bytes(16, &seed))), head: 1, digest: bytes(32, &seed))
        }.sorted { $0.id < $1.id }
        let clock = ContinuousClock()
        var tree = try StateTree()
        let whole = try clock.measure {
            for leaf in leaves { try tree.set(leaf) }
            _ = try tree.root()
        }
        let one = try clock.measure {
            for number in 0..<100 {
                try tree.set(SyncLeaf(id: leaves[number * 999].id, head: 2, digest: leaves[0].digest))
                _ = try tree.root()
            }
        }
        print("a tree of 100 000 leaves: \(whole); a change of one: \(one / 100)")
    }

    private func root(of leaves: [SyncLeaf]) throws -> [UInt8] {
        var tree = try StateTree()
        for leaf in leaves { try tree.set(leaf) }
        return try tree.root()
    }

    private func bytes(_ count: Int, _ seed: inout Seed) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
    }
}
