// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How long somebody waits for something: until a moment, or until it is taken back.
package struct Deadline: ~Copyable {
    let end: Instant
    private let cancellation: PromptCancellation
    private let wakeUp: WakeUp

    init(until end: Instant, cancellation: PromptCancellation) throws(WaitFailure) {
        wakeUp = try WakeUp()
        self.end = end
        self.cancellation = cancellation
        cancellation.attach(wakeUp)
    }

    /// Without `seconds` it never ends of itself.
    package init(seconds: UInt32?, _ cancellation: PromptCancellation) throws(WaitFailure) {
        try self.init(until: seconds.map(Instant.now.adding(seconds:)) ?? .never, cancellation: cancellation)
    }

    deinit {
        cancellation.detach(wakeUp)
    }

    package func check() throws(WaitFailure) {
        if cancellation.isTripped { throw .cancelled }
        if end.remaining == 0 { throw .timedOut }
    }

    /// Waits until something can be done with `file`, and says whether it can; false when it cannot by `moment`.
    func wait(for file: Int32, _ events: Int32, until moment: Instant? = nil) throws(WaitFailure) -> Bool {
        let limit = moment.map { min($0, end) } ?? end
        while true {
            try check()
            let awaited = [
                pollfd(fd: file, events: Int16(truncatingIfNeeded: events), revents: 0),
                pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
            ]
            let (found, ready) = try Deadline.poll(awaited, limit.remaining)
            if ready[1].revents != 0 { wakeUp.reset() }
            // What is ready counts less than that nobody wants it any more.
            if cancellation.isTripped { throw .cancelled }
            if ready[0].revents != 0 { return true }
            if found == 0, let moment, moment.remaining == 0, end.remaining != 0 { return false }
        }
    }

    /// Waits until `file` can be read.
    package func wait(for file: Int32) throws(WaitFailure) { _ = try wait(for: file, POLLIN) }

    /// Waits so long, whatever happens.
    package func pause(milliseconds: Int32) throws(WaitFailure) {
        _ = try wait(for: -1, POLLIN, until: Instant.now.adding(milliseconds: milliseconds))
    }

    /// `poll`, where being interrupted by a signal is finding nothing.
    static func poll(_ files: [pollfd], _ milliseconds: Int32) throws(WaitFailure) -> (Int32, [pollfd]) {
        var files = files
        let found = unsafe Glibc.poll(&files, nfds_t(files.count), milliseconds)
        if found >= 0 { return (found, files) }
        guard errno == EINTR || errno == EAGAIN else { throw .failed(errno) }
        return (1, files.map { pollfd(fd: $0.fd, events: $0.events, revents: 0) })
    }
}

/// A point in time that no change of the clock moves.
struct Instant: Comparable, Sendable {
    private let milliseconds: Int64

    static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `microseconds` of CLOCK_MONOTONIC, as sd-bus counts.
    init(microseconds: UInt64) { milliseconds = Int64(clamping: microseconds / 1000) }

    private init(milliseconds: Int64) { self.milliseconds = milliseconds }

    func adding(seconds: UInt32) -> Instant { Instant(milliseconds: milliseconds + Int64(seconds) * 1000) }
    func adding(milliseconds: Int32) -> Instant { Instant(milliseconds: self.milliseconds + Int64(milliseconds)) }

    static let never = Instant(milliseconds: .max)

    /// How long it is until then, for poll: 0 when it has passed, and -1 when it never comes.
    var remaining: Int32 {
        if self == .never { return -1 }
        return Int32(clamping: max(0, milliseconds - Instant.now.milliseconds))
    }

    /// The same in seconds that are not quite over.
    var remainingSeconds: Int32 { remaining / 1000 + (remaining % 1000 > 0 ? 1 : 0) }

    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

/// Why somebody stopped waiting before there was anything.
package enum WaitFailure: Error, Sendable {
    /// The question was taken back.
    case cancelled
    /// Nobody answered in time.
    case timedOut
    /// The system refused something that waiting needs; an errno.
    case failed(Int32)
}

/// An error that can say so.
package protocol BreakableWait: Error, Sendable {
    init(_ wait: WaitFailure)
}
