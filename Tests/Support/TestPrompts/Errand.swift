// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestProcesses

/// Something that runs on a thread of its own while a test does the other half.
package final class Errand<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    package init(_ body: @escaping @Sendable () -> Value) {
        Thread.detachNewThread { [self] in
            let result = body()
            value.withLock { $0 = result }
            done.signal()
        }
    }

    /// Waits for the end of it.
    package func result(within seconds: Double = EventLimit.seconds) throws -> Value {
        guard done.wait(timeout: .now() + seconds) == .success, let result = value.withLock({ $0 }) else {
            throw Trouble("still running after \(seconds) s")
        }
        done.signal()
        return result
    }
}
