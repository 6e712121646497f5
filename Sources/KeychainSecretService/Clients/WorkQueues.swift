// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainSystem

/// Does each client's work in its order, and different clients' side by side, so that one who waits for the disk or for a
/// person keeps no other waiting.
final class WorkQueues: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        var waiting: [String: [Work]] = [:]
        /// Clients whose work is waiting and not being done, in the order in which they came.
        var ready: [String] = []
        var threads = 0
        var idle = 0
    }

    private let state = ForkSafeMutex(State())
    private let wakeUp: WakeUp
    private let mostThreads: Int
    private let mostWaiting: Int

    /// No client has more than `mostWaiting` pieces of work waiting.
    init(threads mostThreads: Int = 4, mostWaiting: Int = 512) throws(WaitFailure) {
        wakeUp = try WakeUp()
        self.mostThreads = mostThreads
        self.mostWaiting = mostWaiting
    }

    /// False where too much of that client's work waits already.
    func post(_ client: String, _ work: @escaping Work) -> Bool {
        enum Step { case refuse, nothing, wake, start }
        let step: Step = state.withLock { state in
            guard state.waiting[client, default: []].count < mostWaiting else { return .refuse }
            // One that is in neither list is being worked for, or is new.
            if state.waiting[client] == nil { state.ready.append(client) }
            state.waiting[client, default: []].append(work)
            if state.idle > 0 { return .wake }
            guard state.threads < mostThreads else { return .nothing }
            state.threads += 1
            return .start
        }
        switch step {
        case .refuse: return false
        case .nothing: return true
        case .wake: wakeUp.signal()
        case .start: start()
        }
        return true
    }

    /// Forgets what waits for a client that is gone, and does `last` behind what is being done for it.
    func end(_ client: String, _ last: @escaping Work) {
        let isIdle = state.withLock { state in
            if state.ready.contains(client) {
                state.ready.removeAll { $0 == client }
                state.waiting[client] = nil
            }
            guard state.waiting[client] != nil else { return true }
            state.waiting[client] = [last]
            return false
        }
        if isIdle { last() }
    }

    private func start() {
        let failure = NamedThread.start("secret-service") { [self] in run() }
        if failure != 0 { state.withLock { $0.threads -= 1 } }
    }

    private func run() {
        while true {
            while let (client, work, isMore) = next() {
                // One signal may have woken this thread alone for the work of several.
                if isMore { wakeUp.signal() }
                work()
                finish(client)
            }
            guard let deadline = try? Deadline(seconds: WorkQueues.idleSeconds, Cancellation()),
                (try? deadline.wait(for: wakeUp.file)) != nil
            else {
                // Nothing came for a while, unless it came just now.
                let isOver = state.withLock { state in
                    state.idle -= 1
                    guard state.ready.isEmpty else { return false }
                    state.threads -= 1
                    return true
                }
                if isOver {
                    // What large messages took is not needed for small ones.
                    llv_give_back_memory()
                    return
                }
                continue
            }
            wakeUp.reset()
            state.withLock { $0.idle -= 1 }
        }
    }

    /// Takes the next piece of work; where there is none the thread counts as idle.
    private func next() -> (String, Work, isMore: Bool)? {
        state.withLock { state in
            guard !state.ready.isEmpty else {
                state.idle += 1
                return nil
            }
            let client = state.ready.removeFirst()
            let isMore = !state.ready.isEmpty && state.idle > 0
            guard var waiting = state.waiting[client], !waiting.isEmpty else { return (client, {}, isMore) }
            let work = waiting.removeFirst()
            state.waiting[client] = waiting
            return (client, work, isMore)
        }
    }

    private func finish(_ client: String) {
        let isMore = state.withLock { state in
            guard let waiting = state.waiting[client], !waiting.isEmpty else {
                state.waiting[client] = nil
                return false
            }
            state.ready.append(client)
            return state.idle > 0
        }
        if isMore { wakeUp.signal() }
    }

    private static let idleSeconds: UInt32 = 5
}
