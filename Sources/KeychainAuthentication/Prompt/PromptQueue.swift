// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel
package import KeychainSystem

/// Shows the person one prompt at a time, for all callers.
///
/// Requests with equal keys that wait at the same time are one: they share the answer, be it a refusal. The prompt runs
/// on a thread of its own, so that a request that is taken back leaves it to the others at once; it is taken back itself
/// when no caller waits for it any more.
package final class PromptQueue<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait>: Sendable {
    /// Asks; the cancellation is tripped when the answer is no longer wanted.
    package typealias Prompt = @Sendable (Cancellation) throws(Failure) -> Answer

    private let line = ForkSafeMutex(PromptLine<Key, Answer, Failure>())

    package init() {}

    /// The answer to `prompt`, or to an equal one that was there before; waits on the caller's thread.
    ///
    /// Hold no lock, and be in no operation. How long it takes is for the prompts to limit.
    package func answer(
        to key: Key, _ cancellation: Cancellation, _ prompt: @escaping Prompt
    ) throws(Failure) -> Answer {
        if cancellation.isTripped { throw Failure(.cancelled) }
        let wakeUp = try Failure.translating { () throws(WaitFailure) in try WakeUp() }
        cancellation.attach(wakeUp)
        defer { cancellation.detach(wakeUp) }
        let (entry, isFirst) = line.withLock { $0.join(key, prompt, wakeUp) }
        if isFirst { startAsking() }
        while true {
            let failure = wait(for: wakeUp)
            let result = line.withLock { line -> Result<Answer, Failure>? in
                let why = cancellation.isTripped ? WaitFailure.cancelled : failure
                guard let why else { return entry.result }
                line.leave(entry, wakeUp)
                return .failure(Failure(why))
            }
            if let result { return try result.get() }
        }
    }

    /// How many requests wait for an answer now.
    package var waiting: Int { line.withLock { $0.waiting } }

    /// Whether no prompt is shown, and no caller waits.
    package var isIdle: Bool { line.withLock { $0.isIdle } }

    /// Waits for the wake-up; what it returns is why it cannot.
    private func wait(for wakeUp: WakeUp) -> WaitFailure? {
        do throws(WaitFailure) {
            try wakeUp.wait()
            wakeUp.reset()
            return nil
        } catch { return error }
    }

    private func startAsking() {
        let failure = NamedThread.start("prompt") { [self] in
            while let entry = line.withLock({ $0.next() }) {
                let result: Result<Answer, Failure>
                do throws(Failure) { result = .success(try entry.prompt(entry.cancellation)) } catch {
                    result = .failure(error)
                }
                line.withLock { $0.finish(entry, with: result) }
            }
        }
        if failure != 0 { line.withLock { $0.giveUp(Failure(.failed(failure))) } }
    }
}

/// The prompts that wait for their turn, and who waits for each.
struct PromptLine<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait> {
    typealias Prompt = PromptQueue<Key, Answer, Failure>.Prompt

    /// One prompt.
    // Sendable: what changes in it is read and written only with the queue's lock held.
    final class Entry: @unchecked Sendable {
        let key: Key
        let prompt: Prompt
        let cancellation = Cancellation()
        fileprivate var waiting: [WakeUp] = []
        fileprivate var isBeforeThePerson = false
        fileprivate(set) var result: Result<Answer, Failure>?

        init(key: Key, prompt: @escaping Prompt) {
            self.key = key
            self.prompt = prompt
        }
    }

    private var entries: [Entry] = []
    private var isAsking = false
    /// In which process, counted in forks: a child has none of the parent's threads, and no waiting callers.
    private var epoch = llv_fork_epoch()

    var isIdle: Bool { entries.isEmpty && !isAsking }

    var waiting: Int { entries.reduce(0) { $0 + $1.waiting.count } }

    /// Who wants an answer waits for the entry; `isFirst` when no other caller is asking yet.
    mutating func join(_ key: Key, _ prompt: @escaping Prompt, _ wakeUp: WakeUp) -> (entry: Entry, isFirst: Bool) {
        if epoch != llv_fork_epoch() { self = PromptLine() }
        // One that is being cancelled has no answer for a further caller.
        if let entry = entries.first(where: { $0.key == key && !$0.waiting.isEmpty }) {
            entry.waiting.append(wakeUp)
            return (entry, false)
        }
        let entry = Entry(key: key, prompt: prompt)
        entry.waiting = [wakeUp]
        entries.append(entry)
        defer { isAsking = true }
        return (entry, !isAsking)
    }

    /// Who no longer wants an answer goes, and the prompt with the last one.
    mutating func leave(_ entry: Entry, _ wakeUp: WakeUp) {
        entry.waiting.removeAll { $0 === wakeUp }
        guard entry.waiting.isEmpty, entry.result == nil else { return }
        if entry.isBeforeThePerson { entry.cancellation.trip() } else { entries.removeAll { $0 === entry } }
    }

    /// What is to be asked now; nil when no caller waits, and then asking ends.
    mutating func next() -> Entry? {
        let entry = entries.first
        entry?.isBeforeThePerson = true
        isAsking = entry != nil
        return entry
    }

    mutating func finish(_ entry: Entry, with result: Result<Answer, Failure>) {
        entries.removeAll { $0 === entry }
        entry.result = result
        for wakeUp in entry.waiting { wakeUp.signal() }
        entry.waiting = []
    }

    /// No prompt is possible.
    mutating func giveUp(_ failure: Failure) {
        for entry in entries { finish(entry, with: .failure(failure)) }
        isAsking = false
    }
}
