// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a thread, or all of this process, has used of a processor: unlike the time of day it does not grow with what else the machine
/// does.
package enum CPUTime {
    package static var ofThread: Duration { read(CLOCK_THREAD_CPUTIME_ID) }
    package static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
