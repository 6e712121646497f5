// SPDX-License-Identifier: Apache-2.0

internal import CLinux
package import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// Who asks people, and who reads their fingers.
///
/// What waits for a person waits outside of every operation, so that a fork need not wait for the answer.
package struct Authenticators: Sendable {
    /// Who asks the person at a terminal; nil stands for this process's own.
    private let prompt: @Sendable (ClientTerminal?) -> any SecretPrompt
    private let reader: @Sendable (ClientTerminal?) -> any FingerprintReader
    /// The screen or terminal that shows the prompts; prompts on another one do not wait for these.
    private let screen: @Sendable (ClientTerminal?) -> String
    private let queues = QueuesOnDemand()

    package init(
        prompt: @escaping @Sendable (ClientTerminal?) -> any SecretPrompt,
        reader: @escaping @Sendable (ClientTerminal?) -> any FingerprintReader,
        screen: @escaping @Sendable (ClientTerminal?) -> String
    ) {
        self.prompt = prompt
        self.reader = reader
        self.screen = screen
    }

    /// The same for all people, wherever they are.
    package init(prompt: any SecretPrompt, fingers: any FingerprintReader) {
        self.init(prompt: { _ in prompt }, reader: { _ in fingers }, screen: { _ in "" })
    }

    /// Asks no person, and reads no finger.
    package static var none: Authenticators { Authenticators(prompt: NoPrompt(), fingers: NoFingerprintReader()) }

    /// The answer to a question, in its turn; equal ones about one subject that wait at one terminal share one.
    func answer(
        to question: SecretQuestion, about subject: QuestionSubject, at terminal: ClientTerminal?
    ) -> Result<TypedAnswer, PromptError> {
        suspended {
            let prompt = prompt(terminal)
            do throws(PromptError) {
                let key = QuestionKey(question, subject, terminal)
                let answer = try queues.all.typed.answer(on: screen(terminal), to: key, question.cancellation) {
                    (cancellation) throws(PromptError) in
                    var question = question
                    question.cancellation = cancellation
                    return TypedAnswer(SecretValue(copying: try prompt.ask(question)))
                }
                return .success(answer)
            } catch { return .failure(error) }
        }
    }

    /// Whether an enrolled finger was shown; those who want one for the same reason at the same time share it.
    func finger(
        for reason: String, at terminal: ClientTerminal?, _ cancellation: Cancellation, timeout: UInt32
    ) -> Result<Void, FingerprintError> {
        suspended {
            let fingers = reader(terminal)
            do throws(FingerprintError) {
                _ = try queues.all.fingers.answer(to: FingerKey(reason: reason, terminal: terminal), cancellation) {
                    (cancellation) throws(FingerprintError) in
                    try fingers.verify(reason, cancellation, timeout: timeout)
                    return true
                }
                return .success(())
            } catch { return .failure(error) }
        }
    }

    /// The digest of what is enrolled; nil when there is no reader or no finger.
    func enrolledFingers() throws(KeychainError) -> [UInt8]? {
        guard case .enrolled(let set) = readerState else { return nil }
        return try translating { () throws(CryptoError) in
            try unsafe set.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
        }
    }

    var hasReader: Bool { readerState != .noReader }

    private var readerState: FingerprintState {
        let reader = reader(nil)
        return suspended { (try? reader.state(Cancellation())) ?? .noReader }
    }

    private func suspended<Result>(_ body: () -> Result) -> Result {
        let operations = llv_operation_suspend()
        defer { llv_operation_resume(operations) }
        return body()
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

/// Those who wait for a person.
private final class AllQueues: Sendable {
    let typed = PromptQueues<QuestionKey, TypedAnswer, PromptError>()
    let fingers = PromptQueue<FingerKey, Bool, FingerprintError>()
}

/// The queues, made when somebody is asked first: most processes ask nobody, and making these generic types is a thirtieth
/// of the start of a program that finds one item.
private final class QueuesOnDemand: Sendable {
    private let made = ForkSafeMutex<AllQueues?>(nil)

    var all: AllQueues {
        made.withLock { made in
            if let made { return made }
            let queues = AllQueues()
            made = queues
            return queues
        }
    }
}

private struct FingerKey: Hashable, Sendable {
    let reason: String
    let terminal: ClientTerminal?
}

/// What makes two questions one.
private struct QuestionKey: Hashable, Sendable {
    let subject: QuestionSubject
    let terminal: ClientTerminal?
    let title: String
    let description: String
    let error: String?
    let confirms: Bool

    init(_ question: SecretQuestion, _ subject: QuestionSubject, _ terminal: ClientTerminal?) {
        self.subject = subject
        self.terminal = terminal
        title = question.title
        description = question.description
        error = question.error
        confirms = question.confirms
    }
}

/// What a person typed once, for all who waited for it.
///
/// A wrong passcode counts, up to erasing what it protects: so one answer is tried once, however many share it.
final class TypedAnswer: Sendable {
    /// What the passcode opened.
    struct Opened: Sendable {
        let factors: [PasscodeFactor]
        let passcode: PasscodeParameters?
    }

    let secret: SecretValue
    private let outcome = ForkSafeMutex<Result<Opened, KeychainError>?>(nil)

    init(_ secret: SecretValue) { self.secret = secret }

    /// What came of trying it as the passcode: the first who asks tries, and the others get what the first got.
    func opened(_ attempt: () throws(KeychainError) -> Opened) throws(KeychainError) -> Opened {
        let result = outcome.withLock { outcome -> Result<Opened, KeychainError> in
            if let outcome { return outcome }
            let result: Result<Opened, KeychainError>
            do throws(KeychainError) { result = .success(try attempt()) } catch { result = .failure(error) }
            outcome = result
            return result
        }
        return try result.get()
    }
}

/// A queue of questions for each screen that people look at.
///
/// Those where nothing is asked are forgotten when there are many. However many screens come and go, people wait only for
/// people who look at the same one.
private final class PromptQueues<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait>: Sendable {
    private struct Entry: Sendable {
        let queue = PromptQueue<Key, Answer, Failure>()
        var callers = 0

        /// Whether no caller waits, and no question is still being taken back.
        var isIdle: Bool { callers == 0 && queue.isIdle }
    }

    private let entries = ForkSafeMutex<[String: Entry]>([:])

    /// The answer to `prompt`, in its turn among those on this screen.
    func answer(
        on screen: String, to key: Key, _ cancellation: Cancellation,
        _ prompt: @escaping PromptQueue<Key, Answer, Failure>.Prompt
    ) throws(Failure) -> Answer {
        let queue = entries.withLock { entries in
            if entries.count > PromptQueues.manyScreens { entries = entries.filter { !$0.value.isIdle } }
            entries[screen, default: Entry()].callers += 1
            return entries[screen]?.queue
        }
        defer { entries.withLock { $0[screen]?.callers -= 1 } }
        guard let queue else { throw Failure(.cancelled) }
        return try queue.answer(to: key, cancellation, prompt)
    }

    private static var manyScreens: Int { 64 }
}
