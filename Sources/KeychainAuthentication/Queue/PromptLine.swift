// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The prompts that wait for their turn, and who waits for each.
struct PromptLine<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait> {
    typealias Prompt = PromptQueue<Key, Answer, Failure>.Prompt

    /// One prompt.
    // Sendable: what changes in it is read and written only with the queue's lock held.
    final class Entry: @unchecked Sendable {
        let key: Key
        let prompt: Prompt
        let cancellation = PromptCancellation()
        fileprivate var waiting: [Bell] = []
        fileprivate var isBeforeThePerson = false
        fileprivate(set) var result: Result<Answer, Failure>?

        init(key: Key, prompt: @escaping Prompt) {
            self.key = key
            self.prompt = prompt
        }
    }

    private var entries: [Entry] = []
    private var isAsking = false
    /// In which process, counted in forks: a child has none of the parent's threads, and nobody who waits.
    private var epoch = llv_fork_epoch()

    var isIdle: Bool { entries.isEmpty && !isAsking }

    var waiting: Int { entries.reduce(0) { $0 + $1.waiting.count } }

    /// Who wants an answer waits for the entry; `isFirst` when nobody is there yet who asks.
    mutating func join(_ key: Key, _ prompt: @escaping Prompt, _ bell: Bell) -> (entry: Entry, isFirst: Bool) {
        if epoch != llv_fork_epoch() { self = PromptLine() }
        // One that is being taken back has no answer for anybody.
        if let entry = entries.first(where: { $0.key == key && !$0.waiting.isEmpty }) {
            entry.waiting.append(bell)
            return (entry, false)
        }
        let entry = Entry(key: key, prompt: prompt)
        entry.waiting = [bell]
        entries.append(entry)
        defer { isAsking = true }
        return (entry, !isAsking)
    }

    /// Who no longer wants an answer goes, and the prompt with the last one.
    mutating func leave(_ entry: Entry, _ bell: Bell) {
        entry.waiting.removeAll { $0 === bell }
        guard entry.waiting.isEmpty, entry.result == nil else { return }
        if entry.isBeforeThePerson { entry.cancellation.trip() } else { entries.removeAll { $0 === entry } }
    }

    /// What is to be asked now; nil when nobody waits, and then nobody asks any more.
    mutating func next() -> Entry? {
        let entry = entries.first
        entry?.isBeforeThePerson = true
        isAsking = entry != nil
        return entry
    }

    mutating func finish(_ entry: Entry, with result: Result<Answer, Failure>) {
        entries.removeAll { $0 === entry }
        entry.result = result
        for bell in entry.waiting { bell.ring() }
        entry.waiting = []
    }

    /// Nobody can ask.
    mutating func giveUp(_ failure: Failure) {
        for entry in entries { finish(entry, with: .failure(failure)) }
        isAsking = false
    }
}
