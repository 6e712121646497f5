// SPDX-License-Identifier: Apache-2.0

/// How large a log may become, and how much of it a power cut may take.
package struct AuditLimits: Sendable {
    /// Bytes after which a file gets its seal, and how many files are kept.
    package var fileSize = 4 << 20
    package var files: UInt32 = 8
    /// What is written goes to the disk together with the first record after so many seconds, or so many records.
    package var secondsUnsynced = 1.0
    package var recordsUnsynced: UInt64 = 10_000

    package init() {}
}

/// What becomes of an operation that cannot be recorded.
package enum AuditPolicy: Sendable {
    /// It is done; how many there were is recorded as soon as that can be written.
    case bestEffort
    /// It is refused.
    case required
}
