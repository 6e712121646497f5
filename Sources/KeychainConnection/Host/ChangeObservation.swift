// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem
package import KeychainTransport

/// Being told what becomes of items; ends with its last reference.
package final class ChangeObservation: Sendable {
    package typealias Observer = @Sendable (KeychainChanges) -> Void

    private let line: Line

    /// Subscribes at once, and calls `observer` on a thread of its own.
    ///
    /// Changes while a daemon was away are unknown: the first notice after that says so.
    package init(_ session: SocketSession, _ observer: @escaping Observer) throws(KeychainError) {
        let line = Line(try session.changes())
        self.line = line
        let failure = NamedThread.start("change-feed") {
            while let feed = line.feed {
                while let changes = feed.next() { observer(changes) }
                guard line.reconnect(session) else { return }
                observer(KeychainChanges([], isIncomplete: true))
            }
        }
        guard failure == 0 else {
            throw KeychainError(.outOfMemory, "the system cannot start a thread to listen on", code: Int64(failure))
        }
    }

    deinit { line.end() }

    /// Nothing is told any more once this returns, but what is being told now.
    package func end() { line.end() }

    /// The connection in use; nil once it has ended for good.
    private final class Line: Sendable {
        private let current: ForkSafeMutex<ChangeFeed?>

        init(_ feed: ChangeFeed) { current = ForkSafeMutex(feed) }

        var feed: ChangeFeed? { current.withLock { $0 } }

        func end() {
            current.withLock { feed in
                feed?.end()
                feed = nil
            }
        }

        /// Waits for a daemon, longer and longer; false when the observation has ended meanwhile.
        func reconnect(_ session: SocketSession) -> Bool {
            var pause = 20
            while feed != nil {
                if let fresh = try? session.changes() {
                    return current.withLock { feed in
                        guard feed != nil else { return false }
                        feed = fresh
                        return true
                    }
                }
                var time = timespec(tv_sec: pause / 1000, tv_nsec: pause % 1000 * 1_000_000)
                unsafe nanosleep(&time, nil)
                pause = min(2 * pause, 5000)
            }
            return false
        }
    }
}
