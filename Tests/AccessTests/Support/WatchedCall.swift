// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestProcesses
import TestPrompts

/// A call on a thread of its own, of which can be told that it waits in line for the answer to a question.
final class WatchedCall<Value: Sendable>: Sendable {
    private let thread = ThreadPlace()
    private let errand: Errand<Value>

    init(_ body: @escaping @Sendable () -> Value) {
        errand = Errand { [thread] in
            thread.note()
            return body()
        }
    }

    /// Returns when it is in line.
    func waitInLine() throws {
        let end = ContinuousClock.now + .seconds(EventLimit.seconds)
        while try !thread.polls {
            guard ContinuousClock.now < end else { throw Trouble("the call is not in line") }
            usleep(500)
        }
    }

    func result() throws -> Value { try errand.result() }
}

/// Where the kernel tells of a thread, once it runs.
private final class ThreadPlace: Sendable {
    private let folder = Mutex<String?>(nil)

    func note() {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        folder.withLock { $0 = own }
    }

    /// Whether the thread is in `poll`: a call of the keychain's is nowhere else than in line for an answer.
    var polls: Bool {
        get throws {
            guard let folder = folder.withLock({ $0 }) else { return false }
            let line = try String(contentsOfFile: "/proc/\(folder)/syscall", encoding: .utf8)
            return line.hasPrefix(ThreadPlace.poll)
        }
    }

    /// How a line about a thread in it begins.
    #if arch(x86_64)
        private static let poll = "7 "
    #else
        private static let poll = "73 "
    #endif
}
