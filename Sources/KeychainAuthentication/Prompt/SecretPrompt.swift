// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A way to ask a person for a secret.
package protocol SecretPrompt: Sendable {
    /// Asks, and waits for the answer on the caller's thread; hold no lock meanwhile, and be in no operation.
    ///
    /// An empty answer is an answer. Where nobody can be asked it throws `notAvailable` at once.
    func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes
}
