// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport
internal import KeychainWire

/// The connection of a prompt agent, from the call that makes it one.
///
/// Questions and answers alternate: a question is sent when the one before it is answered, also where no thread waits for that
/// answer any more. Whatever else an agent sends, or a packet that is not the whole of an answer, ends the connection.
extension ClientSession {
    func askPerson(as number: UInt64) throws(TransportError) {
        let desk: PromptDesk
        do throws(KeychainError) { desk = try promptDesk() } catch { return try send(.failure(error), to: number) }
        defer { rules.agents?.leave(desk) }
        try send(.nothing, to: number)
        let answers = MessagePipe(socket, receiving: .call, largest: WireFrame.largestContent)
        while waits(for: desk.wakeUp, untilUptime: nil) == .wakeUp {
            desk.wakeUp.reset()
            while let inquiry = desk.next() {
                if inquiry.result != nil { continue }
                guard isStillAdmitted(), rules.agents?.admits(peer, program) == true else { return }
                try send(.question(PersonQuestion(inquiry.question)), to: number)
                guard let answer = try answer(to: inquiry, at: desk, number, answers) else { return }
                inquiry.finish(answer.result)
            }
        }
    }

    private func promptDesk() throws(KeychainError) -> PromptDesk {
        guard let agents = rules.agents else {
            throw KeychainError(
                .parameter,
                "a user's own daemon shows its prompts itself; a prompt agent is for the system's daemon only")
        }
        guard agents.admits(peer, program) else {
            throw KeychainError(
                .missingEntitlement,
                """
                the program is not the prompt agent that was installed with the daemon, and no entitlement file grants it \
                answers-questions
                """)
        }
        do throws(WaitFailure) {
            if let desk = try agents.enter(ClientSession.asker(peer, program)) { return desk }
        } catch { throw KeychainError(.notAvailable, "the daemon has no descriptor left for a prompt agent") }
        throw KeychainError(.notAvailable, "too many prompt agents of this user are running; end some")
    }

    /// What the agent answers; nil when it is of no use any more.
    private func answer(
        to inquiry: PromptInquiry, at desk: PromptDesk, _ number: UInt64, _ answers: MessagePipe
    ) throws(TransportError) -> PersonAnswer? {
        var end = systemUptime() + UInt64(inquiry.question.timeout + PromptDesk.grace)
        var isWithdrawn = false
        while true {
            switch waits(for: desk.wakeUp, untilUptime: end) {
            case .over: return nil
            case .wakeUp:
                // For another question, which waits for its turn, or because no thread waits for this one any more.
                desk.wakeUp.reset()
                guard inquiry.result != nil, !isWithdrawn else { continue }
                isWithdrawn = true
                try send(.withdrawn, to: number)
                end = systemUptime() + UInt64(PromptDesk.grace)
            case .socket:
                let arrival = unsafe try answers.receive(idle: 0, MessagePace(packet: 0, message: 0)) {
                    (buffer, waits) throws(PeerError) in
                    try unsafe self.peer.receive(into: buffer, waits: waits)
                }
                guard case .success(let message)? = arrival?.message, case .call(.answer(let answer)) = message.content,
                    isStillAdmitted()
                else { return nil }
                return answer
            }
        }
    }

    private enum Awaited {
        case wakeUp
        /// The agent says something, or is gone.
        case socket
        case over
    }

    private func waits(for wakeUp: WakeUp, untilUptime end: UInt64?) -> Awaited {
        var files = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let now = systemUptime()
            let left = end.map { $0 > now ? Int32(clamping: ($0 - now) * 1000) : 0 } ?? -1
            let count = unsafe poll(&files, 2, left)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return .over }
            return files[0].revents != 0 ? .socket : .wakeUp
        }
    }
}

extension PersonQuestion {
    /// The words as they may be shown, at a readable length.
    fileprivate init(_ question: SecretQuestion) {
        self.init(
            title: question.title.shown(bytes: 300), description: question.description.shown(bytes: 4000, lines: 12),
            prompt: question.prompt.shown(bytes: 300), error: question.error?.shown(bytes: 1000),
            confirms: question.confirms, okTitle: question.okTitle?.shown(bytes: 300),
            cancelTitle: question.cancelTitle?.shown(bytes: 300),
            timeout: min(question.timeout, PersonQuestion.longestTimeout))
    }
}

extension PersonAnswer {
    fileprivate var result: Result<SecretValue, PromptError> {
        switch self {
        case .secret(let secret): .success(secret)
        case .refused: .failure(.cancelled)
        case .timedOut: .failure(.timedOut)
        case .notAvailable:
            .failure(
                .notAvailable(
                    """
                    the prompt agent has no display, and no terminal where it runs in the foreground; start one in a \
                    terminal with `llavero prompt-agent`
                    """))
        case .failed: .failure(.failed("the prompt agent could not show the prompt", code: 0))
        }
    }
}
