// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainDaemon
import Synchronization
import TestProcesses
import TestPrompts

/// Sessions that are watched, and what was said of them so far.
final class WatchedSessions: Sendable {
    private struct Heard {
        var events: [SessionEvent] = []
        var states: [SessionWatch] = []
    }

    private let heard: Box
    private let events: SessionEvents

    /// `handle` is called within the handling of each event.
    init(
        _ scene: LogindScene, user: UInt32?, interval: Int32 = 60_000,
        handle: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        let heard = Box()
        self.heard = heard
        events = SessionEvents(user: user, bus: scene.address, sessions: scene.sessions, interval: interval) { state in
            heard.add { $0.states.append(state) }
        } _: { event in
            handle(event)
            heard.add { $0.events.append(event) }
        }
    }

    /// The events, once there are so many of them.
    func events(_ count: Int) throws -> [SessionEvent] { try heard.wait { $0.events.count >= count }.events }

    /// The states, once there were so many of them.
    @discardableResult
    func states(_ count: Int) throws -> [SessionWatch] { try heard.wait { $0.states.count >= count }.states }

    /// Returns once that event was told of.
    func await(_ event: SessionEvent) throws { _ = try heard.wait { $0.events.contains(event) } }

    /// Returns once the last state is that one, behind so many others; a bus that ends may first say that logind has.
    func awaitState(_ state: SessionWatch, behind count: Int) throws {
        _ = try heard.wait { $0.states.count > count && $0.states.last == state }
    }

    func stop() { events.stop() }

    private final class Box: Sendable {
        private let heard = Mutex(Heard())
        private let wakeUp = DispatchSemaphore(value: 0)

        func add(_ body: (inout Heard) -> Void) {
            heard.withLock { body(&$0) }
            wakeUp.signal()
        }

        func wait(_ condition: (Heard) -> Bool) throws -> (events: [SessionEvent], states: [SessionWatch]) {
            // Of all of it: what keeps coming is no end of the wait.
            let end = DispatchTime.now() + EventLimit.seconds
            while true {
                let now = heard.withLock { $0 }
                if condition(now) { return (now.events, now.states) }
                guard wakeUp.wait(timeout: end) == .success else {
                    throw Trouble("only \(now.events.suffix(20)) and \(now.states) so far")
                }
            }
        }
    }
}
