// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a thread has used of a processor: unlike the time of day it does not grow with what else the machine does.
package enum CPUTime {
    package static var ofThread: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
