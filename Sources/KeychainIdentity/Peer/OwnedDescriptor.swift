// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// A file descriptor that is closed together with the last reference to it.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}

/// A moment after which nobody waits any longer.
package struct TimeLimit: Sendable {
    private let end: Int64?

    /// So many milliseconds from now; never when negative.
    package init(milliseconds: Int32) {
        end = milliseconds < 0 ? nil : TimeLimit.now() + Int64(milliseconds)
    }

    /// Returns when there is something to read.
    func wait(for socket: OwnedDescriptor) throws(PeerError) {
        let ready = llv_peer_wait(socket.number, false, remaining(atMost: -1))
        guard ready >= 0 else { throw .system(-ready) }
        guard ready > 0 else { throw .timedOut }
    }

    /// Milliseconds until then, and never more than so many; negative when neither ends.
    package func remaining(atMost most: Int32) -> Int32 {
        guard let end else { return most }
        let left = Int32(clamping: max(0, end - TimeLimit.now()))
        return most < 0 ? left : min(left, most)
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
