// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Asks nobody, and says why.
package struct NoPrompt: SecretPrompt {
    private let cause: StaticString

    package init(_ cause: StaticString = "this program asks nobody for secrets; give it the secret with the request") {
        self.cause = cause
    }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        throw .notAvailable(cause)
    }
}
