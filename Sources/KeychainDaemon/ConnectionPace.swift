// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How fast connections are taken: at once as long as they are few, else so slowly that who is connected does not notice.
///
/// Those who wait, wait in the kernel, whoever opens thousands first of all.
struct ConnectionPace {
    private var begin: Int64 = 0
    private var count = 0

    /// To be called for each connection before it is taken.
    mutating func keep() {
        let now = ConnectionPace.milliseconds()
        if now - begin >= ConnectionPace.window {
            begin = now
            count = 0
        }
        count += 1
        guard count > ConnectionPace.burst else { return }
        var time = timespec(tv_sec: 0, tv_nsec: 2_000_000)
        unsafe nanosleep(&time, nil)
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let window: Int64 = 200
    /// More than the programs of a session that start at once.
    private static let burst = 100
}
