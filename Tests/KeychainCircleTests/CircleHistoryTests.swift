// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainCoding
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// The log as those read it who have words alone.
@Suite struct CircleHistoryTests {
    /// A log, and the box of its snapshots.
    private struct Server: CircleTransport {
        var bodies: [ChainBody] = []
        var mail: [MailBody] = []

        func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
            switch request {
            case .chain(.log, let behind, let limit):
                .bodies(Array(bodies.filter { $0.number > behind }.prefix(limit)))
            case .bodies(.log, let numbers): .bodies(bodies.filter { numbers.contains($0.number) })
            case .mail(_, let behind, let limit): .mail(Array(mail.filter { $0.number > behind }.prefix(limit)))
            default: throw .broken("no other question is asked")
            }
        }
    }

    @Test("an entry of a later version ends it, unless owners have gone on and left it out")
    func later() throws {
        let owner = try TestCircleDevice()
        let found = try CircleLog.found(
            by: owner, named: [1], commitment: [UInt8](repeating: 1, count: 32), now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize))
        var (log, server) = (found.log, Server(bodies: [found.body]))
        let model = try log.entry(.quorum(1), by: owner.card.id(), now: 1000)
        guard case .array(var parts) = try PropertyList(decoding: model.encoded()) else { throw CircleError.malformed }
        parts[7] = .array([.string("x")])
        let later = try SignedBody(PropertyList.array(parts).encoded(), by: owner).encoded()
        server.bodies.append(ChainBody(number: log.next, body: later, who: "role"))
        #expect(throws: CircleFailure.self) { try CircleHistory(of: log.circle, on: server) }
        log.passOver()
        let entry = try log.body(.quorum(1), by: owner, now: 1000)
        _ = try log.take([entry])
        server.bodies.append(entry)
        #expect(throws: CircleFailure.self) { try CircleHistory(of: log.circle, on: server) }
        let snapshot = try log.snapshot(by: owner, always: true)
        server.mail = [try #require(snapshot)]
        let history = try CircleHistory(of: log.circle, on: server)
        #expect(history.log.tip == log.tip && history.lines.count == 2)
        guard case .junk(2, "role")? = history.lines.last else {
            Issue.record("the entry is not said to be junk")
            return
        }
    }
}
