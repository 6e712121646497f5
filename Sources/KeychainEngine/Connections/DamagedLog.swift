// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainStore

/// A log that is damaged in its middle: what lies behind the damage was committed, and SQLite gives it up without a word when it
/// next opens the database after a crash.
///
/// So the log is looked at before, and kept as `keychain.db-wal.aside-<n>` for a repair. Where there is no log, which is so after
/// every clean end, this costs one look.
///
/// As long as there is such a copy, what is not found may be in it alone: nothing is called missing, and nothing is added.
package enum DamagedLog {
    /// What a look at the log of a database found.
    struct Look {
        let hasLog: Bool
        /// The log, if something is missing in or behind its last commit: then only the tally can say whether that had been
        /// acknowledged.
        var unfinished: [UInt8]?
    }

    /// Keeps a copy if the log is damaged, and was not kept already.
    static func look(atLogOf path: String) -> Look {
        let log = path + "-wal"
        var status = llv_file_status()
        guard unsafe llv_read_file_status(log, &status) == 0, status.is_regular_file, status.size > headerSize else {
            return Look(hasLog: false)
        }
        // Another process may be writing, or begin the log anew: then it is another one at the next look.
        var bytes: [UInt8] = []
        for look in 0..<3 {
            if look > 0 { usleep(1000) }
            guard let now = content(log) else { return Look(hasLog: true) }
            switch Salvage.standing(ofLog: now) {
            case .whole: return Look(hasLog: true)
            case .unfinished: return Look(hasLog: true, unfinished: now)
            case .damaged: break
            }
            if now == bytes { break }
            bytes = now
        }
        keep(bytes, ofDatabase: path)
        return Look(hasLog: true)
    }

    /// Keeps a log as it was before SQLite saw it.
    static func keep(_ bytes: [UInt8], ofDatabase path: String) {
        let earlier = kept(beside: path)
        if let last = earlier.first, content(last) == bytes { return }
        guard earlier.count < mostKept else { return }
        let copy = "\(path)-wal.aside-\(earlier.count + 1)"
        let file = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        // Half of it is more than nothing.
        _ = unsafe write(file, bytes, bytes.count)
        fsync(file)
        close(file)
        _ = unsafe llv_sync_path(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
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
