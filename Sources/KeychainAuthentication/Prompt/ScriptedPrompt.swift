// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// Answers from a script, one line of it for each question; for tests.
package final class ScriptedPrompt: SecretPrompt {
    package enum Answer: Sendable {
        case secret(SecretValue)
        case cancelled
        case timedOut
        case notAvailable
        /// Says nothing until the question is taken back, or its time is over.
        case silence

        package static func secret(_ text: String) -> Answer { .secret(SecretValue(copying: Array(text.utf8))) }
    }

    private struct State {
        var answers: [Answer]
        var questions: [SecretQuestion] = []
    }

    private let state: ForkSafeMutex<State>

    private let last: Answer?

    /// A person with these answers, and `last` for every question after them.
    package init(_ answers: [Answer], then last: Answer? = nil) {
        self.last = last
        state = ForkSafeMutex(State(answers: answers))
    }

    /// What has been asked so far.
    package var questions: [SecretQuestion] { state.withLock { $0.questions } }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        let answer = state.withLock { state -> Answer? in
            state.questions.append(question)
            return state.answers.isEmpty ? last : state.answers.removeFirst()
        }
        if question.cancellation.isTripped { throw .cancelled }
        switch answer {
        case .secret(let value):
            guard value.count <= SecretQuestion.longestAnswer else { throw .tooLong }
            return unsafe value.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
        case .cancelled: throw .cancelled
        case .timedOut: throw .timedOut
        case .notAvailable: throw .notAvailable("the script answers no questions")
        case .silence: throw ScriptedPrompt.outlast(question)
        case nil: throw .failed("the script has no answer to this question", code: 0)
        }
    }

    private static func outlast(_ question: SecretQuestion) -> PromptError {
        do throws(WaitFailure) {
            let deadline = try Deadline(
                until: Instant.now.adding(seconds: question.timeout), cancellation: question.cancellation)
            // No file: poll skips negative ones.
            _ = try deadline.wait(for: -1, POLLIN)
            return .timedOut
        } catch { return PromptError(error) }
    }
}
