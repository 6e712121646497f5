// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// How long a thread waits for something: until a point in time, or until the wait is cancelled.
package struct Deadline: ~Copyable {
    package let end: Instant
    private let cancellation: Cancellation
    private let wakeUp: WakeUp

    package init(until end: Instant, cancellation: Cancellation) throws(WaitFailure) {
        wakeUp = try WakeUp()
        self.end = end
        self.cancellation = cancellation
        cancellation.attach(wakeUp)
    }

    /// Without `seconds` only a cancellation ends it.
    package init(seconds: UInt32?, _ cancellation: Cancellation) throws(WaitFailure) {
        try self.init(until: seconds.map(Instant.now.adding(seconds:)) ?? .never, cancellation: cancellation)
    }

    deinit {
        cancellation.detach(wakeUp)
    }

    package func check() throws(WaitFailure) {
        if isCancelled { throw .cancelled }
        if end.remaining == 0 { throw .timedOut }
    }

    /// Also by a signal, on a thread that notes those (`llv_stops_note`): who tidies up cannot wait for a person.
    private var isCancelled: Bool {
        if llv_stops_noted() != 0 { cancellation.trip() }
        return cancellation.isTripped
    }

    /// Waits until one of poll's `events` is true of `file`; returns false when none is by `moment`.
    package func wait(for file: Int32, _ events: Int32, until moment: Instant? = nil) throws(WaitFailure) -> Bool {
        try wait(for: file, events, or: -1, until: moment).isReady
    }

    /// The same, and ends too when `other` can be read; says which it was, perhaps both or, at `moment`, neither.
    package func wait(
        for file: Int32, _ events: Int32, or other: Int32, until moment: Instant? = nil
    ) throws(WaitFailure) -> (isReady: Bool, isOtherReady: Bool) {
        let limit = moment.map { min($0, end) } ?? end
        while true {
            try check()
            let awaited = [
                pollfd(fd: file, events: Int16(truncatingIfNeeded: events), revents: 0),
                pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
                pollfd(fd: llv_stops_line(), events: Int16(POLLIN), revents: 0),
            ]
            let (found, ready) = try Deadline.poll(awaited, limit.remaining)
            if ready[1].revents != 0 { wakeUp.reset() }
            // A cancellation goes before what is ready at the same time.
            if isCancelled { throw .cancelled }
            let answer = (isReady: ready[0].revents != 0, isOtherReady: ready[2].revents != 0)
            if answer.isReady || answer.isOtherReady { return answer }
            if found == 0, let moment, moment.remaining == 0, end.remaining != 0 { return answer }
        }
    }

    /// Waits until `file` can be read.
    package func wait(for file: Int32) throws(WaitFailure) { _ = try wait(for: file, POLLIN) }

    /// Waits that long, whatever happens meanwhile.
    package func pause(milliseconds: Int32) throws(WaitFailure) {
        _ = try wait(for: -1, POLLIN, until: Instant.now.adding(milliseconds: milliseconds))
    }

    /// `poll`; a signal that interrupts it counts as one file found, with nothing ready.
    fileprivate static func poll(_ files: [pollfd], _ milliseconds: Int32) throws(WaitFailure) -> (Int32, [pollfd]) {
        var files = files
        let found = unsafe Glibc.poll(&files, nfds_t(files.count), milliseconds)
        if found >= 0 { return (found, files) }
        guard errno == EINTR || errno == EAGAIN else { throw .failed(errno) }
        return (1, files.map { pollfd(fd: $0.fd, events: $0.events, revents: 0) })
    }
}

