// SPDX-License-Identifier: Apache-2.0

/// How a log was left: where its writer goes on, or why a new file is begun.
///
/// A writer changes nothing that was left to it: after anything but an orderly end it begins a new file, which says so.
enum LogState {
    /// In this file, whose first record has the number.
    case continues(LogFile, file: UInt32, first: Int64, end: Int, last: (number: Int64, mac: RecordMAC))
    case begins(AuditOpening.Cause, after: (number: Int64, mac: RecordMAC))

    init(in folder: AuditFolder, _ files: [UInt32], _ reading: HeadFile.Reading, _ key: AuditKey, _ boot: BootID)
        throws(AuditError)
    {
        let nothing = (number: Int64(0), mac: RecordMAC.beginning)
        guard let newest = files.last else {
            // A head alone, of the moment before the first file was made.
            let isFirst = reading.head.map { $0.file == 0 } ?? reading.isEmpty
            self = .begins(isFirst ? .first : reading.head == nil ? .lostHead : .cutTail, after: nothing)
            return
        }
        let file = try LogFile.open(folder.file(newest), forWriting: true)
        let hash = try key.hash(ofFile: newest)
        guard let first = try LogState.opening(of: file, hash, newest),
            var scanner = try RecordScanner(file, hash)
        else {
            self = .begins(.damage, after: nothing)
            return
        }
        let (end, isAtHead) = try LogState.run(&scanner, reading.head, newest)
        let last = scanner.last.map { (number: $0.number, mac: $0.mac) } ?? nothing
        guard let head = reading.head else {
            self = .begins(.lostHead, after: last)
            return
        }
        if let cause = LogState.interruption(head, newest, first, last.number, isAtHead: isAtHead, end, boot) {
            self = .begins(cause, after: last)
        } else {
            self = .continues(file, file: newest, first: first.number, end: scanner.offset, last: last)
        }
    }

    /// Why a file is not written any further, if so.
    private static func interruption(
        _ head: Head, _ newest: UInt32, _ first: AuditRecord, _ last: Int64, isAtHead: Bool, _ end: Ending,
        _ boot: BootID
    ) -> AuditOpening.Cause? {
        if end == .damaged { return .damage }
        if head.file > UInt64(newest) || head.number > UInt64(last) {
            return head.synced > UInt64(last) || head.boot == boot ? .cutTail : .unsyncedTail
        }
        // A file may be one ahead of its head: the head is written after it.
        let isNext =
            head.file + 1 == UInt64(newest) && UInt64(first.number) == head.number + 1
            && first.previousMAC == head.mac
        guard isAtHead || isNext else { return .damage }
        switch end {
        case .clean: return nil
        case .sealed: return .rotation
        case .torn: return .tornTail
        case .damaged: return .damage
        }
    }

    private enum Ending { case clean, sealed, torn, damaged }

    /// Reads a file to its end: how that is, and whether the record that the head names is in it.
    private static func run(
        _ scanner: inout RecordScanner, _ head: Head?, _ file: UInt32
    ) throws(AuditError) -> (Ending, isAtHead: Bool) {
        var isAtHead = false
        var isSealed = false
        var isDamaged = false
        while true {
            switch try scanner.next() {
            case .record(let record):
                // Nothing of ours stands behind a seal.
                isDamaged = isDamaged || isSealed
                if case .seal = record.content { isSealed = true }
                if let head, head.file == UInt64(file), head.number == UInt64(record.number) {
                    isAtHead = head.mac == scanner.last?.mac
                }
            case .rejected: isDamaged = true
            case .end(.clean): return (isDamaged ? .damaged : isSealed ? .sealed : .clean, isAtHead)
            case .end(.torn): return (isDamaged || isSealed ? .damaged : .torn, isAtHead)
            case .end(.unreadable): return (.damaged, isAtHead)
            }
        }
    }

    /// The first record of a file, if it is what it has to be.
    private static func opening(
        of file: LogFile, _ hash: ChainHash, _ number: UInt32
    ) throws(AuditError) -> AuditRecord? {
        guard var scanner = try RecordScanner(file, hash), case .record(let record) = try scanner.next(),
            case .opening(let opening) = record.content, opening.file == number
        else { return nil }
        return record
    }
}

extension AuditRecord {
    /// What an opening goes on from.
    fileprivate var previousMAC: RecordMAC? {
        guard case .opening(let opening) = content else { return nil }
        return RecordMAC(opening.previousMAC)
    }
}
