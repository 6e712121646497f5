// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// When a keychain was last used, and after how long without use it locks.
final class KeychainUse: Sendable {
    private let last = Atomic<UInt64>(0)
    private let seconds = Atomic<UInt32>(0)
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

    /// Seconds until it is to be locked, 0 when that is due; nil when it never is.
    func remaining() -> UInt64? {
        let timeout = UInt64(seconds.load(ordering: .relaxed))
        guard timeout != 0 else { return nil }
        let end = last.load(ordering: .relaxed) + timeout
        let now = clock()
        return end > now ? end - now : 0
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
