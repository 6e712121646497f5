// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import KeychainModel
import TestSeed

extension Seed {
    mutating func auditQuery() -> AuditQuery {
        let most = Int(AuditPage.mostRecords)
        return flip() ? .verdict : .records(after: Int64(below(1000)), atMost: Int64(1 + below(most)))
    }

    mutating func auditPage() -> AuditPage {
        let records = some(upTo: 4) { seed in
            AuditRecord(number: 1 + Int64(seed.below(1000)), time: seed.integer(), seed.auditContent())
        }
        return AuditPage(records: records, isLast: flip(), isIntact: flip())
    }

    private mutating func auditContent() -> AuditRecord.Content {
        let items = (0...below(2)).map { _ in AuditedItem(itemClass(), id(), group: .everyOfProgram) }
        let program = AuditedProgram(user: 1, process: 2, image: text(), level: nil)
        let outcome = AuditOutcome.failed(pick(KeychainError.Reason.allCases))
        return pick([
            .moreItems(items), .lost(1 + Int64(below(9)), reason: integer()), .seal(records: 1 + Int64(below(9))),
            .entry(AuditEntry(pick(AuditOperation.allCases), by: program, outcome: outcome, items: items, count: 3)),
        ])
    }

    mutating func auditVerdict() -> AuditVerdict {
        let findings = some(upTo: 4) { seed in
            AuditVerdict.Irregularity(
                text: seed.text(), file: seed.maybe { $0.integer() }, record: seed.maybe { $0.integer() },
                isAlarming: seed.flip())
        }
        return AuditVerdict(
            isIntact: flip(), records: Int64(below(1000)), lost: Int64(below(1000)), findings: findings,
            findingCount: Int64(findings.count + below(9)))
    }
}
