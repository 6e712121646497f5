// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a person is asked, in words they see.
///
/// The words may come from anybody: what could move the cursor or turn the writing round is not shown.
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
    /// Words on the buttons, where there are any.
    package var okTitle: String?
    package var cancelTitle: String?
    /// How many seconds a person has.
    package var timeout: UInt32
    package var cancellation: PromptCancellation

    package init(
        title: String, description: String, prompt: String, error: String? = nil, confirms: Bool = false,
        okTitle: String? = nil, cancelTitle: String? = nil, timeout: UInt32, cancellation: PromptCancellation
    ) {
        self.title = title
        self.description = description
        self.prompt = prompt
        self.error = error
        self.confirms = confirms
        self.okTitle = okTitle
        self.cancelTitle = cancelTitle
        self.timeout = timeout
        self.cancellation = cancellation
    }

    /// The most bytes an answer may have.
    package static let longestAnswer = Passcode.longest

    static let repeatPrompt = "Once more:"
    static let repeatError = "The two are not the same."
    /// How often a secret and its repetition may differ.
    static let repeatLimit = 5
}
