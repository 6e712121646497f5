// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainStore
internal import KeychainSystem

/// Idle connections for reading.
///
/// Taking one never waits: when all are out, the reader opens another.
final class ConnectionPool: Sendable {
    /// A place for one connection.
    // Sendable: a connection is in one slot or in one thread's hands, never in two.
    struct Slot: @unchecked Sendable {
        var connection: StoreConnection?
        /// The file that the connection has open.
        var file: FileIdentity?
        /// How the connection was opened, where that is not as it is on a disk that can be written and has room.
        var limit: OpenLimit?
        /// When, in whole seconds, the file was last seen to be still the keychain's.
        var seenAt = 0
        /// The epoch of the keys that were in force when the slot was taken.
        fileprivate var epoch = 0

        init() {}

        /// Leaves the slot without its connection; it stays one that was taken when it was taken.
        mutating func empty() {
            connection = nil
            file = nil
            limit = nil
        }
    }

    private struct State: Sendable {
        var idle: [Slot] = []
        var epoch = 0
        /// Connections in readers' hands, of this epoch and of earlier ones.
        var out = 0
        var outOfEarlier = 0

        /// Those that are out are of an earlier epoch from now on.
        mutating func beginEpoch() {
            epoch += 1
            outOfEarlier += out
            out = 0
        }
    }

    private let state = ForkSafeMutex(State())
    /// Beyond this many a connection is closed when it comes back; a burst of threads must not hold files for ever.
    private static let mostIdle = 4

    func take() -> Slot {
        state.withLock { state in
            state.out += 1
            var slot = state.idle.popLast() ?? Slot()
            slot.epoch = state.epoch
            return slot
        }
    }

    /// Takes a connection back, and leaves an empty slot.
    ///
    /// A connection of an earlier epoch is gone, with its keys, before it counts as given back: `waitForRetired` relies on
    /// that.
    func giveBack(_ slot: inout Slot) {
        let fate = state.withLock { state -> Fate in
            guard slot.epoch == state.epoch else { return .expired }
            state.out -= 1
            guard state.idle.count < ConnectionPool.mostIdle else { return .surplus }
            state.idle.append(slot)
            return .kept
        }
        if fate != .kept { slot.connection?.close() }
        slot.empty()
        if fate == .expired { state.withLock { $0.outOfEarlier -= 1 } }
    }

    private enum Fate {
        case kept
        case surplus
        case expired
    }

    /// Closes all idle connections now and the others when they come back: their keys are no longer in force.
    func retire() {
        let slots = state.withLock { state in
            let all = state.idle
            state.idle = []
            state.beginEpoch()
            return all
        }
        for slot in slots { slot.connection?.close() }
    }

    /// Gives idle connections other keys; those that are out, and those that `adopt` refuses, are closed like retired ones.
    func renew(_ adopt: (StoreConnection) -> Bool) {
        let refused = state.withLock { state in
            var refused: [Slot] = []
            var kept: [Slot] = []
            for slot in state.idle {
                if slot.connection.map(adopt) ?? true { kept.append(slot) } else { refused.append(slot) }
            }
            state.idle = kept
            state.beginEpoch()
            return refused
        }
        for slot in refused { slot.connection?.close() }
    }

    /// Waits until no operation is under way that began before the connections were last retired.
    func waitForRetired() {
        while state.withLock({ $0.outOfEarlier }) > 0 {
            var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
            unsafe nanosleep(&pause, nil)
        }
    }
}
