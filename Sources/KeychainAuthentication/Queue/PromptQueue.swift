// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// Lets one prompt at a time before the person, whoever asks.
///
/// Requests with equal keys that wait at the same time are one: they share the answer, be it a refusal. The prompt runs
/// on a thread of its own, so that a request that is taken back leaves it to the others at once; it is taken back itself
/// when nobody waits for it any more.
package final class PromptQueue<Key: Hashable & Sendable, Answer: Sendable, Failure: BreakableWait>: Sendable {
    /// Asks; the cancellation is tripped when nobody wants the answer any more.
    package typealias Prompt = @Sendable (PromptCancellation) throws(Failure) -> Answer

    private let line = ForkSafeMutex(PromptLine<Key, Answer, Failure>())

    package init() {}

    /// The answer to `prompt`, or to an equal one that was there before; waits on the caller's thread.
    ///
    /// Hold no lock, and be in no operation. How long it takes is for the prompts to limit.
    package func answer(
        to key: Key, _ cancellation: PromptCancellation, _ prompt: @escaping Prompt
    ) throws(Failure) -> Answer {
        if cancellation.isTripped { throw Failure(.cancelled) }
        let bell: Bell
        do throws(BrokenWait) { bell = try Bell() } catch { throw Failure(error) }
        cancellation.attach(bell)
        defer { cancellation.detach(bell) }
        let (entry, isFirst) = line.withLock { $0.join(key, prompt, bell) }
        if isFirst { startAsking() }
        while true {
            let failure = wait(for: bell)
            let result = line.withLock { line -> Result<Answer, Failure>? in
                let why = cancellation.isTripped ? BrokenWait.cancelled : failure
                guard let why else { return entry.result }
                line.leave(entry, bell)
                return .failure(Failure(why))
            }
            if let result { return try result.get() }
        }
    }

    /// How many requests wait for an answer now.
    package var waiting: Int { line.withLock { $0.waiting } }

    /// Whether nothing is asked, and nobody waits.
    package var isIdle: Bool { line.withLock { $0.isIdle } }

    /// Waits until the bell rings; what it returns is why it cannot.
    private func wait(for bell: Bell) -> BrokenWait? {
        do throws(BrokenWait) {
            _ = try Patience.poll([pollfd(fd: bell.file, events: Int16(POLLIN), revents: 0)], -1)
            bell.still()
            return nil
        } catch { return error }
    }

    private func startAsking() {
        let failure = PromptThread.start { [self] in
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
