// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainStore

/// A log that is damaged in its middle: what lies behind the damage was committed, and SQLite gives it up without a word when it
/// next opens the database after a crash.
///
/// So the log is looked at before, and kept as `keychain.db-wal.aside-<n>` for a repair. Where there is no log, which is so after
/// every clean end, this costs one look.
package enum DamagedLog {
    /// Keeps a copy if the log is damaged, and was not kept already; whether there is a log at all.
    static func keep(ofDatabase path: String) -> Bool {
        let log = path + "-wal"
        var status = llv_file_status()
        guard unsafe llv_read_file_status(log, &status) == 0, status.is_regular_file, status.size > headerSize else {
            return false
        }
        // Another process may be writing, or begin the log anew: then it is another one at the next look.
        var bytes: [UInt8] = []
        for look in 0..<3 {
            if look > 0 { usleep(1000) }
            guard let now = content(log), Salvage.isDamaged(log: now) else { return true }
            if now == bytes { break }
            bytes = now
        }
        keep(bytes, of: log, besides: kept(beside: path))
        return true
    }

    private static func keep(_ bytes: [UInt8], of log: String, besides earlier: [String]) {
        if let last = earlier.first, content(last) == bytes { return }
        guard earlier.count < mostKept else { return }
        let copy = "\(log).aside-\(earlier.count + 1)"
        guard unsafe llv_copy_file(log, copy) == 0 else { return }
        _ = unsafe llv_sync_path(copy)
        _ = unsafe llv_sync_path(log.lastIndex(of: "/").map { String(log[..<$0]) } ?? ".")
    }

    /// The logs that were kept, the newest first.
    package static func kept(beside database: String) -> [String] {
        var paths: [String] = []
        for number in 1...mostKept {
            let path = "\(database)-wal.aside-\(number)"
            var status = llv_file_status()
            guard unsafe llv_read_file_status(path, &status) == 0, status.is_regular_file else { break }
            paths.insert(path, at: 0)
        }
        return paths
    }

    /// Whether a kept log is none that a power cut in the middle of a commit leaves; one that cannot be read counts as such.
    package static func isCertain(_ path: String) -> Bool {
        content(path).map { Salvage.isDamagedForCertain(log: $0) } ?? true
    }

    /// All of a file; nil where it cannot be read, or is larger than a log that a crash leaves.
    private static func content(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        // No lock of SQLite's is on a log, so closing it takes none away.
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0, size <= largest, lseek(file, 0, SEEK_SET) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let got = unsafe read(file, &bytes, size)
        return got == size ? bytes : nil
    }

    private static let headerSize: Int64 = 32
    private static let largest = 64 << 20
    /// Each is a crash with a failing disk.
    private static let mostKept = 16
}
