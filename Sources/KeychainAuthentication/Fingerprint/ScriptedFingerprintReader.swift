// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
package import KeychainSystem

/// Recognizes fingers by a script, one line of it for each time it is asked; for tests.
package final class ScriptedFingerprintReader: FingerprintReader {
    package enum Answer: Sendable {
        case recognized
        case failure(FingerprintError)
        /// Says nothing until the question is taken back, or its time is over.
        case silence
    }

    private struct State {
        var state: FingerprintState
        var answers: [Answer]
        var reasons: [String] = []
    }

    private let script: ForkSafeMutex<State>

    private let last: Answer?

    /// A reader with these outcomes, and `last` for every finger after them.
    package init(_ state: FingerprintState, _ answers: [Answer] = [], then last: Answer? = nil) {
        self.last = last
        script = ForkSafeMutex(State(state: state, answers: answers))
    }

    /// Enrolls other fingers, or takes the reader away.
    package func change(to state: FingerprintState) { script.withLock { $0.state = state } }

    /// The reasons of what was asked so far.
    package var reasons: [String] { script.withLock { $0.reasons } }

    package func state(_ cancellation: Cancellation) throws(FingerprintError) -> FingerprintState {
        script.withLock { $0.state }
    }

    package func verify(
        _ reason: String, _ cancellation: Cancellation, timeout: UInt32
    ) throws(FingerprintError) {
        let answer = script.withLock { script -> Answer? in
            script.reasons.append(reason)
            return script.answers.isEmpty ? last : script.answers.removeFirst()
        }
        if cancellation.isTripped { throw .cancelled }
        switch answer {
        case .recognized: return
        case .failure(let error): throw error
        case .silence:
            try FingerprintError.translating { () throws(WaitFailure) in
                let deadline = try Deadline(until: Instant.now.adding(seconds: timeout), cancellation: cancellation)
                _ = try deadline.wait(for: -1, POLLIN)
            }
        case nil: throw .failed("the script has no answer to this question", code: 0)
        }
    }
}
