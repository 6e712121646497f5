// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainSystem

/// The memory secrets live in: locked mappings for the whole process, handed out in small slots.
///
/// A mapping per secret would cost 8–13 µs, more than finding the item. There is one, and another when all are full: a
/// daemon has many users' keys, and one user's many must not push another's out. What is larger than a slot, or comes when no more
/// can be mapped, lives in ordinary memory: still wiped, but it may be swapped.
/// A forked child has no such mapping; it makes its own at its first secret.
package final class SecretArena: Sendable {
    /// How well the kernel guards the arena's memory.
    package enum Protection: Int32, Sendable {
        /// The kernel itself cannot read it (memfd_secret).
        case hidden = 1
        /// It is never swapped (mlock).
        case locked = 2
        /// It may be swapped: this process may not lock memory.
        case unlocked = 3
        /// There is no arena: nothing could be mapped.
        case absent = 4
    }

    /// Where a secret is. `epoch` says in which process, counted in forks.
    // Safe and Sendable: an address; using it is unsafe, and says so where it is done, holding it is not.
    @safe
    package struct Slot: @unchecked Sendable {
        package let start: UnsafeMutableRawPointer
        package let epoch: UInt32
        /// Index into `slotSizes`; nil for ordinary memory.
        internal let sizeClass: UInt8?

        package var isInArena: Bool { sizeClass != nil }
    }

    private let state: ForkSafeMutex<State>

    /// The arena every secret of this process is in.
    package static let shared = SecretArena(capacity: 256 << 10, mappings: 256)

    /// A second arena, for tests: of so many mappings at most, each of `capacity` bytes.
    ///
    /// The first mapping stays as long as the process.
    package init(capacity: Int, mappings: Int = 1) {
        state = ForkSafeMutex(State(capacity: capacity, mostMappings: mappings))
    }

    /// How well all of it is guarded.
    package var protection: Protection {
        state.withLock {
            $0.begin()
            return $0.protection
        }
    }

    /// How many mappings there are.
    package var mappings: Int { state.withLock { $0.count } }

    /// Zeroed memory for `count` bytes.
    ///
    /// Never fails; ends the program when memory has run out.
    package func allocate(_ count: Int) -> Slot {
        precondition(count >= 0, "a secret cannot have a negative size")
        if let sizeClass = Self.sizeClass(for: count),
            let slot = state.withLock({ $0.take(sizeClass) })
        {
            return slot
        }
        let start = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: Self.alignment)
        unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        llv_fork_watch()
        return unsafe Slot(start: start, epoch: llv_fork_epoch(), sizeClass: nil)
    }

    /// Wipes the `count` bytes and takes the slot back.
    package func free(_ slot: Slot, count: Int) {
        guard let sizeClass = slot.sizeClass else {
            // In a child this is the child's own copy, so wiping it is right.
            unsafe llv_wipe(slot.start, count)
            return unsafe slot.start.deallocate()
        }
        // The mapping of an older epoch does not exist here, and its addresses may be used for something else by now.
        guard slot.epoch == llv_fork_epoch() else { return }
        unsafe llv_wipe(slot.start, count)
        state.withLock { $0.giveBack(slot, sizeClass) }
    }

    private static func sizeClass(for count: Int) -> UInt8? {
        for index in slotSizes.indices where count <= slotSizes[index] { return UInt8(index) }
        return nil
    }

    private static let alignment = 16
    private static let slotSizes = [16, 32, 64, 128, 256, 512, 1024]
}

extension SecretArena {
    /// One mapping.
    // Safe: `memory` never leaves but as the start of a slot.
    @safe
    private struct Mapping {
        let memory: UnsafeMutableRawPointer
        let protection: Protection
        let size: Int
        var carved = 0
        /// Slots that are handed out.
        var used = 0
        /// Offsets of freed slots, one list per size.
        ///
        /// They are kept outside the arena, so that a freed slot is all zeros and a stray write to one damages no list.
        private var freed: [[UInt32]] = Array(repeating: [], count: SecretArena.slotSizes.count)

        /// nil when nothing can be mapped.
        init?(size: Int) {
            var kind: Int32 = 0
            guard let memory = unsafe llv_map_secret(size, &kind) else { return nil }
            unsafe self.memory = memory
            self.size = size
            protection = Protection(rawValue: kind) ?? .unlocked
        }

        mutating func take(_ sizeClass: UInt8, _ epoch: UInt32) -> Slot? {
            if let offset = freed[Int(sizeClass)].popLast() {
                used += 1
                return unsafe Slot(start: memory + Int(offset), epoch: epoch, sizeClass: sizeClass)
            }
            let slotSize = SecretArena.slotSizes[Int(sizeClass)]
            guard carved + slotSize <= size else { return nil }
            defer { carved += slotSize }
            used += 1
            return unsafe Slot(start: memory + carved, epoch: epoch, sizeClass: sizeClass)
        }

        func holds(_ slot: Slot) -> Bool { unsafe slot.start >= memory && slot.start < memory + size }

        mutating func giveBack(_ slot: Slot, _ sizeClass: UInt8) {
            unsafe freed[Int(sizeClass)].append(UInt32(slot.start - memory))
            used -= 1
        }

        func unmap() { unsafe llv_unmap_secret(memory, size) }
    }

    private struct State {
        let capacity: Int
        let mostMappings: Int
        private var epoch: UInt32?
        private var mappings: [Mapping] = []
        /// Where the last slot was found, which is where the next is looked for first.
        private var latest = 0
        /// Whether the system refused a mapping: it is not asked again for each secret, but when one was given back.
        private var isRefused = false

        init(capacity: Int, mostMappings: Int) {
            self.capacity = capacity
            self.mostMappings = mostMappings
        }

        var count: Int { mappings.count }

        /// That of the least guarded mapping.
        var protection: Protection {
            mappings.map(\.protection).max { $0.rawValue < $1.rawValue } ?? .absent
        }

        /// Maps the arena at first use, and anew in a forked child.
        mutating func begin() {
            llv_fork_watch()
            let now = llv_fork_epoch()
            guard epoch != now else { return }
            epoch = now
            (mappings, latest, isRefused) = ([], 0, false)
            if let first = Mapping(size: capacity) { mappings.append(first) }
        }

        mutating func take(_ sizeClass: UInt8) -> Slot? {
            begin()
            guard let epoch, !mappings.isEmpty else { return nil }
            if let slot = mappings[latest].take(sizeClass, epoch) { return slot }
            for index in mappings.indices where index != latest {
                guard let slot = mappings[index].take(sizeClass, epoch) else { continue }
                latest = index
                return slot
            }
            guard !isRefused, mappings.count < mostMappings else { return nil }
            // No worse guarded than the first: what cannot be locked any more is ordinary memory, and said to be.
            guard let next = Mapping(size: capacity) else {
                isRefused = true
                return nil
            }
            guard next.protection.rawValue <= protection.rawValue || next.protection != .unlocked else {
                next.unmap()
                isRefused = true
                return nil
            }
            mappings.append(next)
            latest = mappings.count - 1
            return mappings[latest].take(sizeClass, epoch)
        }

        mutating func giveBack(_ slot: Slot, _ sizeClass: UInt8) {
            guard let index = mappings.firstIndex(where: { $0.holds(slot) }) else { return }
            mappings[index].giveBack(slot, sizeClass)
            // One that is empty stays, or a program that needs a little more than one would map it again and again.
            guard index > 0, mappings[index].used == 0, mappings.count(where: { $0.used == 0 }) > 1 else { return }
            mappings.remove(at: index).unmap()
            (latest, isRefused) = (0, false)
        }
    }
}
