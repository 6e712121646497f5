// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport

/// Shows the person one question at a time, and listens to the daemon meanwhile.
final class AgentDesk: Sendable {
    /// Signalled when there is an answer, or when the agent is to end.
    private let wakeUp: WakeUp
    private let prompt = SystemPrompt(
        PromptEnvironment(variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged))

    private struct State: Sendable {
        /// Withdraws the question that the person sees now.
        var asking: Cancellation?
        var answer: PersonAnswer?
        var isEnding = false
    }

    private let state = ForkSafeMutex(State())

    init() throws(WaitFailure) { wakeUp = try WakeUp() }

    /// Handles the signals that end a program from now on: an open dialog is closed and the terminal restored before the agent ends.
    func endOnSignals() {
        var signals = AgentDesk.ends
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = NamedThread.start("stop-signals") { [self] in
            var (signals, number) = (AgentDesk.ends, Int32(0))
            unsafe sigwait(&signals, &number)
            state.withLock { state in
                state.isEnding = true
                state.asking?.trip()
            }
            wakeUp.signal()
        }
    }

    /// Answers the daemon's questions; true when it was told to end, false when the daemon is gone.
    func serve(_ feed: QuestionFeed) -> Bool {
        while true {
            var files = [
                pollfd(fd: feed.file, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&files, 2, -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            wakeUp.reset()
            let (answer, isOver) = state.withLock { state in
                let answer = state.answer
                if answer != nil { state.asking = nil }
                state.answer = nil
                return (answer, state.isEnding && state.asking == nil)
            }
            if let answer, !feed.answer(answer) { return isOver }
            if isOver { return true }
            guard files[0].revents != 0 else { continue }
            switch feed.next() {
            case .question(let question): guard ask(question) else { return false }
            case .withdrawn: state.withLock { $0.asking?.trip() }
            case nil:
                closeDialog()
                return false
            }
        }
    }

    /// False when a question is open already; our daemon never sends a second one.
    private func ask(_ question: PersonQuestion) -> Bool {
        let cancellation = Cancellation()
        let isFirst = state.withLock { state in
            defer { if state.asking == nil { state.asking = cancellation } }
            return state.asking == nil
        }
        guard isFirst else { return false }
        let failure = NamedThread.start("prompt") { [self] in
            let answer = answer(to: SecretQuestion(question, cancellation))
            state.withLock { $0.answer = answer }
            wakeUp.signal()
        }
        if failure != 0 {
            state.withLock { $0.answer = .failed }
            wakeUp.signal()
        }
        return true
    }

    private func answer(to question: SecretQuestion) -> PersonAnswer {
        do throws(PromptError) {
            return .secret(SecretValue(copying: try prompt.ask(question)))
        } catch {
            switch error {
            case .cancelled: return .refused
            case .timedOut: return .timedOut
            case .notAvailable: return .notAvailable
            case .failed: return .failed
            }
        }
    }

    /// Closes the open dialog and drops its answer, once the daemon is gone.
    private func closeDialog() {
        state.withLock { $0.asking?.trip() }
        while state.withLock({ $0.asking != nil && $0.answer == nil }) {
            var file = pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&file, 1, -1)
            wakeUp.reset()
        }
    }

    private static var ends: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }
}

extension SecretQuestion {
    fileprivate init(_ question: PersonQuestion, _ cancellation: Cancellation) {
        self.init(
            title: question.title, description: question.description, prompt: question.prompt, error: question.error,
            confirms: question.confirms, okTitle: question.okTitle, cancelTitle: question.cancelTitle,
            timeout: question.timeout, cancellation: cancellation)
    }
}
