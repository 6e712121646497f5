// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEngine
internal import KeychainModel
internal import KeychainSystem

/// The folder that a repaired keychain is built in, beside the damaged one, until the two change places.
///
/// While it is built it holds a file `unfinished`: a folder of this name without it is one that had its place before, and is
/// never removed.
struct RepairWorkplace {
    let folder: KeychainFolder
    private let damaged: KeychainFolder

    /// No keychain's own name begins with a dot.
    private static let prefix = ".repair-"
    private static let mark = "/unfinished"
    private static let endings = ["", "-wal", "-shm", "-journal"]

    /// Makes the folder, and settles what an earlier repair of the keychain left when it was cut short.
    init(for damaged: KeychainFolder) throws(KeychainError) {
        self.damaged = damaged
        folder = KeychainFolder(root: damaged.root, name: RepairWorkplace.prefix + damaged.name)
        if try folder.exists {
            if try FileStatus(reaching: folder.path + RepairWorkplace.mark) != nil {
                remove()
            } else {
                _ = try putAside()
            }
        }
        guard unsafe mkdir(folder.path, 0o700) == 0 else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the folder for the repaired keychain cannot be made here",
                subject: damaged.root)
        }
        try SyncedFile.write([], to: folder.path + RepairWorkplace.mark)
        try RepairWorkplace.sync(folder.path)
    }

    /// A file for a moment; `remove` and `exchange` take it away.
    var scratch: String { folder.path + "/salvaged.db" }

    /// Copies what the damaged folder has besides its database: enclaves, settings, the daemon's log, and what was put aside.
    func copyOtherFiles() throws(KeychainError) {
        try copyFiles(from: damaged.path, to: folder.path) { name in
            !name.hasPrefix("keychain.db") && !name.hasPrefix("salvaged.db")
                && !["owner", "daemon", "queue", "reserve", "keybag.copy", "unfinished"].contains(name)
                && !name.hasSuffix(".new")
        }
        guard let audit = FileStatus(of: damaged.audit), audit.is_folder else { return }
        guard unsafe mkdir(folder.audit, 0o700) == 0 else { throw failure(errno, folder.audit) }
        try copyFiles(from: damaged.audit, to: folder.audit) { !$0.hasSuffix(".new") }
        try RepairWorkplace.sync(folder.audit)
    }

    private func copyFiles(
        from source: String, to target: String, _ isWanted: (String) -> Bool
    ) throws(KeychainError) {
        for name in FolderEntries.names(in: source) where isWanted(name) {
            guard let status = FileStatus(of: source + "/" + name), status.is_regular_file else { continue }
            let failure = unsafe llv_copy_file(source + "/" + name, target + "/" + name)
            guard failure == 0 else { throw self.failure(failure, source + "/" + name) }
            try RepairWorkplace.sync(target + "/" + name)
        }
    }

    /// Has the repaired keychain and the damaged one change places, at one moment, and gives the old one a name with the date.
    ///
    /// Returns its new path. A crash before leaves the damaged keychain in its place, one afterwards the repaired one.
    func exchange(_ tally: HeldTally, at day: UTCTime) throws(KeychainError) -> String {
        // SQLite has made files beside that one, which the next repair would meet.
        for path in RepairWorkplace.endings.map({ scratch + $0 }) + [folder.path + RepairWorkplace.mark] {
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure(errno, path) }
        }
        try RepairWorkplace.sync(folder.path)
        let failure = unsafe llv_rename_exchange(folder.path, damaged.path)
        guard failure == 0 else {
            // Unmarked it would be taken for the one of before.
            try? SyncedFile.write([], to: folder.path + RepairWorkplace.mark)
            throw failure == EINVAL || failure == ENOSYS
                ? KeychainError(
                    .notAvailable,
                    "the file system cannot exchange two folders; copy the keychain's folder to another disk, and repair it there",
                    subject: damaged.path, code: Int64(failure))
                : self.failure(failure, damaged.path)
        }
        // What it said was lost is settled. The repaired database counts further than it, so a crash before this is no harm.
        tally.settle()
        try RepairWorkplace.sync(damaged.root)
        return try putAside(at: day)
    }

    /// Gives the keychain of before a name of its own.
    private func putAside(at day: UTCTime? = nil) throws(KeychainError) -> String {
        let day = day ?? UTCTime(secondsSince1970: Int64(time(nil)))
        let date = String(day.text.prefix(10))
        for number in 1...1000 {
            let aside = "\(damaged.path).damaged-\(date)" + (number == 1 ? "" : "-\(number)")
            let failure = unsafe llv_rename_noreplace(folder.path, aside)
            if failure == EEXIST { continue }
            guard failure == 0 else { throw self.failure(failure, folder.path) }
            try RepairWorkplace.sync(damaged.root)
            return aside
        }
        throw failure(EEXIST, damaged.path)
    }

    /// Removes what was built, when it is not to take the damaged one's place.
    func remove() {
        // While the mark is there, nothing of this was ever in force.
        guard FileStatus(of: folder.path + RepairWorkplace.mark) != nil else { return }
        for ending in RepairWorkplace.endings { unsafe unlink(scratch + ending) }
        for name in FolderEntries.names(in: folder.audit) { unsafe unlink(folder.audit + "/" + name) }
        unsafe rmdir(folder.audit)
        for name in FolderEntries.names(in: folder.path) where name != "unfinished" {
            unsafe unlink(folder.path + "/" + name)
        }
        unsafe unlink(folder.path + RepairWorkplace.mark)
        unsafe rmdir(folder.path)
    }

    static func sync(_ path: String) throws(KeychainError) {
        let failure = unsafe llv_sync_path(path)
        guard failure == 0 || failure == EACCES else {
            throw KeychainError(ofFile: failure, .inputOutput, "the disk failed to write", subject: path)
        }
    }

    private func failure(_ code: Int32, _ path: String) -> KeychainError {
        KeychainError(ofFile: code, .inputOutput, "the repaired keychain cannot be completed", subject: path)
    }
}

/// The names in a folder.
enum FolderEntries {
    /// Without those of the folder itself and the one above; empty where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
