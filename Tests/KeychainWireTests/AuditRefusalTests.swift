// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import KeychainCoding
import KeychainWire
import Testing

@Suite struct AuditRefusalTests {
    private static let content = [3, 1]

    @Test("a question about the log goes forward, and wants some records and not too many")
    func query() throws {
        let call = WireCall.audit(.records(after: 5, atMost: 10))
        let bytes = try WireBytes(WireMessage(number: 1, .call(call)))
        #expect(try bytes.refusal(setting: Self.content + [1], .number(-1)) == .outOfRange)
        for limit: Int64 in [-1, 0, AuditPage.mostRecords + 1, .max] {
            #expect(try bytes.refusal(setting: Self.content + [2], .number(limit)) == .outOfRange)
        }
        #expect(try bytes.refusal(setting: Self.content + [0], .number(3)) == .unknownNumber)
        for query in [AuditQuery.records(after: -1, atMost: 1), .records(after: 0, atMost: 0)] {
            #expect(throws: WireError.unwritable) { try WireMessage(number: 1, .call(.audit(query))).bytes() }
        }
    }

    @Test("a record is one that a log could have, and a verdict counts what it has")
    func answers() throws {
        let record = AuditRecord(number: 1, time: 2, .seal(records: 3))
        let page = WireReply.audit(.page(AuditPage(records: [record], isLast: true, isIntact: true)))
        let bytes = try WireBytes(WireMessage(number: 1, .reply(page)))
        var text = try record.encoded()
        #expect(try bytes.refusal(setting: Self.content + [1, 0, 0], .data(text)) == nil)
        text[text.count - 1] = 0
        #expect(try bytes.refusal(setting: Self.content + [1, 0, 0], .data(text)) == .malformed)
        #expect(try bytes.refusal(setting: Self.content + [1, 0, 0], .data([])) == .malformed)
        let finding = AuditVerdict.Irregularity(text: "a", file: nil, record: nil, isAlarming: true)
        let verdict = AuditVerdict(isIntact: false, records: 1, lost: 0, findings: [finding], findingCount: 1)
        let other = try WireBytes(WireMessage(number: 1, .reply(.audit(.verdict(verdict)))))
        #expect(try other.refusal(setting: Self.content + [1, 4], .number(0)) == .contradiction)
        #expect(try other.refusal(setting: Self.content + [1, 1], .number(-1)) == .outOfRange)
    }
}
