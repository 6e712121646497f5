// SPDX-License-Identifier: Apache-2.0

/// A question about a log from a program that does not have its key.
package enum AuditQuery: Sendable, Equatable {
    /// Whether it is as its writer leaves it.
    case verdict
    /// The records behind one number; 0 for the first ones.
    case records(after: Int64, atMost: Int64)
}

/// What is answered to one.
package enum AuditAnswer: Sendable, Equatable {
    case verdict(AuditVerdict)
    case page(AuditPage)
}

/// A part of a log, for a program that may read it and does not get its key.
package struct AuditPage: Sendable, Equatable {
    package let records: [AuditRecord]
    /// Whether the log had nothing behind these.
    package let isLast: Bool
    /// Whether the whole log was as its writer leaves it.
    package let isIntact: Bool

    package init(records: [AuditRecord], isLast: Bool, isIntact: Bool) {
        self.records = records
        self.isLast = isLast
        self.isIntact = isIntact
    }

    /// Records in one page.
    package static let mostRecords: Int64 = 10_000
    /// Bytes of records after which a page is full; one message holds four times as much.
    static let fullSize = 16 << 20
}

/// What became of examining a log, in words.
package struct AuditVerdict: Sendable, Equatable {
    /// One thing that is not as the writer leaves it.
    package struct Irregularity: Sendable, Equatable {
        package let text: String
        package let file: Int64?
        package let record: Int64?
        package let isAlarming: Bool

        package init(text: String, file: Int64?, record: Int64?, isAlarming: Bool) {
            self.text = text
            self.file = file
            self.record = record
            self.isAlarming = isAlarming
        }
    }

    package let isIntact: Bool
    /// Records that were written with the key.
    package let records: Int64
    /// Entries that could not be written.
    package let lost: Int64
    /// The first thousand.
    package let findings: [Irregularity]
    /// How many there are.
    package let findingCount: Int64

    package init(isIntact: Bool, records: Int64, lost: Int64, findings: [Irregularity], findingCount: Int64) {
        self.isIntact = isIntact
        self.records = records
        self.lost = lost
        self.findings = findings
        self.findingCount = findingCount
    }

    package init(_ report: AuditReport) {
        self.init(
            isIntact: report.isIntact, records: report.records, lost: report.lost,
            findings: report.findings.map { finding in
                Irregularity(
                    text: finding.problem.description, file: finding.file.map(Int64.init), record: finding.record,
                    isAlarming: finding.isAlarming)
            }, findingCount: Int64(report.findingCount))
    }

    package static let mostFindings = AuditReport.mostFindings
}

extension AuditReader {
    package func answer(to query: AuditQuery) throws(AuditError) -> AuditAnswer {
        switch query {
        case .verdict: .verdict(AuditVerdict(try verify()))
        case .records(let number, let limit): .page(try page(after: number, atMost: limit))
        }
    }

    /// The records behind one number, and at least one of them if there are any.
    package func page(after number: Int64, atMost limit: Int64) throws(AuditError) -> AuditPage {
        var (records, size, isLast) = ([AuditRecord](), 0, true)
        let report = try entries { record, _ in
            guard record.number > number else { return }
            guard isLast, records.count < limit, size < AuditPage.fullSize else {
                isLast = false
                return
            }
            // What cannot be written again is not there: its length counts for nothing.
            size += (try? record.encoded().count) ?? 0
            records.append(record)
        }
        return AuditPage(records: records, isLast: isLast, isIntact: report.isIntact)
    }
}
