// SPDX-License-Identifier: Apache-2.0

/// A part of a log, for somebody who may read it and does not get its key.
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

extension AuditReader {
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
