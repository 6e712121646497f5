// SPDX-License-Identifier: Apache-2.0

/// What became of examining a log, in words.
package struct AuditVerdict: Sendable, Equatable {
    /// One thing that is not as the writer leaves it.
    package struct Finding: Sendable, Equatable {
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
    /// Records that somebody with the key wrote.
    package let records: Int64
    /// Entries that could not be written.
    package let lost: Int64
    /// The first thousand.
    package let findings: [Finding]
    /// How many there are.
    package let findingCount: Int64

    package init(isIntact: Bool, records: Int64, lost: Int64, findings: [Finding], findingCount: Int64) {
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
                Finding(
                    text: finding.problem.description, file: finding.file.map(Int64.init), record: finding.record,
                    isAlarming: finding.isAlarming)
            }, findingCount: Int64(report.findingCount))
    }

    package static let mostFindings = AuditReport.mostFindings
}

extension AuditProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noLog: "there is no log"
        case .noHead: "the head is missing, so nobody knows where the log ended"
        case .damagedHead: "the head is not what the writer left"
        case .halfDamagedHead: "one half of the head is damaged"
        case .headIsBehind(let count): "the head does not know of the last \(count) records"
        case .missingEnd(let number): "the log ends before record \(number), which it had"
        case .missingFile: "a file is missing that is to be kept"
        case .leftoverFile: "a file is there that was to be removed"
        case .noOpening: "a file does not begin as the writer begins one"
        case .otherFile(let number): "a file was file \(number) before"
        case .alteredRecord: "a record was altered, or does not belong behind the one before it"
        case .misplacedRecord(let claims): "a record that claims the number \(claims) stands in the place of another"
        case .recordAfterSeal: "something stands behind a seal"
        case .wrongSeal: "a seal counts other records than there are"
        case .missingSeal: "a full file has lost its seal"
        case .brokenLink: "the chain of records is broken here"
        case .tornRecord(let count): "\(count) bytes are left of a record"
        case .unreadableBytes(let count): "\(count) bytes are no records"
        case .interruption(let cause): "a new file was begun here, because \(cause.words)"
        case .lostEntries(let count, let reason): "\(count) entries could not be written (\(reason))"
        }
    }
}

extension AuditOpening.Cause {
    /// What goes on behind "because".
    package var words: String {
        switch self {
        case .first: "there was none"
        case .rotation: "the one before it was full"
        case .tornTail: "the one before it ended in the middle of a record"
        case .unsyncedTail: "the end of the one before it had not reached the disk"
        case .cutTail: "the end of the one before it was cut off"
        case .damage: "the one before it was damaged"
        case .lostHead: "the head was gone or damaged"
        }
    }
}
