// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A point in time that no change of the clock moves.
struct Moment: Comparable, Sendable {
    private let milliseconds: Int64

    static var now: Moment {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `microseconds` of CLOCK_MONOTONIC, as sd-bus counts.
    init(microseconds: UInt64) { milliseconds = Int64(clamping: microseconds / 1000) }

    private init(milliseconds: Int64) { self.milliseconds = milliseconds }

    func adding(seconds: UInt32) -> Moment { Moment(milliseconds: milliseconds + Int64(seconds) * 1000) }
    func adding(milliseconds: Int32) -> Moment { Moment(milliseconds: self.milliseconds + Int64(milliseconds)) }

    static let never = Moment(milliseconds: .max)

    /// How long it is until then, for poll: 0 when it has passed, and -1 when it never comes.
    var remaining: Int32 {
        if self == .never { return -1 }
        return Int32(clamping: max(0, milliseconds - Moment.now.milliseconds))
    }

    /// The same in seconds that are not quite over.
    var remainingSeconds: Int32 { remaining / 1000 + (remaining % 1000 > 0 ? 1 : 0) }

    static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}
