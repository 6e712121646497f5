// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A clock that runs with the system's until it is set, and then stands still until it is moved.
package final class SimulatedClock: Sendable {
    private let stoppedAt = ForkSafeMutex<Double?>(nil)

    package init() {}

    /// Seconds since 2001-01-01 UTC.
    package var now: Double { stoppedAt.withLock { $0 } ?? ProcessHost.systemClock() }

    package func set(_ seconds: Double) { stoppedAt.withLock { $0 = seconds } }

    package func advance(by seconds: Double) {
        stoppedAt.withLock { $0 = ($0 ?? ProcessHost.systemClock()) + seconds }
    }
}