/// A point in time of the monotonic clock, which a change of the system's time does not move.
package struct Instant: Comparable, Sendable {
    private let milliseconds: Int64

    package static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `microseconds` of CLOCK_MONOTONIC, as sd-bus counts.
    package init(microseconds: UInt64) { milliseconds = Int64(clamping: microseconds / 1000) }

    /// That many milliseconds from now; never when the number is negative, as for poll.
    package init(inMilliseconds count: Int32) { self = count < 0 ? .never : .now.adding(milliseconds: count) }

    private init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package func adding(seconds: UInt32) -> Instant { Instant(milliseconds: milliseconds + Int64(seconds) * 1000) }

    package func adding(milliseconds: Int32) -> Instant {
        Instant(milliseconds: self.milliseconds + Int64(milliseconds))
    }

    package static let never = Instant(milliseconds: .max)

    /// Milliseconds until then, for poll: 0 when it has passed, and -1 when it never comes.
    package var remaining: Int32 {
        if self == .never { return -1 }
        return Int32(clamping: max(0, milliseconds - Instant.now.milliseconds))
    }

    /// The same, and at most `most` milliseconds; a negative `most` is no limit.
    package func remaining(atMost most: Int32) -> Int32 {
        let left = remaining
        if left < 0 { return most }
        return most < 0 ? left : min(left, most)
    }

    /// Seconds until then; a part of a second counts as one.
    package var remainingSeconds: Int32 { remaining / 1000 + (remaining % 1000 > 0 ? 1 : 0) }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

/// Why a wait ended before what it waited for was there.
package enum WaitFailure: Error, Sendable {
    /// Another thread cancelled it.
    case cancelled
    /// The time is over.
    case timedOut
    /// The system refused something that waiting needs; an errno.
    case failed(Int32)
}

/// An error that can say why a wait ended.
package protocol BreakableWait: Error, Sendable {
    init(_ wait: WaitFailure)
}

extension BreakableWait {
    /// Runs `body`, whose only error is that waiting ended early.
    package static func translating<Result: ~Copyable>(
        _ body: () throws(WaitFailure) -> Result
    ) throws(Self) -> Result {
        do throws(WaitFailure) { return try body() } catch { throw Self(error) }
    }
}

/// Something that one thread can wait for together with files, and that any other thread can signal.
///
/// It may be signalled before a thread waits for it, and more than once. In a forked child the parent's do nothing: their
/// descriptors are the parent's too, and a signal would wake its threads.
package final class WakeUp: Sendable {
    /// Readable when it was signalled.
    package let file: Int32
    private let sender: Int32
    private let epoch: UInt32

    package init() throws(WaitFailure) {
        llv_fork_watch()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failed(errno) }
        file = ends[0]
        sender = ends[1]
        epoch = llv_fork_epoch()
    }

    deinit {
        close(file)
        close(sender)
    }

    package func signal() {
        guard epoch == llv_fork_epoch() else { return }
        var byte: UInt8 = 1
        // A full socket is readable already.
        _ = unsafe send(sender, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Waits until it is signalled; may return earlier, when a signal of the system comes.
    package func wait() throws(WaitFailure) {
        _ = try Deadline.poll([pollfd(fd: file, events: Int16(POLLIN), revents: 0)], -1)
    }

    /// Makes it ready for the next signal.
    package func reset() {
        var bytes: UInt64 = 0
        while unsafe read(file, &bytes, 8) > 0 {}
    }
}

/// What cancels waits: one thread waits, for a person as a rule, and another one trips this.
///
/// It stays tripped. One may serve any number of waits, one after another or at the same time.
package final class Cancellation: Sendable {
    private struct State {
        var isTripped = false
        var wakeUps: [WakeUp] = []
    }

    private let state = ForkSafeMutex(State())

    package init() {}

    package var isTripped: Bool { state.withLock { $0.isTripped } }

    package func trip() {
        state.withLock { state in
            state.isTripped = true
            for wakeUp in state.wakeUps { wakeUp.signal() }
        }
    }

    /// Signals `wakeUp` when this is tripped, or at once if it is already.
    package func attach(_ wakeUp: WakeUp) {
        state.withLock { state in
            state.wakeUps.append(wakeUp)
            if state.isTripped { wakeUp.signal() }
        }
    }

    package func detach(_ wakeUp: WakeUp) {
        state.withLock { state in state.wakeUps.removeAll { $0 === wakeUp } }
    }
}
