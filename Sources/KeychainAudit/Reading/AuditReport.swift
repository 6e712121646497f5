// SPDX-License-Identifier: Apache-2.0

/// What became of examining a log.
package struct AuditReport: Sendable, Equatable {
    /// The first and the last file that are there.
    package internal(set) var files: ClosedRange<UInt32>?
    /// Records that were written with the key.
    package internal(set) var records: Int64 = 0
    package internal(set) var first: (number: Int64, time: Int64)?
    package internal(set) var last: (number: Int64, time: Int64)?
    /// Entries that could not be written.
    package internal(set) var lost: Int64 = 0
    /// The first thousand findings.
    package private(set) var findings: [AuditFinding] = []
    package private(set) var findingCount = 0
    private var alarms = 0

    /// Whether nothing was changed, cut or reordered since it was written, as far as the log itself can tell: an
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

/// Something about a log that is not as its writer leaves it, and where.
package struct AuditFinding: Sendable, Equatable {
    package let problem: AuditProblem
    /// The file; nil for the head or the whole log.
    package let file: UInt32?
    /// The record, by the number it has or should have.
    package let record: Int64?
    /// False for what a crash, a power cut or a full disk leaves; it tells of no hand.
    package let isAlarming: Bool

    init(_ problem: AuditProblem, file: UInt32? = nil, record: Int64? = nil, isAlarming: Bool = true) {
        self.problem = problem
        self.file = file
        self.record = record
        self.isAlarming = isAlarming
    }
}

package enum AuditProblem: Sendable, Equatable {
    /// There is neither a head nor a file.
    case noLog
    case noHead
    /// The head was not written with the key.
    case damagedHead
    /// One of the head's two places is damaged. No alarm when the log goes on behind the other one, as after a torn write.
    case halfDamagedHead
    /// The log has so many records more than its head knows of, as after a kill.
    case headIsBehind(Int64)
    /// The log ends before the record that its head names. No alarm when a power cut may have taken what is missing.
    case missingEnd(to: Int64)
    /// A file is not there that is to be kept.
    case missingFile
    /// A file is there that was to be removed.
    case leftoverFile
    /// A file that does not begin as ours do, or has no first record that was written with the key.
    case noOpening
    /// A file that was another one: its first record has that number.
    case otherFile(UInt32)
    /// A record that was not written with the key, or not behind the one before it.
    case alteredRecord
    /// A record that claims to be another one than comes next: reordered, repeated, put in, or others were cut out.
    case misplacedRecord(claims: Int64)
    /// Something stands behind a seal.
    case recordAfterSeal
    /// A seal that counts other records than there are.
    case wrongSeal
    /// A file that is not the last one ends without a seal, and the next says that it had one.
    case missingSeal
    /// A file does not go on from the last record of the one before it.
    case brokenLink
    /// So many bytes of a record whose rest is missing. No alarm at the end of the log, or where the next file says so.
    case tornRecord(Int)
    /// So many bytes that are no records.
    case unreadableBytes(Int)
    /// The writer found the log as it says here, and began this file. An alarm unless it was a power cut.
    case interruption(AuditOpening.Cause)
    /// So many entries could not be written, and why.
    case lostEntries(Int64, reason: Int64)
}

extension AuditProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noLog: "there is no log"
        case .noHead: "the head is missing, so the end of the log cannot be verified"
        case .damagedHead: "the head is damaged or was altered"
        case .halfDamagedHead: "one half of the head is damaged"
        case .headIsBehind(let count): "the head does not cover the last \(count) records"
        case .missingEnd(let number): "the log ends before record \(number), which was written"
        case .missingFile: "a file that had to be kept is missing"
        case .leftoverFile: "a file that had been removed is present again"
        case .noOpening: "a file does not begin with a valid opening record"
        case .otherFile(let number): "the file was file \(number) when it was written"
        case .alteredRecord: "a record was altered, or does not follow the one before it"
        case .misplacedRecord(let claims): "record \(claims) is at the position of another record"
        case .recordAfterSeal: "there is a record after a seal"
        case .wrongSeal: "a seal does not match the records before it"
        case .missingSeal: "a full file has no seal"
        case .brokenLink: "the file does not continue the file before it"
        case .tornRecord(let count): "\(count) bytes of an incomplete record"
        case .unreadableBytes(let count): "\(count) bytes that are not records"
        case .interruption(let cause): "a new file begins here because \(cause.words)"
        case .lostEntries(let count, let reason): "\(count) entries could not be written (\(reason))"
        }
    }
}

extension AuditOpening.Cause {
    /// What goes on behind "because".
    package var words: String {
        switch self {
        case .first: "there was no log"
        case .rotation: "the one before it was full"
        case .tornTail: "the one before it ended in the middle of a record"
        case .unsyncedTail: "the end of the one before it had not reached the disk"
        case .cutTail: "the end of the one before it was cut off"
        case .damage: "the one before it was damaged"
        case .lostHead: "the head was missing or damaged"
        }
    }
}
