// SPDX-License-Identifier: Apache-2.0

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
    /// Nobody with the key wrote what the head has.
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
    /// A file that does not begin as ours do, or has no first record that somebody with the key wrote.
    case noOpening
    /// A file that was another one: its first record has that number.
    case otherFile(UInt32)
    /// A record that nobody with the key wrote, or not behind the one before it.
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
