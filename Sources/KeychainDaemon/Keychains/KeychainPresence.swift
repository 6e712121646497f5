// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Who is at one of the daemon's keychains just now, and since when nobody was.
final class KeychainPresence: Sendable {
    private struct State: Sendable {
        var calls = 0
        /// How many of the daemon's own threads look at it.
        var looks = 0
        /// How often somebody used it so far.
        var uses: UInt64 = 0
        var since: UInt64
        /// Whether the timer waits for somebody to use it, and for nothing else.
        var isLeftAlone = false
        var isOver = false
    }

    private let state: ForkSafeMutex<State>
    private let clock: UptimeClock

    init(_ clock: @escaping UptimeClock) {
        self.clock = clock
        state = ForkSafeMutex(State(since: clock()))
    }

    /// False when the daemon has the keychain no more; else it stays until `leave`.
    func enter() -> Bool {
        state.withLock { state in
            if !state.isOver { state.calls += 1 }
            return !state.isOver
        }
    }

    /// True when the timer has to be told.
    func leave() -> Bool {
        let now = clock()
        return state.withLock { state in
            state.calls -= 1
            state.uses &+= 1
            state.since = now
            guard state.isLeftAlone, state.calls == 0 else { return false }
            state.isLeftAlone = false
            return true
        }
    }

    /// Runs `body` as long as the keychain stays, which is no use of it; nil when the daemon has it no more.
    func look<Result>(_ body: () throws(KeychainError) -> Result) throws(KeychainError) -> Result? {
        let isOver = state.withLock { state in
            if !state.isOver { state.looks += 1 }
            return state.isOver
        }
        if isOver { return nil }
        defer { state.withLock { $0.looks -= 1 } }
        return try body()
    }

    /// Seconds until nobody was there for so many; nil when the next who leaves will say that there is something to see.
    func remaining(of seconds: UInt64) -> UInt64? {
        let now = clock()
        return state.withLock { state in
            if state.calls > 0 { state.isLeftAlone = true }
            guard !state.isLeftAlone, !state.isOver else { return nil }
            let end = state.since + seconds
            return end > now ? end - now : 0
        }
    }

    var uses: UInt64 { state.withLock { $0.uses } }

    /// It stays open until somebody uses it again, unless somebody did since it had so many `uses`.
    func leaveAlone(after uses: UInt64) {
        state.withLock { if $0.uses == uses { $0.isLeftAlone = true } }
    }

    /// Something happened to it that nobody came for.
    func lookAgain() { state.withLock { $0.isLeftAlone = false } }

    /// Nobody enters any more, whoever is there; false when that was so already.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// The same if nobody is there, and nobody was since it had so many `uses`; false when somebody was.
    func end(ifUnusedAfter uses: UInt64) -> Bool {
        state.withLock { state in
            guard state.calls == 0, state.looks == 0, state.uses == uses, !state.isOver else { return false }
            state.isOver = true
            return true
        }
    }

    var isOver: Bool { state.withLock { $0.isOver } }
}
