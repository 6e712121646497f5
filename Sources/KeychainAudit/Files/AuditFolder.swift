// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto

/// The folder of one log.
struct AuditFolder: Sendable {
    let path: String

    var head: String { path + "/head" }

    func file(_ number: UInt32) -> String {
        let digits = String(number)
        return path + "/audit-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".log"
    }

    /// Makes the folder if it is missing, and refuses one that is not ours alone.
    func prepare() throws(AuditError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno) }
        try refuseUnsafe()
    }

    func refuseUnsafe() throws(AuditError) {
        var status = llv_file_status()
        let failure = unsafe llv_read_file_status(path, &status)
        guard failure == 0 else { throw .system(failure) }
        guard status.is_folder, status.owner == geteuid(), status.permissions & 0o022 == 0 else { throw .unsafeFolder }
    }

    /// The numbers of the files that are there, in order.
    func files() throws(AuditError) -> [UInt32] { try names().compactMap(AuditFolder.number).sorted() }

    /// Removes files that were begun and not finished; they were never part of the log.
    func removeUnfinished() throws(AuditError) {
        for name in try names() where name.hasSuffix(AuditFolder.unfinished) { unsafe unlink(path + "/" + name) }
    }

    func sync() throws(AuditError) {
        let failure = unsafe llv_sync_path(path)
        guard failure == 0 else { throw .system(failure) }
    }

    private func names() throws(AuditError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw .system(errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names
    }

    /// What a name of exactly our form says.
    private static func number(_ name: String) -> UInt32? {
        let bytes = Array(name.utf8)
        guard bytes.count == 16, bytes.starts(with: "audit-".utf8), bytes[12...].elementsEqual(".log".utf8) else {
            return nil
        }
        var number: UInt32 = 0
        for byte in bytes[6..<12] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
        }
        return number == 0 ? nil : number
    }

    static let unfinished = ".new"
    /// As many as six digits name.
    static let lastFile: UInt32 = 999_999
}

/// An open file of a log, closed with its last reference.
final class LogFile: Sendable {
    let descriptor: Int32

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a file that is there, for its owner alone.
    static func open(_ path: String, forWriting: Bool) throws(AuditError) -> LogFile {
        // Not waiting: in the place of a file there could be a pipe.
        let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .system(errno) }
        return LogFile(owning: descriptor)
    }

    /// Makes a file that must not be there.
    static func make(_ path: String) throws(AuditError) -> LogFile {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        return LogFile(owning: descriptor)
    }

    func size() throws(AuditError) -> Int {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw .system(errno) }
        return size
    }

    /// Reads as much of the buffer as there is; returns how much.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(AuditError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AuditError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(count == 0 ? EIO : errno) }
            done += count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(AuditError) {
        try unsafe bytes.lendingBytes { (bytes) throws(AuditError) in try unsafe write(bytes, at: offset) }
    }

    func truncate(to size: Int) throws(AuditError) {
        guard ftruncate(descriptor, size) == 0 else { throw .system(errno) }
    }

    func sync() throws(AuditError) {
        guard fdatasync(descriptor) == 0 else { throw .system(errno) }
    }

    /// Sets room on the disk aside, so that what is written there later finds it; where a file system cannot, nothing
    /// happens.
    func reserve(_ size: Int) throws(AuditError) {
        let failure = llv_reserve_space(descriptor, Int64(size))
        guard failure == 0 || failure == EOPNOTSUPP || failure == ENOSYS || failure == EINVAL else {
            throw .system(failure)
        }
    }

    /// False when another process has it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Gives it up at once; closing alone would not while a process that was just started has not let go of its copy.
    func unlock() { _ = flock(descriptor, LOCK_UN) }
}
