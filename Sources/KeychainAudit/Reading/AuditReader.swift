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

    /// Examines the whole log, and gives every record that somebody with the key wrote to `body`, with its file's number.
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

    /// nil when a file that was there was removed in turn before it was read.
    private func examine(_ body: (AuditRecord, UInt32) -> Void) throws(AuditError) -> AuditReport? {
        // The head first: what is written after that is more than it says, and never less.
        let reading = try readHead()
        let files: [UInt32]
        do throws(AuditError) { files = try folder.files() } catch {
            guard error == .system(ENOENT) else { throw error }
            files = []
        }
        var examination = LogExamination(reading, boot)
        guard let newest = files.last else {
            return examination.finish(with: nil)
        }
        let oldest = try oldestKept(files) ?? files[0]
        for number in oldest...newest {
            guard files.contains(number) else {
                examination.miss(number)
                continue
            }
            let file: LogFile
            do throws(AuditError) { file = try LogFile.open(folder.file(number), forWriting: false) } catch {
                if error == .system(ENOENT) { return nil }
                throw error
            }
            try examination.read(file, number, key, isNewest: number == newest, body)
        }
        for number in files where number < oldest { examination.leave(number) }
        return examination.finish(with: oldest...newest)
    }

    private func readHead() throws(AuditError) -> HeadFile.Reading? {
        let file: LogFile
        do throws(AuditError) { file = try LogFile.open(folder.head, forWriting: false) } catch {
            guard error == .system(ENOENT) else { throw error }
            return nil
        }
        let head = HeadFile(file, try key.hashOfHead())
        let reading = try head.read()
        // It may have been written just now.
        return reading.isWhole ? reading : try head.read()
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
