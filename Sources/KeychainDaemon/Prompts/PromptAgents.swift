// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
package import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import ProgramSigning

/// The prompt agents that are connected to the system's daemon: processes of its users' own, which ask them for it.
///
/// The daemon itself starts no program and opens no terminal or display: what a user's display or language makes a library
/// load would run as the daemon, and have every user's keys.
package final class PromptAgents: Sendable {
    private let places: [String]
    private let owners: TrustedOwners
    private let desks = ForkSafeMutex<[UInt32: [PromptDesk]]>([:])

    /// `places` are the paths at which an agent was installed together with the daemon.
    package init(at places: [String], owners: TrustedOwners = .root) {
        self.places = places
        self.owners = owners
    }

    /// Where the agent is that belongs to the daemon at this path.
    package static func places(beside daemon: String?) -> [String] {
        guard let daemon, let end = daemon.lastIndex(of: "/") else { return [] }
        let folder = daemon[..<end]
        let name = "llavero-prompt-agent"
        guard let end = folder.lastIndex(of: "/") else { return ["\(folder)/\(name)"] }
        return ["\(folder)/\(name)", "\(folder[..<end])/libexec/llavero/\(name)"]
    }

    /// Whether it may be sent questions: it executes the agent's file, which only root can change, or an entitlement
    /// file says so of it.
    func admits(_ peer: Peer, _ program: AdmittedProgram) -> Bool {
        if program.answersQuestions { return true }
        guard peer.evidence.namespaces == .same, let image = peer.evidence.image, !image.isDeleted,
            places.contains(where: { $0.hasSameBytes(as: image.path) }),
            let installed = try? TrustedPath(image.path, owners: owners)
        else { return false }
        return installed.facts.isSameFile(as: image.facts) && installed.facts.kind == .regularFile
    }

    /// An agent's desk, at which questions for its user are left; nil when the user has as many as are kept.
    func enter(_ process: ClientTerminal.Asker) throws(WaitFailure) -> PromptDesk? {
        let desk = try PromptDesk(of: process)
        return desks.withLock { desks in
            guard desks[process.user, default: []].count < PromptAgents.mostOfUser else { return nil }
            desks[process.user, default: []].append(desk)
            return desk
        }
    }

    /// The agent is gone, and with it every question that it had.
    func leave(_ desk: PromptDesk) {
        desks.withLock { desks in
            let left = desks[desk.agent.user, default: []].filter { $0 !== desk }
            desks[desk.agent.user] = left.isEmpty ? nil : left
        }
        desk.close()
    }

    /// Those that may ask for a program, the newest first; no process asks for itself, and no program for one of its own.
    fileprivate func desks(for asker: ClientTerminal.Asker) -> [PromptDesk] {
        desks.withLock { $0[asker.user] ?? [] }.reversed().filter { desk in
            desk.agent.process != asker.process
                && (asker.program == nil || desk.agent.program.map { $0.hasSameBytes(as: asker.program ?? "") } != true)
        }
    }

    private static let mostOfUser = 8
}

/// Asks through an agent of the program's user; fails where there is none.
struct AgentPrompt: SecretPrompt {
    let agents: PromptAgents
    let asker: ClientTerminal.Asker?

    func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        let end = systemUptime() + UInt64(question.timeout)
        var refusal = PromptError.notAvailable(AgentPrompt.nobody)
        for desk in asker.map(agents.desks) ?? [] {
            var rest = question
            let now = systemUptime()
            rest.timeout = now < end ? UInt32(end - now) : 0
            do throws(PromptError) { return try desk.ask(rest) } catch {
                // One may have nothing to ask with, where another has.
                guard case .notAvailable = error else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    private static let nobody: StaticString = """
        the system's keychain daemon shows no prompts itself, and no prompt agent of this user is running; start \
        one with `llavero prompt-agent`
        """
}

/// Where questions wait for one agent, whose session takes one at a time.
///
/// No thread waits here with a lock held: the asking thread waits for the question's wake-up, and the session for the desk's.
final class PromptDesk: Sendable {
    let agent: ClientTerminal.Asker
    /// Rings when there is something for the session to do.
    let wakeUp: WakeUp

    private struct State: Sendable {
        var waiting: [PromptInquiry] = []
        var current: PromptInquiry?
        var isClosed = false
    }

    private let state = ForkSafeMutex(State())

    fileprivate init(of agent: ClientTerminal.Asker) throws(WaitFailure) {
        self.agent = agent
        wakeUp = try WakeUp()
    }

    /// Leaves a question, and waits for what becomes of it, no longer than its time.
    fileprivate func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        let result = try PromptError.translating { () throws(WaitFailure) -> Result<SecretValue, PromptError> in
            // An agent that knows the time says itself that it is over.
            let deadline = try Deadline(seconds: question.timeout + PromptDesk.grace, question.cancellation)
            try deadline.check()
            let inquiry = try PromptInquiry(question)
            defer { withdraw(inquiry) }
            leave(inquiry)
            var found = inquiry.result
            while found == nil {
                try deadline.wait(for: inquiry.wakeUp.file)
                inquiry.wakeUp.reset()
                found = inquiry.result
            }
            return found ?? .failure(.cancelled)
        }
        let secret = try result.get()
        return unsafe secret.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
    }

    private func leave(_ inquiry: PromptInquiry) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.waiting.append(inquiry) }
            return !state.isClosed
        }
        guard isOpen else { return inquiry.finish(.failure(.notAvailable(PromptDesk.gone))) }
        wakeUp.signal()
    }

    /// The next question to be sent, if one waits.
    func next() -> PromptInquiry? {
        state.withLock { state in
            state.current = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            return state.current
        }
    }

    private func withdraw(_ inquiry: PromptInquiry) {
        guard inquiry.result == nil else { return }
        inquiry.finish(.failure(.cancelled))
        state.withLock { $0.waiting.removeAll { $0 === inquiry } }
        wakeUp.signal()
    }

    fileprivate func close() {
        let left = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting + [state.current].compactMap(\.self)
        }
        for inquiry in left { inquiry.finish(.failure(.notAvailable(PromptDesk.gone))) }
    }

    /// Seconds that an agent has more than the person.
    static let grace: UInt32 = 5
    private static let gone: StaticString =
        "the prompt agent ended before it had an answer; start it again with `llavero prompt-agent`"
}

/// One question on its way to an agent and back.
final class PromptInquiry: Sendable {
    let question: SecretQuestion
    /// Rings when there is a result.
    let wakeUp: WakeUp
    private let outcome = ForkSafeMutex<Result<SecretValue, PromptError>?>(nil)

    fileprivate init(_ question: SecretQuestion) throws(WaitFailure) {
        self.question = question
        wakeUp = try WakeUp()
    }

    /// Its first outcome; nil as long as it is open.
    var result: Result<SecretValue, PromptError>? { outcome.withLock { $0 } }

    func finish(_ result: Result<SecretValue, PromptError>) {
        outcome.withLock { if $0 == nil { $0 = result } }
        wakeUp.signal()
    }
}
