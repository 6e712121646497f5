// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto

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
