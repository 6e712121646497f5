// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSystem
import Testing

@Suite struct WaitingTests {
    @Test("a wait that is cancelled before it begins ends at once")
    func cancelledBefore() {
        let cancellation = Cancellation()
        cancellation.trip()
        #expect(failure(seconds: nil, cancellation) == "cancelled")
    }

    @Test("another thread cancels a wait that has no end of its own")
    func cancelledMeanwhile() {
        let cancellation = Cancellation()
        let refusal = NamedThread.start("test") { cancellation.trip() }
        #expect(refusal == 0)
        #expect(failure(seconds: nil, cancellation) == "cancelled")
    }

    @Test("a wait without time left ends at once")
    func timedOut() {
        #expect(failure(seconds: 0, Cancellation()) == "timed out")
    }

    @Test("a signal before the wait counts, and counts once")
    func signalled() throws {
        let wakeUp = try WakeUp()
        wakeUp.signal()
        wakeUp.signal()
        let deadline = try Deadline(seconds: 10, Cancellation())
        let before = try deadline.wait(for: wakeUp.file, POLLIN, until: .now)
        #expect(before)
        wakeUp.reset()
        let after = try deadline.wait(for: wakeUp.file, POLLIN, until: .now)
        #expect(!after)
    }

    @Test("a negative number of milliseconds never ends, and is no limit")
    func never() {
        #expect(Instant(inMilliseconds: -1) == .never)
        #expect(Instant.never.remaining == -1)
        #expect(Instant.never.remaining(atMost: 5) == 5)
        #expect(Instant.never.remaining(atMost: -1) == -1)
        let past = Instant(microseconds: 0)
        #expect(past.remaining == 0 && past.remaining(atMost: -1) == 0 && past.remaining(atMost: 5) == 0)
        let soon = Instant(inMilliseconds: 60_000)
        #expect(soon.remaining(atMost: 5) == 5)
        #expect((1...60_000).contains(soon.remaining(atMost: -1)))
        #expect((1...60_000).contains(soon.remaining(atMost: 90_000)))
    }

    /// Why the wait for something that never comes ended.
    private func failure(seconds: UInt32?, _ cancellation: Cancellation) -> String {
        do throws(WaitFailure) {
            let wakeUp = try WakeUp()
            try Deadline(seconds: seconds, cancellation).wait(for: wakeUp.file)
            return "it came"
        } catch {
            switch error {
            case .cancelled: return "cancelled"
            case .timedOut: return "timed out"
            case .failed(let code): return "errno \(code)"
            }
        }
    }
}
