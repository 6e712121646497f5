// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto

/// A log that is open for writing; not for two threads at once.
final class LogWriter {
    private let folder: AuditFolder
    private let key: AuditKey
    private let limits: AuditLimits
    private let reservesSpace: Bool
    private let lock: LogFile
    private let epoch = llv_fork_epoch()
    private let headFile: HeadFile
    private(set) var head: Head
    private var file: LogFile
    private var hash: ChainHash
    private var firstNumber: Int64
    /// False after a failure that leaves it unknown what was written; the log has to be opened anew.
    private(set) var isSound = true
    private var syncedAt: Double
    private var frame = RecordWriter()

    /// Opens the log for this process alone, and begins it, or a new file of it, where that is due.
    init(
        _ folder: AuditFolder, _ key: AuditKey, _ limits: AuditLimits, _ boot: BootID, reservesSpace: Bool,
        at time: Double
    ) throws(AuditError) {
        try folder.prepare()
        let lock = try LogWriter.openHead(folder)
        guard lock.lock() else { throw .inUse }
        let headFile = HeadFile(lock, try key.hashOfHead())
        try folder.removeUnfinished()
        let files = try folder.files()
        let reading = try headFile.read()
        let state = try LogState(in: folder, files, reading, key, boot)
        var head = reading.head ?? Head()
        head.boot = boot
        if reading.head == nil || !reading.isWhole {
            head = try headFile.writeBoth(head)
            try folder.sync()
        }
        self.folder = folder
        self.key = key
        self.limits = limits
        self.reservesSpace = reservesSpace
        self.headFile = headFile
        self.lock = lock
        syncedAt = time
        switch state {
        case .continues(let file, let number, let first, let end, let last):
            self.file = file
            hash = try key.hash(ofFile: number)
            firstNumber = first
            head.file = UInt64(number)
            head.end = UInt64(end)
            head.number = UInt64(last.number)
            head.mac = last.mac
            self.head = head
            if reservesSpace { try file.reserve(limits.fileSize) }
        case .begins(let cause, let last):
            let newest = max(files.last ?? 0, UInt32(head.file))
            let made = try LogWriter.make(
                folder, key, after: newest, cause, number: max(last.number, Int64(head.number)) + 1, last,
                keeping: limits.files, reserving: reservesSpace ? limits.fileSize : nil, at: time)
            file = made.file
            hash = made.hash
            firstNumber = made.number
            self.head = head
            try take(made)
        }
    }

    deinit {
        // A forked child has no say in what its parent holds.
        if epoch == llv_fork_epoch() { lock.unlock() }
    }

    /// Writes a record, and begins a new file before when there is no room.
    func append(_ content: AuditRecord.Content, at time: Double) throws(AuditError) {
        try build(content, at: time)
        let isFull = Int(head.end) + frame.bytes.count + LogWriter.roomForSeal > limits.fileSize
        if isFull, Int64(head.number) > firstNumber {
            try rotate(at: time)
            try build(content, at: time)
        }
        try put()
    }

    /// Writes how many entries were lost until now, in the head's place, which needs no room.
    func note(lost: UInt64) throws(AuditError) {
        head.lost = lost
        try writeHead()
    }

    /// Writes that so many entries were lost, in their place in the log.
    func settle(lost: UInt64, because reason: Int64, at time: Double) throws(AuditError) {
        let before = head.lost
        head.lost = 0
        do throws(AuditError) { try append(.lost(Int64(clamping: lost), reason: reason), at: time) } catch {
            head.lost = before
            throw error
        }
    }

    /// What has to go to the disk now, and the number of its last record; for the caller to do, outside of any lock.
    func takeDue(at time: Double) -> (file: LogFile, number: UInt64)? {
        let unsynced = head.number - head.synced
        // A clock that was set back says nothing about how long ago it was.
        let isDue = time < syncedAt || time - syncedAt >= limits.secondsUnsynced || unsynced >= limits.recordsUnsynced
        guard unsynced > 0, isDue else { return nil }
        syncedAt = time
        return (file, head.number)
    }

    func noteSynced(_ number: UInt64) throws(AuditError) {
        guard number > head.synced else { return }
        head.synced = number
        try writeHead()
    }

    /// Brings everything to the disk.
    func sync() throws(AuditError) {
        try file.sync()
        try noteSynced(head.number)
        try headFile.sync()
    }

    private func rotate(at time: Double) throws(AuditError) {
        try build(.seal(records: Int64(head.number) + 1 - firstNumber + 1), at: time)
        try put()
        // What fails from here on leaves a sealed file without a next one, which the next opening finds.
        isSound = false
        try sync()
        let last = (number: Int64(head.number), mac: head.mac)
        try take(
            try LogWriter.make(
                folder, key, after: UInt32(head.file), .rotation, number: last.number + 1, last, keeping: limits.files,
                reserving: reservesSpace ? limits.fileSize : nil, at: time))
        isSound = true
    }

