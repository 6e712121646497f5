// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Whether to look for the next packet a few times before going to sleep for it.
///
/// A processor that has gone to sleep takes longer to wake than a call takes to be answered, and a call wakes two. So both sides
/// stay awake for as long as an answer usually takes, but only while that is worth it: each time that nothing came, it is
/// not tried for twice as many packets as the time before. With one processor, who waits would keep the other from answering.
struct ShortWait {
    /// How many packets to wait asleep for before the next try, and after it if it is in vain.
    private var pause = 0
    private var nextPause = 1

    private static let isWorthIt = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
    private static let nanoseconds: UInt64 = 50_000
    private static let longestPause = 64

    /// Asks `arrives` again and again, for a short time; false when nothing came, or it is not the time to try.
    mutating func sees<Failure: Error>(_ arrives: () throws(Failure) -> Bool) throws(Failure) -> Bool {
        guard ShortWait.isWorthIt else { return false }
        guard pause == 0 else {
            pause -= 1
            return false
        }
        let end = now + ShortWait.nanoseconds
        repeat {
            if try arrives() {
                nextPause = 1
                return true
            }
            // Whoever has something to do goes first, above all who is to answer.
            sched_yield()
        } while now < end
        pause = nextPause
        nextPause = min(nextPause * 2, ShortWait.longestPause)
        return false
    }

    private var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
