// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reads a log from its first record to its last, a part of a file at a time; a writer may be at work meanwhile.
package struct AuditReader: Sendable {
    private let folder: AuditFolder
    private let key: AuditKey
    private let boot: BootID

    package init(folder: String, key: AuditKey, boot: BootID = .current()) {
        self.boot = boot
        self.folder = AuditFolder(path: folder)
        self.key = key
    }

    /// Examines the whole log.
    package func verify() throws(AuditError) -> AuditReport { try entries { _, _ in } }

    /// Examines the whole log, and gives every record that was written with the key to `body`, with its file's number.
    package func entries(_ body: (AuditRecord, UInt32) -> Void) throws(AuditError) -> AuditReport {
        var given: Int64 = 0
        for _ in 0..<AuditReader.attempts {
            let report = try examine { record, file in
                // Those of an attempt before were given already.
                guard record.number > given else { return }
                given = record.number
                body(record, file)
            }
            if let report { return report }
        }
        throw .unsteady
    }

    /// nil when the writer was quicker: it has removed a file in turn that was to be read, or has begun the log meanwhile.
    private func examine(_ body: (AuditRecord, UInt32) -> Void) throws(AuditError) -> AuditReport? {
        // The head first: what is written after that is more than it says, and never less.
        let reading = try readHead()
        let files = try list()
        var examination = LogExamination(reading, boot)
        var missing: [UInt32] = []
        var range: ClosedRange<UInt32>?
        if let first = files.first, let newest = files.last {
            var oldest = try oldestKept(files) ?? first
            // What the head says is in the head's file, even if that one goes next: the writer may have made the newest file,
            // and even one more, since the head was read.
            if let head = reading?.head, let file = UInt32(exactly: head.file), files.contains(file) {
                oldest = min(oldest, file)
            }
            range = oldest...newest
            for number in oldest...newest {
                // Whether the list has it or not: a file that appears while the folder is listed may be passed over, and the
                // next one be listed.
                guard let file = try open(number) else {
                    examination.miss(number)
                    missing.append(number)
                    continue
                }
                try examination.read(file, number, key, isNewest: number == newest, body)
            }
            for number in files where number < oldest { examination.leave(number) }
        }
        if let head = reading?.head, head.file > 0, range?.contains(UInt32(head.file)) != true {
            missing.append(UInt32(head.file))
        }
        return try hasMovedOn(past: missing, since: reading) ? nil : examination.finish(with: range)
    }

    /// Whether the writer has removed one of these files in turn, or made the head that was not there.
    ///
    /// It makes a file, writes that into the head, and then removes what is too old by what the new file says. So a file
    /// that is not there is missing, unless the head has gone on to one that says it was to be removed.
    private func hasMovedOn(past missing: [UInt32], since reading: HeadFile.Reading?) throws(AuditError) -> Bool {
        guard let before = reading?.head else { return try readHead()?.head != nil }
        guard let missing = missing.min(), let now = try readHead()?.head, now.file != before.file else { return false }
        // One that is gone again was itself removed in turn.
        guard let oldest = try oldestKept([UInt32(now.file)]) else { return true }
        return oldest > missing
    }

    private func list() throws(AuditError) -> [UInt32] {
        do throws(AuditError) { return try folder.files() } catch {
            guard error == .system(ENOENT) else { throw error }
            return []
        }
    }

    /// nil when there is no such file.
    private func open(_ number: UInt32) throws(AuditError) -> LogFile? {
        do throws(AuditError) { return try LogFile.open(folder.file(number), forWriting: false) } catch {
            guard error == .system(ENOENT) else { throw error }
            return nil
        }
    }

    private func readHead() throws(AuditError) -> HeadFile.Reading? {
        let file: LogFile
        do throws(AuditError) { file = try LogFile.open(folder.head, forWriting: false) } catch {
            guard error == .system(ENOENT) else { throw error }
            return nil
        }
        let head = HeadFile(file, try key.hashOfHead())
        var reading = try head.read()
        // One that is written meanwhile is another each time; one that is damaged stays as it is.
        for _ in 0..<AuditReader.attempts where !reading.isWhole {
            let next = try head.read()
            if next.head == reading.head { return next }
            reading = next
        }
        return reading
    }

    /// The oldest file that is to be there, as the newest one says that can say it.
    private func oldestKept(_ files: [UInt32]) throws(AuditError) -> UInt32? {
        for number in files.reversed() {
            guard let file = try? LogFile.open(folder.file(number), forWriting: false),
                var scanner = try RecordScanner(file, key.hash(ofFile: number)),
                case .record(let record) = try scanner.next(), case .opening(let opening) = record.content,
                opening.file == number
            else { continue }
            return opening.oldest
        }
        return nil
    }

    private static let attempts = 5
}
