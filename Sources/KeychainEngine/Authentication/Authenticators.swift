// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthentication
internal import KeychainModel
package import KeychainRequest

/// Who asks people, and who reads their fingers.
package struct Authenticators: Sendable {
    /// Who asks the person at a seat; nil is wherever this process is.
    let prompt: @Sendable (Seat?) -> any SecretPrompt
    let reader: @Sendable (Seat?) -> any FingerprintReader
    /// What the people at a seat look at; whoever looks elsewhere is not kept waiting by what is asked there.
    private let screen: @Sendable (Seat?) -> String
    private let queues = PromptQueues<QuestionKey, TypedAnswer, PromptError>()
    private let fingerQueue = PromptQueue<FingerKey, Bool, FingerprintError>()

    package init(
        prompt: @escaping @Sendable (Seat?) -> any SecretPrompt,
        reader: @escaping @Sendable (Seat?) -> any FingerprintReader,
        screen: @escaping @Sendable (Seat?) -> String
    ) {
        self.prompt = prompt
        self.reader = reader
        self.screen = screen
    }

    /// The same for everybody, wherever they are.
    package init(prompt: any SecretPrompt, fingers: any FingerprintReader) {
        self.init(prompt: { _ in prompt }, reader: { _ in fingers }, screen: { _ in "" })
    }

    /// Nobody is asked, and no finger is read.
    package static var none: Authenticators { Authenticators(prompt: NoPrompt(), fingers: NoFingerprintReader()) }

    /// The answer to a question, in its turn; equal ones about one subject that wait at one seat share one.
    func answer(
        to question: SecretQuestion, about subject: QuestionSubject, at seat: Seat?
    ) -> Result<TypedAnswer, PromptError> {
        let prompt = prompt(seat)
        do throws(PromptError) {
            let key = QuestionKey(question, subject, seat)
            let answer = try queues.answer(on: screen(seat), to: key, question.cancellation) {
                (cancellation) throws(PromptError) in
                var question = question
                question.cancellation = cancellation
                return TypedAnswer(SecretValue(copying: try prompt.ask(question)))
            }
            return .success(answer)
        } catch { return .failure(error) }
    }
}

extension Authenticators {
    /// Whether an enrolled finger was shown; those who want one for the same reason at the same time share it.
    func finger(
        for reason: String, at seat: Seat?, _ cancellation: PromptCancellation, timeout: UInt32
    ) -> Result<Void, FingerprintError> {
        let fingers = reader(seat)
        do throws(FingerprintError) {
            _ = try fingerQueue.answer(to: FingerKey(reason: reason, seat: seat), cancellation) {
                (cancellation) throws(FingerprintError) in
                try fingers.verify(reason, cancellation, timeout: timeout)
                return true
            }
            return .success(())
        } catch { return .failure(error) }
    }
}

/// What a question is about: an answer counts for no other.
enum QuestionSubject: Hashable, Sendable {
    /// The passcode of a keychain.
    case passcode([UInt8])
    case password(ofSeal: [UInt8])
    /// One that is to be thought of, for what one request stores.
    case newPassword(AuthenticationContextID)
}

private struct FingerKey: Hashable, Sendable {
    let reason: String
    let seat: Seat?
}

/// What makes two questions one.
private struct QuestionKey: Hashable, Sendable {
    let subject: QuestionSubject
    let seat: Seat?
    let title: String
    let description: String
    let error: String?
    let confirms: Bool

    init(_ question: SecretQuestion, _ subject: QuestionSubject, _ seat: Seat?) {
        self.subject = subject
        self.seat = seat
        title = question.title
        description = question.description
        error = question.error
        confirms = question.confirms
    }
}

extension KeychainError {
    init(_ error: PromptError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the person refused, or the request was taken back")
        case .timedOut: self.init(.authenticationFailed, "nobody answered in time")
        case .notAvailable(let cause):
            self.init(
                relaying: .interactionNotAllowed,
                "\(cause) (a program can give it beforehand: LAContext.setCredential)",
                subject: nil, code: nil, retryAfter: nil)
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }

    init(_ error: FingerprintError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the request for a finger was taken back")
        case .timedOut: self.init(.authenticationFailed, "no finger was shown in time")
        case .notRecognized: self.init(.authenticationFailed, "the finger is not one of the enrolled ones")
        case .notAvailable(let cause): self.init(.interactionNotAllowed, cause)
        case .busy: self.init(.interactionNotAllowed, "somebody else uses the fingerprint reader now")
        case .untrusted:
            self.init(.authenticationFailed, "whoever answers for the fingerprint reader is not the system's service")
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }
}
