// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPeer
internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
package import KeychainSystem
internal import KeychainWire

/// Serves a keychain over a socket until it is told to stop.
///
/// Each client has a thread of its own, so that one who waits for a person, or does not read, keeps no other client waiting.
package final class Daemon: Sendable {
    private let listener: OwnedDescriptor
    private let clients: ConnectionLimit
    private let contexts = ClientContexts()
    private let keychains: UserKeychains
    private let budget: MessageBudget
    private let rules: DaemonRules
    private let stopping: Cancellation
    /// nil where the system has no descriptor left for it.
    private let quiet: QuietTime?

    /// Takes a socket that listens already.
    package init(listener: OwnedDescriptor, keychains: UserKeychains, rules: DaemonRules) {
        self.listener = listener
        self.keychains = keychains
        self.rules = rules
        clients = ConnectionLimit(rules.limits)
        budget = MessageBudget(bytes: rules.limits.largeMessages, ofUser: rules.limits.largeMessagesOfUser)
        stopping = Cancellation()
        quiet = try? QuietTime(stopping)
        keychains.timer = try? KeychainTimer(stopping)
    }

    /// Takes clients until `stop` is called, and returns when the last of them is gone, or has been given up.
    package func run() {
        quiet?.watch { [keychains] in
            for (_, keychain) in keychains.opened { keychain.host.rest() }
            llv_give_back_memory()
        }
        keychains.timer?.watch(keychains)
        takeClients()
        clients.waitUntilEmpty()
    }

    private func takeClients() {
        do throws(WaitFailure) {
            var pace = ConnectionPace()
            let deadline = try Deadline(seconds: nil, stopping)
            while true {
                try deadline.wait(for: listener.number)
                let socket = llv_peer_accept(listener.number)
                if socket >= 0 {
                    admit(OwnedDescriptor(owning: socket), &pace)
                    continue
                }
                switch -socket {
                case EINTR, ECONNABORTED, EAGAIN: continue
                // Out of descriptors or memory: the present clients may finish, and free some.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: ConnectionLimit.pause()
                default: return
                }
            }
        } catch {}
    }

    /// Takes no new clients, and ends every connection once its call is answered.
    ///
    /// The listener itself stays as it is: it may be the service manager's too, and clients that connect now are for the next daemon.
    package func stop() {
        stopping.trip()
        clients.close()
    }

    private func admit(_ socket: OwnedDescriptor, _ pace: inout ConnectionPace) {
        guard let place = clients.place(for: socket) else { return }
        let delay = pace.delay(of: place.owner)
        let failure = NamedThread.start("client") { [self] in
            ConnectionPace.wait(milliseconds: delay)
            // A find is done before another user's work has had its stretch of the processor.
            _ = llv_set_time_slice(UInt64(LLV_SHORT_SLICE))
            ClientSession(socket, keychains, contexts, rules, budget.share(of: place.owner))?.run { [quiet] in
                quiet?.end()
            }
            clients.leave(place)
        }
        if failure != 0 { clients.leave(place) }
    }
}

/// Gives memory back when there was no call for a while: what was kept for speed is not worth it then.
///
/// Its thread sleeps while there are no calls, and looks every few seconds while there are.
final class QuietTime: Sendable {
    private struct State: Sendable {
        var calls: UInt64 = 0
        var isResting = true
    }

    private let state = ForkSafeMutex(State())
    private let wakeUp: WakeUp
    private let stopping: Cancellation

    init(_ stopping: Cancellation) throws(WaitFailure) {
        wakeUp = try WakeUp()
        self.stopping = stopping
    }

    /// Notes a call.
    func end() {
        let isFirst = state.withLock { state in
            state.calls &+= 1
            defer { state.isResting = false }
            return state.isResting
        }
        if isFirst { wakeUp.signal() }
    }

    /// Calls `rest` when it has become quiet, again and again, until the daemon stops.
    func watch(_ rest: @escaping @Sendable () -> Void) {
        _ = NamedThread.start("quiet-time") { [self] in
            do throws(WaitFailure) {
                let deadline = try Deadline(seconds: nil, stopping)
                while true {
                    try deadline.wait(for: wakeUp.file)
                    wakeUp.reset()
                    var before = state.withLock { $0.calls }
                    while true {
                        try deadline.pause(milliseconds: QuietTime.milliseconds)
                        let calls = state.withLock { state in
                            state.isResting = state.calls == before
                            return state.calls
                        }
                        if calls == before { break }
                        before = calls
                    }
                    rest()
                }
            } catch {}
        }
    }

    private static let milliseconds: Int32 = 3000
}
