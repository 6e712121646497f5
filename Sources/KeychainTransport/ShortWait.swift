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
    /// Nanoseconds awake, and nanoseconds after which somebody else must have had the processor meanwhile.
    private static let longest: UInt64 = 100_000
    private static let longestTurn: UInt64 = 12_000
    private static let longestPause = 64

    /// Asks `arrives` again and again, for a short time; false when nothing came, or it is not the time to try.
    mutating func sees<Failure: Error>(_ arrives: () throws(Failure) -> Bool) throws(Failure) -> Bool {
        guard ShortWait.isWorthIt else { return false }
        guard pause == 0 else {
            pause -= 1
            return false
        }
        let start = now
        var last = start
        repeat {
            if try arrives() {
                nextPause = 1
                return true
            }
            // Whoever has something to do goes first. If there is anybody, sleeping costs nothing, and staying awake does.
            sched_yield()
            let next = now
            guard next - last < ShortWait.longestTurn else { break }
            last = next
        } while last - start < ShortWait.longest
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
