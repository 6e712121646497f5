// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto

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

    /// A time that is none is written as 0.
    static func microseconds(_ time: Double) -> Int64 { Int64(exactly: (time * 1_000_000).rounded()) ?? 0 }
}
