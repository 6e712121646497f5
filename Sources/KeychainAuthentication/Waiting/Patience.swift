// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How long somebody waits for something: until a moment, or until it is taken back.
package struct Patience: ~Copyable {
    let end: Moment
    private let cancellation: PromptCancellation
    private let bell: Bell

    init(until end: Moment, cancellation: PromptCancellation) throws(BrokenWait) {
        bell = try Bell()
        self.end = end
        self.cancellation = cancellation
        cancellation.attach(bell)
    }

    /// Without `seconds` it never ends of itself.
    package init(seconds: UInt32?, _ cancellation: PromptCancellation) throws(BrokenWait) {
        try self.init(until: seconds.map(Moment.now.adding(seconds:)) ?? .never, cancellation: cancellation)
    }

    deinit {
        cancellation.detach(bell)
    }

    package func check() throws(BrokenWait) {
        if cancellation.isTripped { throw .cancelled }
        if end.remaining == 0 { throw .timedOut }
    }

    /// Waits until something can be done with `file`, and says whether it can; false when it cannot by `moment`.
    func wait(for file: Int32, _ events: Int32, until moment: Moment? = nil) throws(BrokenWait) -> Bool {
        let limit = moment.map { min($0, end) } ?? end
        while true {
            try check()
            let awaited = [
                pollfd(fd: file, events: Int16(truncatingIfNeeded: events), revents: 0),
                pollfd(fd: bell.file, events: Int16(POLLIN), revents: 0),
            ]
            let (found, ready) = try Patience.poll(awaited, limit.remaining)
            if ready[1].revents != 0 { bell.still() }
            // What is ready counts less than that nobody wants it any more.
            if cancellation.isTripped { throw .cancelled }
            if ready[0].revents != 0 { return true }
            if found == 0, let moment, moment.remaining == 0, end.remaining != 0 { return false }
        }
    }

    /// Waits until `file` can be read.
    package func wait(for file: Int32) throws(BrokenWait) { _ = try wait(for: file, POLLIN) }

    /// Waits so long, whatever happens.
    package func pause(milliseconds: Int32) throws(BrokenWait) {
        _ = try wait(for: -1, POLLIN, until: Moment.now.adding(milliseconds: milliseconds))
    }

    /// `poll`, where being interrupted by a signal is finding nothing.
    static func poll(_ files: [pollfd], _ milliseconds: Int32) throws(BrokenWait) -> (Int32, [pollfd]) {
        var files = files
        let found = unsafe Glibc.poll(&files, nfds_t(files.count), milliseconds)
        if found >= 0 { return (found, files) }
        guard errno == EINTR || errno == EAGAIN else { throw .failed(errno) }
        return (1, files.map { pollfd(fd: $0.fd, events: $0.events, revents: 0) })
    }
}

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

/// Why somebody stopped waiting before there was anything.
package enum BrokenWait: Error, Sendable {
    /// The question was taken back.
    case cancelled
    /// Nobody answered in time.
    case timedOut
    /// The system refused something that waiting needs; an errno.
    case failed(Int32)
}

/// An error that can say so.
package protocol BreakableWait: Error, Sendable {
    init(_ wait: BrokenWait)
}
