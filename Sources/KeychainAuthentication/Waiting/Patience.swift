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
