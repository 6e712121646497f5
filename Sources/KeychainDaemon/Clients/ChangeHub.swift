// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainIdentity
internal import KeychainModel
package import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport
internal import KeychainWire

/// Brings what one program changed to those who asked to be told, as far as they may see it.
final class ChangeHub: Sendable {
    private struct State: Sendable {
        var count: UInt64 = 0
        var subscriptions: [UInt64: ChangeSubscription] = [:]
        /// Those in the daemon itself, who are told at once.
        var listeners: [UInt64: @Sendable (KeychainNews) -> Void] = [:]
    }

    private let state = ForkSafeMutex(State())

    /// Whether there are listeners: without them no events are reported.
    var isHeard: Bool { state.withLock { !$0.subscriptions.isEmpty || !$0.listeners.isEmpty } }

    /// Has what others change told to a part of the daemon, on the thread of whoever did it: `body` waits for nothing.
    ///
    /// What is told under the number that this answers is not told to it.
    func listen(_ body: @escaping @Sendable (KeychainNews) -> Void) -> UInt64 {
        state.withLock { state in
            state.count += 1
            state.listeners[state.count] = body
            return state.count
        }
    }

    func subscribe(_ caller: Caller) throws(WaitFailure) -> ChangeSubscription {
        let wakeUp = try WakeUp()
        return state.withLock { state in
            state.count += 1
            let subscription = ChangeSubscription(state.count, caller, wakeUp)
            state.subscriptions[state.count] = subscription
            return subscription
        }
    }

    func end(_ subscription: ChangeSubscription) {
        state.withLock { _ = $0.subscriptions.removeValue(forKey: subscription.number) }
    }

    /// It may have been locked or unlocked.
    func tellLock() {
        for body in state.withLock({ Array($0.listeners.values) }) { body(.lockChanged) }
    }

    /// Somebody else began, changed or ended its part in a circle.
    func tellCircle(by listener: UInt64? = nil) {
        let listeners = state.withLock { state in state.listeners.filter { $0.key != listener }.map(\.value) }
        for body in listeners { body(.circleChanged) }
    }

    /// Never waits for a listener.
    func tell(_ events: [ItemEvent], by listener: UInt64? = nil) {
        let changes = events.filter(\.isChange)
        guard !changes.isEmpty else { return }
        let (subscriptions, listeners) = state.withLock { state in
            (Array(state.subscriptions.values), state.listeners.filter { $0.key != listener }.map(\.value))
        }
        for subscription in subscriptions { subscription.take(changes) }
        for body in listeners { body(.changed(changes)) }
    }
}

/// What a part of the daemon hears of a keychain that others use.
package enum KeychainNews: Sendable {
    case changed([ItemEvent])
    /// It may have been locked or unlocked.
    case lockChanged
    /// What it knows of its circle is another than before.
    case circleChanged
}

/// What one program is still to be told.
final class ChangeSubscription: Sendable {
    let number: UInt64
    /// Rings when there is something.
    let wakeUp: WakeUp
    private let caller: Caller

    private struct Waiting: Sendable {
        var events: [ItemEvent] = []
        var isIncomplete = false
    }

    private let waiting = ForkSafeMutex(Waiting())

    init(_ number: UInt64, _ caller: Caller, _ wakeUp: WakeUp) {
        self.number = number
        self.caller = caller
        self.wakeUp = wakeUp
    }

    /// Keeps what the program may see; of one that does not listen no more than so much.
    func take(_ events: [ItemEvent]) {
        let visible = events.filter { event in
            caller.seesEveryGroup || caller.groups.contains { $0.name.hasSameBytes(as: event.group) }
        }
        guard !visible.isEmpty else { return }
        waiting.withLock { waiting in
            guard waiting.events.count + visible.count <= ChangeSubscription.most else {
                waiting = Waiting(events: [], isIncomplete: true)
                return
            }
            waiting.events += visible
        }
        wakeUp.signal()
    }

    /// What is to be told now; nil when there is nothing.
    func next() -> KeychainChanges? {
        wakeUp.reset()
        return waiting.withLock { waiting in
            guard !waiting.events.isEmpty || waiting.isIncomplete else { return nil }
            defer { waiting = Waiting() }
            return KeychainChanges(waiting.events, isIncomplete: waiting.isIncomplete)
        }
    }

    private static let most = 10_000
}

extension ClientSession {
    /// Tells the client of changes until it hangs up, or says anything more.
    func tellChanges(of keychain: UserKeychain, as number: UInt64) throws(TransportError) {
        let (hub, edition) = (keychain.hub, program.edition)
        let subscription: ChangeSubscription
        do throws(WaitFailure) { subscription = try hub.subscribe(program.caller()) } catch { return }
        defer { hub.end(subscription) }
        // From here on nothing is missed.
        try send(.nothing, to: number)
        while waitForChanges(subscription.wakeUp.file) {
            // By other rules it may see other things: it has to come again.
            guard isStillAdmitted(), program.edition == edition else { return }
            while let changes = subscription.next() { try send(.changes(changes), to: number) }
        }
    }

    /// False when the client is gone, or says something.
    private func waitForChanges(_ wakeUp: Int32) -> Bool {
        var files = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = unsafe poll(&files, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && files[0].revents == 0
        }
    }
}
