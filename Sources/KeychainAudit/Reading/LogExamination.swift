// SPDX-License-Identifier: Apache-2.0

/// What has been found out about a log so far, file by file.
struct LogExamination {
    private let reading: HeadFile.Reading?
    private let boot: BootID
    private var report = AuditReport()
    /// How the file before ended; nil at the first one, and behind one that is missing.
    private var before: FileEnd?
    /// The record that the head names was met, or not yet.
    private var hasMetHead = false
    /// The last file's number, and its last record.
    private var last: (file: UInt32, number: Int64, mac: RecordMAC)?

    struct FileEnd {
        var isSealed = false
        var end = RecordScanner.End.clean
        /// The last record that somebody with the key wrote.
        var last: (number: Int64, mac: RecordMAC)?
    }

    init(_ reading: HeadFile.Reading?, _ boot: BootID) {
        self.reading = reading
        self.boot = boot
    }

    mutating func miss(_ file: UInt32) {
        report.add(AuditFinding(.missingFile, file: file))
        before = nil
    }

    mutating func leave(_ file: UInt32) {
        report.add(AuditFinding(.leftoverFile, file: file, isAlarming: false))
    }

    mutating func read(
        _ file: LogFile, _ number: UInt32, _ key: AuditKey, isNewest: Bool, _ body: (AuditRecord, UInt32) -> Void
    ) throws(AuditError) {
        guard var scanner = try RecordScanner(file, key.hash(ofFile: number)) else {
            report.add(AuditFinding(.noOpening, file: number))
            before = nil
            return
        }
        var examination = FileExamination(number, before)
        var end: RecordScanner.End?
        while end == nil {
            switch try scanner.next() {
            case .record(let record):
                examination.take(record, scanner.last?.mac, &report)
                if let head = reading?.head, head.number == UInt64(record.number) {
                    hasMetHead = head.file == UInt64(number) && head.mac == scanner.last?.mac
                }
                count(record)
                body(record, number)
            case .rejected(let claims): examination.reject(claims, &report)
            case .end(let found): end = found
            }
        }
        before = examination.finish(end ?? .clean, scanner.last.map { ($0.number, $0.mac) }, &report)
        if isNewest, let before {
            FileExamination.judge(before, number, next: nil, &report)
        }
        if let found = before?.last { last = (number, found.number, found.mac) }
    }

    private mutating func count(_ record: AuditRecord) {
        report.records += 1
        if report.first == nil { report.first = (record.number, record.time) }
        report.last = (record.number, record.time)
        if case .lost(let count, let reason) = record.content {
            report.lost += count
            report.add(
                AuditFinding(.lostEntries(count, reason: reason), record: record.number, isAlarming: false))
        }
    }

    mutating func finish(with files: ClosedRange<UInt32>?) -> AuditReport {
        report.files = files
        let lastNumber = last?.number ?? 0
        guard let reading else {
            report.add(AuditFinding(files == nil ? .noLog : .noHead))
            return report
        }
        guard let head = reading.head else {
            report.add(AuditFinding(files == nil && reading.isEmpty ? .noLog : .damagedHead))
            return report
        }
        if !reading.isWhole {
            report.add(AuditFinding(.halfDamagedHead, isAlarming: lastNumber <= Int64(head.number)))
        }
        report.lost += Int64(head.lost)
        if head.lost > 0 {
            report.add(AuditFinding(.lostEntries(Int64(head.lost), reason: 0), isAlarming: false))
        }
        let headNumber = Int64(head.number)
        if headNumber > lastNumber {
            report.add(
                AuditFinding(
                    .missingEnd(to: headNumber), file: UInt32(head.file), record: lastNumber + 1,
                    isAlarming: head.synced > UInt64(lastNumber) || head.boot == boot))
        } else if headNumber < lastNumber {
            report.add(
                AuditFinding(.headIsBehind(lastNumber - headNumber), record: headNumber, isAlarming: false))
        }
        if headNumber > 0, headNumber <= lastNumber, !hasMetHead {
            report.add(AuditFinding(.brokenLink, file: UInt32(head.file), record: headNumber))
        }
        return report
    }
}
