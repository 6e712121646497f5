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
        /// The last record that was written with the key.
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

/// What has been found out about one file so far.
struct FileExamination {
    private let file: UInt32
    private let before: LogExamination.FileEnd?
    /// The number that comes next; nil before the first record.
    private var expected: Int64?
    private var firstNumber: Int64?
    private var isSealed = false

    init(_ file: UInt32, _ before: LogExamination.FileEnd?) {
        self.file = file
        self.before = before
    }

    mutating func take(_ record: AuditRecord, _ mac: RecordMAC?, _ report: inout AuditReport) {
        if isSealed { report.add(AuditFinding(.recordAfterSeal, file: file, record: record.number)) }
        // Its MAC goes on from the record that stands before it, so only behind one that was rejected can this be.
        if let expected, expected != record.number {
            report.add(AuditFinding(.misplacedRecord(claims: record.number), file: file, record: expected))
        }
        switch record.content {
        case .opening(let opening):
            if expected != nil { report.add(AuditFinding(.recordAfterSeal, file: file, record: record.number)) }
            firstNumber = record.number
            link(opening, record, &report)
        case .seal(let records):
            isSealed = true
            if let firstNumber, records != record.number - firstNumber + 1 {
                report.add(AuditFinding(.wrongSeal, file: file, record: record.number))
            }
        case .entry, .moreItems, .lost:
            if expected == nil { report.add(AuditFinding(.noOpening, file: file, record: record.number)) }
        }
        expected = record.number + 1
    }

    mutating func reject(_ claims: Int64?, _ report: inout AuditReport) {
        if isSealed { report.add(AuditFinding(.recordAfterSeal, file: file, record: claims)) }
        if expected == nil {
            report.add(AuditFinding(.noOpening, file: file))
        } else if let claims, claims != expected {
            report.add(AuditFinding(.misplacedRecord(claims: claims), file: file, record: expected))
        } else {
            report.add(AuditFinding(.alteredRecord, file: file, record: expected))
        }
        let (next, overflows) = (claims ?? expected ?? 0).addingReportingOverflow(1)
        expected = overflows ? 0 : next
    }

    /// Holds an opening against the end of the file before.
    private func link(_ opening: AuditOpening, _ record: AuditRecord, _ report: inout AuditReport) {
        if opening.file != file {
            report.add(AuditFinding(.otherFile(opening.file), file: file, record: record.number))
        }
        switch opening.cause {
        case .first, .rotation: break
        case .tornTail, .unsyncedTail:
            report.add(
                AuditFinding(.interruption(opening.cause), file: file, record: record.number, isAlarming: false))
        case .cutTail, .damage, .lostHead:
            report.add(AuditFinding(.interruption(opening.cause), file: file, record: record.number))
        }
        guard let before else { return }
        FileExamination.judge(before, file - 1, next: opening, &report)
        // What the writer found broken may have no record at all that it could go on from.
        let isLinked =
            opening.previousNumber == before.last?.number ?? 0
            && RecordMAC(opening.previousMAC) == before.last?.mac ?? .beginning
        let follows = record.number == opening.previousNumber + 1
        let mayJump = [.unsyncedTail, .cutTail, .damage, .lostHead].contains(opening.cause)
        if !isLinked || !(follows || mayJump) {
            report.add(AuditFinding(.brokenLink, file: file, record: record.number))
        }
    }

    /// Whether a file may end as it does, with what the next one says, or none behind it.
    static func judge(
        _ end: LogExamination.FileEnd, _ file: UInt32, next: AuditOpening?, _ report: inout AuditReport
    ) {
        let record = end.last.map { $0.number + 1 }
        switch end.end {
        case .clean: break
        case .torn(let bytes):
            let isExpected = next.map { $0.cause == .tornTail || $0.cause == .unsyncedTail } ?? true
            report.add(
                AuditFinding(
                    .tornRecord(bytes), file: file, record: record, isAlarming: end.isSealed || !isExpected))
        case .unreadable(let bytes):
            report.add(AuditFinding(.unreadableBytes(bytes), file: file, record: record))
        }
        guard let next else { return }
        if next.cause == .rotation || next.cause == .first, !end.isSealed {
            report.add(AuditFinding(.missingSeal, file: file, record: record))
        }
    }

    func finish(
        _ end: RecordScanner.End, _ last: (number: Int64, mac: RecordMAC)?, _ report: inout AuditReport
    ) -> LogExamination.FileEnd {
        if expected == nil { report.add(AuditFinding(.noOpening, file: file)) }
        return LogExamination.FileEnd(isSealed: isSealed, end: end, last: last)
    }
}
