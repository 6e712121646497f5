// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel

/// A queue of questions for each screen that people look at.
///
/// Those where nothing is asked are forgotten when there are many: however many screens come and go, nobody waits for people
/// who look at another one.
final class PromptQueues<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait>: Sendable {
    private struct Entry: Sendable {
        let queue = PromptQueue<Key, Answer, Failure>()
        var callers = 0

        /// Whether nobody waits, and no question is still being taken back.
        var isIdle: Bool { callers == 0 && queue.isIdle }
    }

    private let entries = ForkSafeMutex<[String: Entry]>([:])

    /// The answer to `prompt`, in its turn among those on this screen.
    func answer(
        on screen: String, to key: Key, _ cancellation: PromptCancellation,
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
