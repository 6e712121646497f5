// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import TestSeed
import Testing

@Suite struct SecretArenaTests {
    private func bytes(_ slot: SecretArena.Slot, _ count: Int) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: slot.start, count: count))
    }

    @Test("freeing a slot leaves zeros in it")
    func wipes() {
        let arena = SecretArena(capacity: 4096)
        for count in [1, 16, 17, 100, 1024] {
            let slot = arena.allocate(count)
            #expect(slot.isInArena)
            slot.start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: count)
            arena.free(slot, count: count)
            // The mapping outlives the slot, so looking at it is allowed.
            #expect(bytes(slot, count).allSatisfy { $0 == 0 })
        }
    }

    @Test("a freed slot is the next one of its size")
    func reuses() {
        let arena = SecretArena(capacity: 4096)
        let first = arena.allocate(33)
        let address = first.start
        arena.free(first, count: 33)
        let other = arena.allocate(20)
        let second = arena.allocate(64)
        #expect(other.start != address)
        #expect(second.start == address)
    }

    @Test("two slots never overlap")
    func disjoint() {
        let arena = SecretArena(capacity: 64 << 10)
        var generator = SystemRandomNumberGenerator()
        var taken: [(slot: SecretArena.Slot, count: Int, mark: UInt8)] = []
        for round in 0..<2000 {
            if taken.count > 40 || (Bool.random(using: &generator) && !taken.isEmpty) {
                let (slot, count, mark) = taken.remove(at: Int.random(in: taken.indices, using: &generator))
                #expect(bytes(slot, count).allSatisfy { $0 == mark })
                arena.free(slot, count: count)
            } else {
                let count = Int.random(in: 0...1100, using: &generator)
                let slot = arena.allocate(count)
                #expect(bytes(slot, count).allSatisfy { $0 == 0 })
                slot.start.initializeMemory(as: UInt8.self, repeating: UInt8(round & 0xff), count: count)
                taken.append((slot, count, UInt8(round & 0xff)))
            }
        }
        for (slot, count, _) in taken { arena.free(slot, count: count) }
    }

    @Test("a full arena goes on in ordinary memory, and comes back when a slot is freed")
    func exhausted() {
        let arena = SecretArena(capacity: 4096)
        var slots = (0..<4).map { _ in arena.allocate(1024) }
        #expect(slots.allSatisfy { $0.isInArena })
        let outside = arena.allocate(1024)
        #expect(!outside.isInArena)
        #expect(bytes(outside, 1024).allSatisfy { $0 == 0 })
        arena.free(outside, count: 1024)
        arena.free(slots.removeLast(), count: 1024)
        let inside = arena.allocate(1024)
        #expect(inside.isInArena)
        #expect(!arena.allocate(16).isInArena, "a slot of one size is not cut into smaller ones")
    }

    @Test("a full arena takes another mapping, as guarded as the first, and gives it back when nothing is in it")
    func grows() {
        let arena = SecretArena(capacity: 4096, mappings: 3)
        let protection = arena.protection
        var slots = (0..<12).map { _ in arena.allocate(1024) }
        #expect(slots.allSatisfy { $0.isInArena })
        #expect(arena.mappings == 3)
        #expect(arena.protection == protection)
        #expect(!arena.allocate(1024).isInArena)
        for slot in slots { slot.start.storeBytes(of: 0xAA, as: UInt8.self) }
        for slot in slots[4...] { arena.free(slot, count: 1024) }
        // One that is empty is kept for the next.
        #expect(arena.mappings == 2)
        // The first one's are as they were.
        #expect(slots[..<4].allSatisfy { $0.start.load(as: UInt8.self) == 0xAA })
        slots = Array(slots[..<4]) + (0..<4).map { _ in arena.allocate(1024) }
        #expect(slots.allSatisfy { $0.isInArena })
        #expect(bytes(slots[7], 1024).allSatisfy { $0 == 0 })
        for slot in slots { arena.free(slot, count: 1024) }
        #expect(arena.mappings == 1)
    }

    @Test("slots of any sizes, taken and freed in any order, are of their own and zeroed, over many mappings")
    func mixed() {
        var seed = Seed(for: "SecretArenaTests.mixed")
        let arena = SecretArena(capacity: 8192, mappings: 1000)
        var taken: [(slot: SecretArena.Slot, count: Int, mark: UInt8)] = []
        for round in 0..<5000 {
            if taken.count > 400 || (!taken.isEmpty && Int.random(in: 0..<5, using: &seed) < 2) {
                let old = taken.remove(at: Int.random(in: 0..<taken.count, using: &seed))
                #expect(bytes(old.slot, old.count).allSatisfy { $0 == old.mark })
                arena.free(old.slot, count: old.count)
            } else {
                let count = Int.random(in: 1...1024, using: &seed)
                let slot = arena.allocate(count)
                #expect(slot.isInArena)
                #expect(bytes(slot, count).allSatisfy { $0 == 0 })
                slot.start.initializeMemory(as: UInt8.self, repeating: UInt8(round & 0xff), count: count)
                taken.append((slot, count, UInt8(round & 0xff)))
            }
        }
        #expect(arena.mappings > 2)
        for (slot, count, _) in taken { arena.free(slot, count: count) }
        #expect(arena.mappings <= 2)
    }

    @Test("what is larger than the largest slot lives in ordinary memory")
    func large() {
        let arena = SecretArena(capacity: 4096)
        let slot = arena.allocate(1025)
        #expect(!slot.isInArena)
        arena.free(slot, count: 1025)
    }

    @Test("this machine keeps the arena out of swap, or says that it does not")
    func protection() {
        #expect(SecretArena(capacity: 4096).protection != .absent)
    }
}
