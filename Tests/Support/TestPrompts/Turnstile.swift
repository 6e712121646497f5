// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A gate that threads wait at until it is opened, and that counts who came.
package final class Turnstile: Sendable {
    private let count = Mutex(0)
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// Says that somebody is here, and goes on.
    package func pass() {
        count.withLock { $0 += 1 }
        arrived.signal()
    }

    /// Says that somebody is here, and waits until it is opened.
    package func enter() {
        pass()
        opened.wait()
        opened.signal()
    }

    package func open() { opened.signal() }

    /// How many have come so far.
    package var arrivals: Int { count.withLock { $0 } }

    /// Waits until one more has come.
    package func wait(within seconds: Double = EventLimit.seconds) throws {
        guard arrived.wait(timeout: .now() + seconds) == .success else { throw Trouble("nobody came") }
    }
}
