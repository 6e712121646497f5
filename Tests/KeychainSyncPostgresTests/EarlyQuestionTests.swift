// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainSync
import KeychainSystem
import TestCircles
import Testing

/// What a round asks for early is asked once, and by one thread at a time.
@Suite struct EarlyQuestionTests {
    private static let view = CircleConformance.view(1)

    /// A server that answers with as many rows as it was asked questions before.
    private final class Counting: CircleTransport {
        private let asked = ForkSafeMutex((now: 0, all: 0, most: 0))

        var count: Int { asked.withLock { $0.all } }
        var atOnce: Int { asked.withLock { $0.most } }

        func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
            let number = asked.withLock { asked in
                asked.now += 1
                asked.all += 1
                asked.most = max(asked.most, asked.now)
                return asked.all
            }
            defer { asked.withLock { $0.now -= 1 } }
            guard number < 100 else { throw .unreachable("it is gone") }
            return .newest([ChainEnd](repeating: .none, count: number - 1))
        }
    }

    private func records(_ number: UInt64) -> CircleRequest {
        .headRecords(EarlyQuestionTests.view, [SyncHeadPlace(number: number, chance: 1)], behind: nil)
    }

    /// How many questions came before the one that this is the answer to.
    private func place(_ answer: Result<CircleReply, CircleServerError>) throws -> Int {
        guard case .newest(let ends) = try answer.get() else { throw CircleServerError.broken("another answer") }
        return ends.count
    }

    @Test("the answer to an early question is that of its request, and used once")
    func once() throws {
        let server = Counting()
        let questions = EarlyQuestions(server)
        questions.ask(records(1))
        #expect(try place(questions.answer(to: records(1))) == 0)
        #expect(try place(questions.answer(to: records(1))) == 1)
        #expect(server.count == 2 && server.atOnce == 1)
    }

    @Test("another request is asked by itself, when the early one is over")
    func other() throws {
        let server = Counting()
        let questions = EarlyQuestions(server)
        questions.ask(records(1))
        #expect(try place(questions.answer(to: records(2))) == 1)
        questions.ask(records(3))
        #expect(try place(questions.answer(to: .newest([.log]))) == 3)
        questions.ask(records(4))
        questions.ask(records(5))
        #expect(try place(questions.answer(to: records(5))) == 5)
        #expect(server.atOnce == 1)
    }

    @Test("none is under way when the round is over, and a failure is the answer, too")
    func end() throws {
        let server = Counting()
        for number in 1..<120 {
            let questions = EarlyQuestions(server)
            questions.ask(records(1))
            if number > 100 {
                #expect(throws: CircleServerError.unreachable("it is gone")) {
                    try questions.answer(to: records(1)).get()
                }
            }
        }
        #expect(server.count == 119 && server.atOnce == 1)
    }
}
