// SPDX-License-Identifier: Apache-2.0

/// What became of examining a log.
package struct AuditReport: Sendable, Equatable {
    /// The first and the last file that are there.
    package internal(set) var files: ClosedRange<UInt32>?
    /// Records that somebody with the key wrote.
    package internal(set) var records: Int64 = 0
    package internal(set) var first: (number: Int64, time: Int64)?
    package internal(set) var last: (number: Int64, time: Int64)?
    /// Entries that could not be written.
    package internal(set) var lost: Int64 = 0
    /// The first thousand findings.
    package private(set) var findings: [AuditFinding] = []
    package private(set) var findingCount = 0
    private var alarms = 0

    /// Whether nobody has changed, cut or reordered anything since it was written, as far as the log itself can tell: an
    /// older copy of the whole folder in its place looks the same.
    package var isIntact: Bool { alarms == 0 }

    mutating func add(_ finding: AuditFinding) {
        findingCount += 1
        if finding.isAlarming { alarms += 1 }
        if findings.count < AuditReport.mostFindings { findings.append(finding) }
    }

    package static func == (left: AuditReport, right: AuditReport) -> Bool {
        left.files == right.files && left.records == right.records && left.first?.number == right.first?.number
            && left.last?.number == right.last?.number && left.lost == right.lost && left.findings == right.findings
            && left.findingCount == right.findingCount
    }

    static let mostFindings = 1000
}
