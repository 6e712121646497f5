// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainSystem

/// A way to ask a person for a secret.
package protocol SecretPrompt: Sendable {
    /// Asks, and waits for the answer on the caller's thread; hold no lock meanwhile, and be in no operation.
    ///
    /// An empty answer is an answer. Where no prompt is possible it throws `notAvailable` at once.
    func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes
}

/// What a person is asked, in words they see.
///
/// The words may come from any program: what could move the cursor or turn the writing round is not shown.
package struct SecretQuestion: Sendable {
    /// What the dialog is about.
    package var title: String
    /// What is wanted, by whom and what for; may have several lines.
    package var description: String
    /// Stands before the answer.
    package var prompt: String
    /// What was wrong with the last answer.
    package var error: String?
    /// The secret is new: it has to be typed twice.
    package var confirms: Bool
    /// A new secret of fewer characters is returned as it was typed once: who asks will refuse it.
    package var leastCharacters = 0
    /// What a command asks with on its terminal, in place of all of the above and before any dialog.
    package var line: LineQuestion?
    /// Words on the buttons, where there are any.
    package var okTitle: String?
    package var cancelTitle: String?
    /// How many seconds a person has.
    package var timeout: UInt32
    package var cancellation: Cancellation

    package init(
        title: String, description: String, prompt: String, error: String? = nil, confirms: Bool = false,
        line: LineQuestion? = nil, okTitle: String? = nil, cancelTitle: String? = nil, timeout: UInt32,
        cancellation: Cancellation
    ) {
        self.title = title
        self.description = description
        self.prompt = prompt
        self.error = error
        self.confirms = confirms
        self.line = line
        self.okTitle = okTitle
        self.cancelTitle = cancelTitle
        self.timeout = timeout
        self.cancellation = cancellation
    }

    /// The most bytes an answer may have.
    package static let longestAnswer = Passcode.longest

    /// Whether an answer has to be typed once more.
    func isToBeRepeated(_ answer: borrowing SecretBytes) -> Bool {
        guard confirms else { return false }
        return unsafe answer.withUnsafeBytes { bytes in
            // Every character has exactly one byte that is not a continuation byte.
            unsafe bytes.count { $0 & 0xC0 != 0x80 } >= leastCharacters
        }
    }

    static let repeatPrompt = "Repeat:"
    static let repeatError = "The two entries differ."
    /// How often a secret and its repetition may differ.
    static let repeatLimit = 5
}

/// The words of a command that asks on the line, as getpass does: scripts wait for them, and answer.
package struct LineQuestion: Sendable {
    let prompt: String
    let repetition: String
    let difference: String

    /// `repetition` asks for a new secret once more; `difference` is said where the two are not the same.
    package init(_ prompt: String, repetition: String = "", difference: String = "") {
        self.prompt = prompt
        self.repetition = repetition
        self.difference = difference
    }

    /// How often a secret and its repetition may differ.
    static let repeatLimit = 3
}

/// Why a question has no answer.
package enum PromptError: BreakableWait {
    /// The person refused, or the question was taken back.
    case cancelled
    /// The person did not answer in time.
    case timedOut
    /// No prompt is possible here; the text says what to do about it.
    case notAvailable(StaticString)
    /// The prompt failed: how, and the number behind it (errno, pinentry's code, a signal).
    case failed(StaticString, code: Int32)

    package init(_ wait: WaitFailure) {
        self =
            switch wait {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .failed(let code): .failed("the system provides no descriptor to wait for an answer on", code: code)
            }
    }

    static let tooLong = PromptError.failed("the answer is longer than a secret is allowed to be", code: 0)
    static let neverTheSame = PromptError.failed("the secret and its repetition differed in every attempt", code: 0)
}

/// Shows no prompts, and says why.
package struct NoPrompt: SecretPrompt {
    private let cause: StaticString

    package init(_ cause: StaticString = "this program does not ask for secrets; give the secret with the request") {
        self.cause = cause
    }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        throw .notAvailable(cause)
    }
}
