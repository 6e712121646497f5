// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What the system's daemon has a person asked by an agent, a process of the person's own.
package struct PersonQuestion: Sendable, Hashable {
    package let title: String
    /// Which program wants what; the first line is the daemon's, the others are the program's own words.
    package let description: String
    /// Stands before the answer.
    package let prompt: String
    /// What was wrong with the last answer.
    package let error: String?
    /// Whether the secret is new, and has to be typed twice.
    package let confirms: Bool
    package let okTitle: String?
    package let cancelTitle: String?
    /// How many seconds the person has.
    package let timeout: UInt32

    package init(
        title: String, description: String, prompt: String, error: String?, confirms: Bool, okTitle: String?,
        cancelTitle: String?, timeout: UInt32
    ) {
        self.title = title
        self.description = description
        self.prompt = prompt
        self.error = error
        self.confirms = confirms
        self.okTitle = okTitle
        self.cancelTitle = cancelTitle
        self.timeout = timeout
    }

    /// Bytes of each text; a daemon of ours never sends more.
    package static let longestText = 8192
    /// The most seconds that a person is given.
    package static let longestTimeout: UInt32 = 3600
}

/// What an agent says became of a question; why is for the daemon to put into words.
package enum PersonAnswer: Sendable {
    case secret(SecretValue)
    /// The person refused, or the question was taken back.
    case refused
    case timedOut
    /// There is nothing here to ask with.
    case notAvailable
    /// The person was asked, and it went wrong.
    case failed

    /// Bytes of a secret.
    package static let longestSecret = Passcode.longest
}
