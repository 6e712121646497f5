// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A clock that never goes back, in microseconds.
enum Stopwatch {
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// How many microseconds one of `count` repetitions took.
    static func each<Failure: Error>(
        _ count: Int, _ repetitions: () throws(Failure) -> Void
    ) throws(Failure) -> Double {
        let start = now()
        try repetitions()
        return (now() - start) / Double(max(count, 1))
    }
}

extension [Double] {
    /// The middle one; nil when there is none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
