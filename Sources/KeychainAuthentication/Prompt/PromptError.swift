// SPDX-License-Identifier: Apache-2.0

/// Why a question has no answer.
package enum PromptError: BreakableWait {
    /// The person refused, or the question was taken back.
    case cancelled
    /// Nobody answered in time.
    case timedOut
    /// Nobody can be asked here; the text says what to do about it.
    case notAvailable(StaticString)
    /// Somebody was asked, and it went wrong: what, and the number behind it (errno, pinentry's code, a signal).
    case failed(StaticString, code: Int32)

    package init(_ wait: BrokenWait) {
        self =
            switch wait {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .failed(let code): .failed("the system does not let this process wait for an answer", code: code)
            }
    }

    static let tooLong = PromptError.failed("the answer is longer than a secret may be", code: 0)
    static let neverTheSame = PromptError.failed("the secret and its repetition were never the same", code: 0)
}

extension PromptError {
    /// Runs `body`, whose only error is that waiting ended early.
    static func translating<Result: ~Copyable>(
        _ body: () throws(BrokenWait) -> Result
    ) throws(PromptError) -> Result {
        do throws(BrokenWait) { return try body() } catch { throw PromptError(error) }
    }
}
