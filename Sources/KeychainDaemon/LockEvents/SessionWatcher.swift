// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication

/// The work of the thread that watches sessions.
struct SessionWatcher: Sendable {
    let user: UInt32?
    let address: String
    let cancellation: PromptCancellation
    let report: @Sendable (SessionWatch) -> Void
    let handle: @Sendable (SessionEvent) -> Void

    /// Watches until it is told to stop, or there can be no bus.
    func run() {
        var missesEvents = false
        do throws(BrokenWait) {
            let patience = try Patience(seconds: nil, cancellation)
            while true {
                // Looked for before the first try, so that no bus comes unnoticed between the last one and the wait.
                let arrival = BusArrival(address)
                var hadBus = false
                for pause in SessionWatcher.pauses where !hadBus {
                    try patience.pause(milliseconds: pause)
                    hadBus = try watch(&missesEvents, patience)
                }
                report(.noBus)
                if hadBus {
                    // One that hangs up again and again is not to keep us busy.
                    try patience.pause(milliseconds: 200)
                    continue
                }
                guard let arrival else { return }
                try arrival.wait(patience)
            }
        } catch {}
    }

    /// Watches as long as there is a bus; false when there was none.
    private func watch(_ missesEvents: inout Bool, _ patience: borrowing Patience) throws(BrokenWait) -> Bool {
        guard let bus = Bus(address) else { return false }
        var hadBus = false
        do throws(BusFailure) {
            let logind = try LogindWatch(bus, user, cancellation, report: report, handle: handle)
            hadBus = true
            if missesEvents { handle(SessionEvent(.lock, of: user)) }
            missesEvents = true
            try logind.run(patience)
        } catch {
            if case .wait(.cancelled) = error { throw .cancelled }
        }
        return hadBus
    }

    /// Milliseconds before each try: who has just made the socket may not listen yet.
    private static let pauses: [Int32] = [0, 20, 100, 500]
}
