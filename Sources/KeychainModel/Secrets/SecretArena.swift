// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The memory secrets live in: one locked mapping for the whole process, handed out in small slots.
///
/// A mapping per secret would cost 8–13 µs, more than finding the item. What is larger than a slot, or comes when the
/// arena is full, lives in ordinary memory: still wiped, but it may be swapped.
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
    package static let shared = SecretArena(capacity: 256 << 10)

    /// A second arena, for tests.
    ///
    /// Its mapping stays as long as the process.
    package init(capacity: Int) {
        state = ForkSafeMutex(State(capacity: capacity))
    }

    package var protection: Protection {
        withState {
            $0.map()
            return $0.protection
        }
    }

    /// Zeroed memory for `count` bytes.
    ///
    /// Never fails; ends the program when memory has run out.
    package func allocate(_ count: Int) -> Slot {
        precondition(count >= 0, "a secret cannot have a negative size")
        if let sizeClass = Self.sizeClass(for: count),
            let slot = withState({ $0.take(sizeClass) })
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
        // The mapping of an older epoch does not exist here, and its addresses may be somebody else's by now.
        guard slot.epoch == llv_fork_epoch() else { return }
        unsafe llv_wipe(slot.start, count)
        withState { $0.giveBack(slot, sizeClass) }
    }

    // Inside an operation, so that no fork copies the lock while it is held.
    private func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        return state.withLock(body)
    }

    private static func sizeClass(for count: Int) -> UInt8? {
        for index in slotSizes.indices where count <= slotSizes[index] { return UInt8(index) }
        return nil
    }

    private static let alignment = 16
    private static let slotSizes = [16, 32, 64, 128, 256, 512, 1024]
}

extension SecretArena {
    // Safe: `memory` never leaves but as the start of a slot.
    @safe
    private struct State {
        let capacity: Int
        var protection = Protection.absent
        var carved = 0
        private var epoch: UInt32?
        private var memory: UnsafeMutableRawPointer?
        /// Offsets of freed slots, one list per size.
        ///
        /// They are kept outside the arena, so that a freed slot is all zeros and a stray write to one damages no list.
        private var freed: [[UInt32]] = []

        init(capacity: Int) {
            self.capacity = capacity
        }

        /// Maps the arena at first use, and anew in a forked child.
        mutating func map() {
            llv_fork_watch()
            let now = llv_fork_epoch()
            guard epoch != now else { return }
            var kind: Int32 = 0
            epoch = now
            unsafe memory = llv_map_secret(capacity, &kind)
            unsafe protection = memory == nil ? .absent : Protection(rawValue: kind) ?? .unlocked
            carved = 0
            freed = Array(repeating: [], count: SecretArena.slotSizes.count)
        }

        mutating func take(_ sizeClass: UInt8) -> Slot? {
            map()
            guard let memory = unsafe memory, let epoch else { return nil }
            if let offset = freed[Int(sizeClass)].popLast() {
                return unsafe Slot(start: memory + Int(offset), epoch: epoch, sizeClass: sizeClass)
            }
            let size = SecretArena.slotSizes[Int(sizeClass)]
            guard carved + size <= capacity else { return nil }
            defer { carved += size }
            return unsafe Slot(start: memory + carved, epoch: epoch, sizeClass: sizeClass)
        }

        mutating func giveBack(_ slot: Slot, _ sizeClass: UInt8) {
            guard let memory = unsafe memory else { return }
            unsafe freed[Int(sizeClass)].append(UInt32(slot.start - memory))
        }
    }
}
