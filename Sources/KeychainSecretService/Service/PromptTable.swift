// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainSystem

/// What became of a prompt.
struct PromptOutcome: Sendable {
    let isDismissed: Bool
    let result: BusValue
}

/// What is asked of a person once the client wants it: each belongs to one connection, is shown once, and ends with its answer.
final class PromptTable: Sendable {
    /// Asks, on a thread of its own, until the cancellation is tripped.
    typealias Question = @Sendable (_ window: String, Cancellation) -> PromptOutcome

    private struct Prompt: Sendable {
        let owner: String
        let ask: Question
        /// What is told where nobody was asked.
        let dismissed: BusValue
        let cancellation = Cancellation()
        var isShown = false
    }

    private struct State: Sendable {
        var last: UInt64 = 0
        var prompts: [String: Prompt] = [:]
    }

    private let state = ForkSafeMutex(State())
    private let port: BusPort

    init(_ port: BusPort) { self.port = port }

    /// The path of a new one, which nobody sees before its owner calls for it.
    func make(for owner: String, dismissed: BusValue, _ ask: @escaping Question) throws(BusFault) -> String {
        let path: String? = state.withLock { state in
            guard state.prompts.values.count(where: { $0.owner == owner }) < PromptTable.mostOfOne else { return nil }
            state.last += 1
            let id = "p\(state.last)"
            state.prompts[id] = Prompt(owner: owner, ask: ask, dismissed: dismissed)
            return ObjectPath.prompt(id).text
        }
        guard let path else {
            throw BusFault(BusFault.limitsExceeded, "the connection has too many prompts; complete or dismiss some")
        }
        return path
    }

    /// Shows one; `answer` goes out before the signal that it is completed.
    func show(_ id: String, for owner: String, window: String, _ answer: () -> Void) throws(BusFault) {
        enum Shown {
            case missing
            case foreign
            case already
            case new(Prompt)
        }
        let shown: Shown = state.withLock { state in
            guard let prompt = state.prompts[id] else { return .missing }
            guard prompt.owner == owner else { return .foreign }
            guard !prompt.isShown else { return .already }
            state.prompts[id]?.isShown = true
            return .new(prompt)
        }
        switch shown {
        case .missing: throw BusFault.noSuchObject
        case .foreign: throw BusFault(BusFault.accessDenied, "the prompt belongs to another connection")
        case .already: throw BusFault("org.freedesktop.Secret.Error.AlreadyExists", "the prompt is shown already")
        case .new(let prompt):
            answer()
            let failure = NamedThread.start("secret-prompt") { [self] in
                end(id, prompt.ask(window, prompt.cancellation))
            }
            if failure != 0 { end(id, PromptOutcome(isDismissed: true, result: prompt.dismissed)) }
        }
    }

    /// Takes one back; one that is shown ends when whoever asks notices.
    func dismiss(_ id: String, for owner: String) throws(BusFault) {
        let prompt = state.withLock { $0.prompts[id] }
        guard let prompt else { throw BusFault.noSuchObject }
        guard prompt.owner == owner else {
            throw BusFault(BusFault.accessDenied, "the prompt belongs to another connection")
        }
        prompt.cancellation.trip()
        if !prompt.isShown { end(id, PromptOutcome(isDismissed: true, result: prompt.dismissed)) }
    }

    /// Takes back what is asked for a connection that is gone.
    func forget(_ owner: String) {
        let prompts = state.withLock { state in
            defer { state.prompts = state.prompts.filter { $0.value.owner != owner } }
            return state.prompts.values.filter { $0.owner == owner }
        }
        for prompt in prompts { prompt.cancellation.trip() }
    }

    private func end(_ id: String, _ outcome: PromptOutcome) {
        // Not told to others: what was unlocked for one is nobody else's business.
        guard let prompt = state.withLock({ $0.prompts.removeValue(forKey: id) }) else { return }
        port.tell(
            "Completed", of: SecretInterface.prompt, at: ObjectPath.prompt(id).text,
            [.truth(outcome.isDismissed), .variant(outcome.result)], to: prompt.owner)
    }

    private static let mostOfOne = 64
}
