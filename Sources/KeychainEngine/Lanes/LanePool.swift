// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainStore

/// Lanes for reading that wait for work.
///
/// Taking one never waits: when all are out, the reader opens another.
final class LanePool: Sendable {
    /// A place for one lane.
    // Sendable: a lane is in one slot or in one thread's hands, never in two.
    struct Slot: @unchecked Sendable {
        var lane: StoreLane?
        /// Which file the lane's connection has open.
        var file: FileIdentity?
        /// How the lane's connection was opened, where that is not as it is on a disk that can be written and has room.
        var limit: KeychainEngine.OpenLimit?
        /// When, in whole seconds, the file was last seen to be still the keychain's.
        var seenAt = 0
        /// Which keys were in force when the slot was taken.
        fileprivate var epoch = 0

        init() {}

        /// The slot without its lane; it stays one that was taken when it was taken.
        func emptied() -> Slot {
            var slot = self
            slot.lane = nil
            slot.file = nil
            slot.limit = nil
            return slot
        }
    }

    private struct State: Sendable {
        var idle: [Slot] = []
        var epoch = 0
        /// Lanes in readers' hands, of this epoch and of earlier ones.
        var out = 0
        var outOfEarlier = 0
    }

    private let state = ForkSafeMutex(State())
    /// Beyond this many a lane is closed when it comes back; a burst of threads must not hold files for ever.
    private static let mostIdle = 4

    func take() -> Slot {
        state.withLock { state in
            state.out += 1
            var slot = state.idle.popLast() ?? Slot()
            slot.epoch = state.epoch
            return slot
        }
    }

    /// Takes a lane back, and leaves an empty slot.
    ///
    /// A lane of an earlier epoch is gone, with its keys, before it counts as given back: whoever waits for that relies on
    /// it.
    func giveBack(_ slot: inout Slot) {
        let fate = state.withLock { state -> Fate in
            guard slot.epoch == state.epoch else { return .expired }
            state.out -= 1
            guard state.idle.count < LanePool.mostIdle else { return .surplus }
            state.idle.append(slot)
            return .kept
        }
        if fate != .kept { slot.lane?.close() }
        slot = slot.emptied()
        if fate == .expired { state.withLock { $0.outOfEarlier -= 1 } }
    }

    private enum Fate {
        case kept
        case surplus
        case expired
    }

    /// Closes all idle lanes now and the others when they come back: their keys are no longer in force.
    func retire() {
        let slots = state.withLock { state in
            let all = state.idle
            state.idle = []
            state.epoch += 1
            state.outOfEarlier += state.out
            state.out = 0
            return all
        }
        for slot in slots { slot.lane?.close() }
    }

    /// Gives idle lanes other keys; lanes that are out, and those that `adopt` refuses, are closed like retired ones.
    func renew(_ adopt: (StoreLane) -> Bool) {
        let refused = state.withLock { state in
            var refused: [Slot] = []
            var kept: [Slot] = []
            for slot in state.idle {
                if slot.lane.map(adopt) ?? true { kept.append(slot) } else { refused.append(slot) }
            }
            state.idle = kept
            state.epoch += 1
            state.outOfEarlier += state.out
            state.out = 0
            return refused
        }
        for slot in refused { slot.lane?.close() }
    }

    /// Waits until no operation is under way that began before the lanes were last retired.
    func waitForRetired() {
        while state.withLock({ $0.outOfEarlier }) > 0 {
            var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
            unsafe nanosleep(&pause, nil)
        }
    }
}
