// SPDX-License-Identifier: Apache-2.0

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
    }

    private let idle = ForkSafeMutex<[Slot]>([])
    /// Beyond this many a lane is closed when it comes back; a burst of threads must not hold files for ever.
    private static let mostIdle = 4

    func take() -> Slot {
        idle.withLock { $0.popLast() } ?? Slot()
    }

    func giveBack(_ slot: Slot) {
        let isKept = idle.withLock { idle in
            guard idle.count < LanePool.mostIdle else { return false }
            idle.append(slot)
            return true
        }
        if !isKept { slot.lane?.close() }
    }

    func closeAll() {
        let slots = idle.withLock { idle in
            let all = idle
            idle = []
            return all
        }
        for slot in slots { slot.lane?.close() }
    }
}
