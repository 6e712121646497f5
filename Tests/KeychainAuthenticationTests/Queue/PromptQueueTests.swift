// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainModel
import KeychainSystem
import Synchronization
import TestProcesses
import TestPrompts
import Testing

@Suite struct PromptQueueTests {
    private typealias Queue = PromptQueue<String, Int, PromptError>

    /// What came of a request, to be compared.
    private enum Result: Equatable, Sendable {
        case answer(Int)
        case cancelled
        case other
    }

    private func request(
        _ queue: Queue, _ key: String, _ cancellation: Cancellation = Cancellation(),
        _ prompt: @escaping Queue.Prompt
    ) -> Errand<Result> {
        Errand {
            do throws(PromptError) { return .answer(try queue.answer(to: key, cancellation, prompt)) } catch {
                if case .cancelled = error { return .cancelled }
                return .other
            }
        }
    }

    /// Waits until so many wait for a prompt that is open: as many have joined as have not been told to ask.
    private func settle(_ queue: Queue, _ count: Int) throws {
        try EventLimit.wait(for: "\(count) wait") { queue.waiting == count }
    }

    @Test("eight equal requests are one prompt, and share its answer", arguments: [false, true])
    func sharing(isDenied: Bool) throws {
        let (queue, gate) = (Queue(), Turnstile())
        let requests = (0..<8).map { _ in
            request(queue, "key") { (_) throws(PromptError) in
                gate.enter()
                if isDenied { throw .cancelled }
                return 7
            }
        }
        try gate.wait()
        try settle(queue, 8)
        gate.open()
        for request in requests { #expect(try request.result() == (isDenied ? .cancelled : .answer(7))) }
        #expect(gate.arrivals == 1)
        // The next one is a new question.
        #expect(try request(queue, "key") { (_) throws(PromptError) in 8 }.result() == .answer(8))
    }

    @Test("eight different requests are asked one after the other")
    func oneAtATime() throws {
        let queue = Queue()
        let open = Mutex((now: 0, most: 0))
        let requests = (0..<8).map { number in
            request(queue, "key \(number)") { (_) throws(PromptError) in
                open.withLock { open in
                    open.now += 1
                    open.most = max(open.most, open.now)
                }
                for _ in 0..<100 { sched_yield() }
                open.withLock { $0.now -= 1 }
                return number
            }
        }
        for (number, request) in requests.enumerated() { #expect(try request.result() == .answer(number)) }
        #expect(open.withLock { $0.most } == 1)
    }

    @Test("a request that is taken back returns at once, and the others keep their prompt")
    func leaving() throws {
        let (queue, gate, cancellation) = (Queue(), Turnstile(), Cancellation())
        let first = request(queue, "key", cancellation) { (_) throws(PromptError) in
            gate.enter()
            return 1
        }
        try gate.wait()
        let others = (0..<3).map { _ in request(queue, "key") { (_) throws(PromptError) in 2 } }
        try settle(queue, 4)
        cancellation.trip()
        #expect(try first.result() == .cancelled)
        #expect(queue.waiting == 3)
        gate.open()
        // The answer of the prompt that was there before, begun by the one who left.
        for other in others { #expect(try other.result() == .answer(1)) }
    }

    @Test("a prompt that nobody waits for any more is taken back, and an equal request asks anew")
    func abandoned() throws {
        let (queue, prompt) = (Queue(), ScriptedPrompt([.silence]))
        let (one, two) = (Cancellation(), Cancellation())
        let requests = [one, two].map { cancellation in
            request(queue, "key", cancellation) { (cancellation) throws(PromptError) in
                try prompt.ask(.test(cancellation)).count
            }
        }
        try settle(queue, 2)
        one.trip()
        two.trip()
        for request in requests { #expect(try request.result() == .cancelled) }
        #expect(try request(queue, "key") { (_) throws(PromptError) in 9 }.result() == .answer(9))
        #expect(prompt.questions.count <= 1)
    }

    @Test("an equal request does not join a prompt that is being taken back")
    func takenBack() throws {
        let (queue, gate, cancellation) = (Queue(), Turnstile(), Cancellation())
        let first = request(queue, "key", cancellation) { (_) throws(PromptError) in
            gate.enter()
            throw .cancelled
        }
        try gate.wait()
        cancellation.trip()
        #expect(try first.result() == .cancelled)
        let second = request(queue, "key") { (_) throws(PromptError) in 2 }
        try settle(queue, 1)
        gate.open()
        #expect(try second.result() == .answer(2))
    }

    @Test("a request that is taken back before its turn is never asked")
    func neverAsked() throws {
        let (queue, gate, cancellation) = (Queue(), Turnstile(), Cancellation())
        let first = request(queue, "first") { (_) throws(PromptError) in
            gate.enter()
            return 1
        }
        try gate.wait()
        let asked = Turnstile()
        let second = request(queue, "second", cancellation) { (_) throws(PromptError) in
            asked.pass()
            return 2
        }
        try settle(queue, 2)
        cancellation.trip()
        #expect(try second.result() == .cancelled)
        gate.open()
        #expect(try first.result() == .answer(1))
        #expect(try request(queue, "third") { (_) throws(PromptError) in 3 }.result() == .answer(3))
        #expect(asked.arrivals == 0)
    }

    @Test("a request with a cancellation that was tripped before is not asked")
    func alreadyTripped() throws {
        let (queue, asked, cancellation) = (Queue(), Turnstile(), Cancellation())
        cancellation.trip()
        let result = try request(queue, "key", cancellation) { (_) throws(PromptError) in
            asked.pass()
            return 1
        }.result()
        #expect(result == .cancelled)
        #expect(asked.arrivals == 0)
    }

    @Test("eight threads that ask, answer and take back at random all get what is theirs")
    func turmoil() throws {
        let queue = Queue()
        let workers = (0..<8).map { worker in
            Errand { () -> Int in
                var wrong = 0
                var random = UInt64(worker + 1)
                for _ in 0..<200 {
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let key = Int(random >> 33) % 3
                    let cancellation = Cancellation()
                    if random >> 40 & 3 == 0 { Thread.detachNewThread { cancellation.trip() } }
                    do throws(PromptError) {
                        let answer = try queue.answer(to: "\(key)", cancellation) { (inner) throws(PromptError) in
                            if inner.isTripped { throw .cancelled }
                            return key
                        }
                        if answer != key { wrong += 1 }
                    } catch {
                        // Only who took it back is told so: the prompts themselves refuse nobody who still waits.
                        guard case .cancelled = error, cancellation.isTripped else {
                            wrong += 1
                            continue
                        }
                    }
                }
                return wrong
            }
        }
        for worker in workers { #expect(try worker.result() == 0) }
        #expect(queue.waiting == 0)
    }
}
