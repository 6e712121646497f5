// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel

/// Tells when sessions are locked and unlocked, and when the machine is about to sleep, as logind says it.
///
/// One thread of its own waits for that, and for nothing else: where nothing happens it never wakes up. A bus that goes
/// away is awaited. What happened meanwhile nobody can say, so its return counts as a lock of every session.
package final class SessionEvents: Sendable {
    private let cancellation = PromptCancellation()

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - user: whose sessions; nil for everybody's.
    ///   - bus: its address. Not taken from the environment: on a bus of somebody's own, anybody is logind.
    ///   - report: is told how well sessions are watched, whenever that changes.
    ///   - handle: is told of events, one after another. The machine does not sleep before it has returned, or logind has
    ///     lost patience (five seconds, as it is set up everywhere).
    package init(
        user: UInt32?, bus address: String = Bus.system,
        report: @escaping @Sendable (SessionWatch) -> Void, _ handle: @escaping @Sendable (SessionEvent) -> Void
    ) {
        let told = ForkSafeMutex<SessionWatch?>(nil)
        let watcher = SessionWatcher(
            user: user, address: address, cancellation: cancellation,
            report: { watch in
                let isNews = told.withLock { told in
                    defer { told = watch }
                    return told != watch
                }
                if isNews { report(watch) }
            }, handle: handle)
        if PromptThread.start({ watcher.run() }) != 0 { report(.noBus) }
    }

    deinit { stop() }

    /// Stops watching; an event that is being handled is handled to its end.
    package func stop() { cancellation.trip() }
}
