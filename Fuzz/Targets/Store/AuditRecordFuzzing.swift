// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit

/// A record of the audit log, as it stands between its size and its MAC.
internal enum AuditRecordFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let record = bytes.withUnsafeBytes({ AuditRecord(decoding: $0) }) else { return .refused }
        try promise(record.number > 0, "records are counted from one")
        try promise((try? record.encoded()) == bytes, "a record is written as it was read")
        return .accepted
    }
}
