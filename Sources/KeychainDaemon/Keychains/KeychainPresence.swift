// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import Synchronization

/// Who is at one of the daemon's keychains just now, and since when it is unused.
final class KeychainPresence: Sendable {
    private struct State: Sendable {
        var calls = 0
        /// How many of the daemon's own threads look at it.
        var looks = 0
        /// How often it was used so far.
        var uses: UInt64 = 0
        var since: UInt64
        /// Whether the timer waits for its next use, and for nothing else.
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

    /// Seconds until it was unused for so many; nil when the next client that leaves will notify the timer.
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

    /// It stays open until its next use, unless it was used since it had so many `uses`.
    func leaveAlone(after uses: UInt64) {
        state.withLock { if $0.uses == uses { $0.isLeftAlone = true } }
    }

    /// Notes an event that no client caused.
    func lookAgain() { state.withLock { $0.isLeftAlone = false } }

    /// No client enters any more, even while others are there; false when that was so already.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    /// The same if no client is there, and none was since it had so many `uses`; false otherwise.
    func end(ifUnusedAfter uses: UInt64) -> Bool {
        state.withLock { state in
            guard state.calls == 0, state.looks == 0, state.uses == uses, !state.isOver else { return false }
            state.isOver = true
            return true
        }
    }

    var isOver: Bool { state.withLock { $0.isOver } }
}

/// When a keychain was last used, after how long without use it locks, and when it locks however it is used.
final class KeychainUse: Sendable {
    private let last = Atomic<UInt64>(0)
    private let seconds = Atomic<UInt32>(0)
    /// By the clock; 0 for never.
    private let end = Atomic<UInt64>(0)
    private let clock: UptimeClock

    init(_ clock: @escaping UptimeClock) { self.clock = clock }

    var now: UInt64 { clock() }

    /// Notes a use; costs nothing where uses are not watched.
    func note() {
        if seconds.load(ordering: .relaxed) != 0 { last.store(clock(), ordering: .relaxed) }
    }

    /// After how many seconds it locks from now on; nil for never.
    func expect(_ timeout: UInt32?) {
        seconds.store(timeout ?? 0, ordering: .relaxed)
        last.store(clock(), ordering: .relaxed)
    }

    /// In how many seconds it is to be locked, even while it is used; 0 for never.
    func end(after seconds: UInt32) {
        end.store(seconds == 0 ? 0 : clock() + UInt64(seconds), ordering: .relaxed)
    }

    /// Seconds until it is to be locked, 0 when that is due; nil when it never is.
    func remaining() -> UInt64? {
        let timeout = UInt64(seconds.load(ordering: .relaxed))
        let idle = timeout == 0 ? 0 : last.load(ordering: .relaxed) + timeout
        guard let due = [idle, end.load(ordering: .relaxed)].filter({ $0 != 0 }).min() else { return nil }
        let now = clock()
        return due > now ? due - now : 0
    }
}

/// Seconds since the machine began to run, those that it slept among them.
package typealias UptimeClock = @Sendable () -> UInt64

/// The system's clock of that kind.
package let systemUptime: UptimeClock = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec)
}
