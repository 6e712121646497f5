// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// When a keychain was last used, after how long without use it locks, and when it locks however it is used.
final class KeychainUse: Sendable {
    private let last = Atomic<UInt64>(0)
    private let seconds = Atomic<UInt32>(0)
    /// By the clock; 0 for never.
    private let end = Atomic<UInt64>(0)
    private let clock: UptimeClock

    init(_ clock: @escaping UptimeClock) { self.clock = clock }

    /// Somebody uses it; costs nothing where nobody wants to know.
    func note() {
        if seconds.load(ordering: .relaxed) != 0 { last.store(clock(), ordering: .relaxed) }
    }

    /// After how many seconds it locks from now on; nil for never.
    func expect(_ timeout: UInt32?) {
        seconds.store(timeout ?? 0, ordering: .relaxed)
        last.store(clock(), ordering: .relaxed)
    }

    /// In how many seconds it is to be locked, whoever uses it; 0 for never.
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
