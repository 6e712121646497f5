// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Asking people, outside of every operation.
extension KeychainEngine {
    struct SecretWish {
        let title: String
        let description: String
        let prompt: String
        let confirms: Bool
        let subject: QuestionSubject
    }

    func ask(_ wish: SecretWish, _ asking: Asking) throws(KeychainError) -> TypedAnswer {
        guard asking.terms.interaction == .allowed else { throw KeychainEngine.nobodyMayBeAsked }
        let question = SecretQuestion(
            title: wish.title, description: wish.description, prompt: wish.prompt, error: asking.complaint,
            confirms: wish.confirms, cancelTitle: asking.terms.cancelTitle, timeout: KeychainEngine.patience,
            cancellation: asking.cancellation)
        let authenticators = surroundings.authenticators
        let outcome = suspended { authenticators.answer(to: question, about: wish.subject, at: asking.seat) }
        switch outcome {
        case .success(let answer): return answer
        case .failure(let error): throw KeychainError(error)
        }
    }

    /// How long a person has, in seconds.
    static let patience: UInt32 = 120

    /// Runs what waits for a person outside of every operation.
    func suspended<Result>(_ body: () -> Result) -> Result {
        let operations = llv_operation_suspend()
        defer { llv_operation_resume(operations) }
        return body()
    }
}