    /// Goes on in a file that was made, and removes those that are too old by now.
    private func take(_ made: MadeFile) throws(AuditError) {
        file = made.file
        hash = made.hash
        firstNumber = made.number
        head.file = UInt64(made.fileNumber)
        head.end = UInt64(made.end)
        head.number = UInt64(made.number)
        head.mac = made.mac
        head.synced = head.number
        try writeHead()
        try headFile.sync()
        for number in try folder.files() where number < made.oldest { unsafe unlink(folder.file(number)) }
    }

    private func build(_ content: AuditRecord.Content, at time: Double) throws(AuditError) {
        let record = AuditRecord(number: Int64(head.number) + 1, time: LogWriter.microseconds(time), content)
        try LogWriter.frame(record, &frame)
    }

    /// Writes the record that was built; what is written of one that does not fit is taken back.
    private func put() throws(AuditError) {
        let mac = try LogWriter.close(&frame, hash, after: head.mac)
        do throws(AuditError) { try file.write(frame.bytes, at: Int(head.end)) } catch {
            isSound = false
            try file.truncate(to: Int(head.end))
            isSound = true
            throw error
        }
        head.end += UInt64(frame.bytes.count)
        head.number += 1
        head.mac = mac
        try writeHead()
    }

    private func writeHead() throws(AuditError) {
        head.sequence += 1
        do throws(AuditError) { try headFile.write(head) } catch {
            isSound = false
            throw error
        }
    }

    /// A seal takes less.
    private static let roomForSeal = 128
}

/// Making a log's files.
extension LogWriter {
    /// A file that has its first record.
    struct MadeFile {
        let file: LogFile
        let fileNumber: UInt32
        let hash: ChainHash
        let number: Int64
        let mac: RecordMAC
        let end: Int
        let oldest: UInt32
    }

    /// Makes the next file whole before it has its name, so that there is never one without its first record.
    static func make(
        _ folder: AuditFolder, _ key: AuditKey, after newest: UInt32, _ cause: AuditOpening.Cause, number: Int64,
        _ last: (number: Int64, mac: RecordMAC), keeping files: UInt32, reserving size: Int?, at time: Double
    ) throws(AuditError) -> MadeFile {
        guard newest < AuditFolder.lastFile else { throw .exhausted }
        let fileNumber = newest + 1
        let oldest = fileNumber > max(files, 1) ? fileNumber - max(files, 1) + 1 : 1
        let opening = AuditOpening(
            file: fileNumber, oldest: oldest, cause: cause, previousNumber: last.number, previousMAC: last.mac.bytes)
        let hash = try key.hash(ofFile: fileNumber)
        var writer = RecordWriter()
        try frame(AuditRecord(number: number, time: microseconds(time), .opening(opening)), &writer)
        let mac = try close(&writer, hash, after: last.mac)
        let (path, begun) = (folder.file(fileNumber), folder.file(fileNumber) + AuditFolder.unfinished)
        unsafe unlink(begun)
        let file = try LogFile.make(begun)
        try file.write(RecordFrame.magic + writer.bytes, at: 0)
        if let size { try file.reserve(size) }
        try file.sync()
        let failure = unsafe llv_rename_noreplace(begun, path)
        guard failure == 0 else { throw .system(failure) }
        try folder.sync()
        return MadeFile(
            file: file, fileNumber: fileNumber, hash: hash, number: number, mac: mac,
            end: RecordFrame.magic.count + writer.bytes.count, oldest: oldest)
    }

    static func openHead(_ folder: AuditFolder) throws(AuditError) -> LogFile {
        do throws(AuditError) { return try LogFile.open(folder.head, forWriting: true) } catch {
            guard error == .system(ENOENT) else { throw error }
            do throws(AuditError) { return try LogFile.make(folder.head) } catch {
                guard error == .system(EEXIST) else { throw error }
                return try LogFile.open(folder.head, forWriting: true)
            }
        }
    }

    /// Size and bytes of a record, in place of what the writer has.
    static func frame(_ record: AuditRecord, _ writer: inout RecordWriter) throws(AuditError) {
        writer.bytes.removeAll(keepingCapacity: true)
        for _ in 0..<4 { writer.bytes.append(0) }
        try record.write(to: &writer)
        let size = writer.bytes.count - 4
        for index in 0..<4 { writer.bytes[index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
    }

    /// Puts the MAC behind them.
    static func close(
        _ writer: inout RecordWriter, _ hash: ChainHash, after previous: RecordMAC
    ) throws(AuditError) -> RecordMAC {
        let mac = try unsafe writer.bytes.lendingBytes { (bytes) throws(AuditError) in
            try unsafe hash.mac(of: bytes, after: previous)
        }
        unsafe mac.withUnsafeBytes { unsafe writer.bytes.append(contentsOf: $0) }
        return mac
    }

    /// An invalid time is written as 0.
    static func microseconds(_ time: Double) -> Int64 { Int64(exactly: (time * 1_000_000).rounded()) ?? 0 }
}
