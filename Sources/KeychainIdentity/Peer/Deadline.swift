// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// A moment after which nobody waits any longer.
struct Deadline {
    private let end: Int64?

    /// So many milliseconds from now; never when negative.
    init(milliseconds: Int32) {
        end = milliseconds < 0 ? nil : Deadline.now() + Int64(milliseconds)
    }

    /// Returns when there is something to read.
    func wait(for socket: OwnedDescriptor) throws(PeerError) {
        let left = end.map { Int32(clamping: max(0, $0 - Deadline.now())) } ?? -1
        let ready = llv_peer_wait(socket.number, false, left)
        guard ready >= 0 else { throw .system(-ready) }
        guard ready > 0 else { throw .timedOut }
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
