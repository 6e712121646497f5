// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainEngine
package import KeychainModel
internal import KeychainSQLite

/// The folder of one keychain and the files in it.
package struct KeychainFolder: Sendable, Equatable {
    package let root: String
    package let name: String

    package init(root: String, name: String) {
        self.root = root
        self.name = name
    }

    package var path: String { root + "/" + name }
    package var database: String { path + "/keychain.db" }
    package var deviceKey: String { path + "/device.key" }
    package var tpmFile: String { path + "/device.tpm" }
    package var keybagCopy: String { path + "/keybag.copy" }
    package var ownerLock: String { path + "/owner" }
    package var settings: String { path + "/settings" }
    package var audit: String { path + "/audit" }
    package var daemonLock: String { path + "/daemon" }
    /// How many commits there were, beside the folder: who puts an older folder back leaves it behind.
    package var tally: String { "\(root)/.tally-\(name)" }
    /// When it was last backed up, beside the folder: the time of an empty file.
    package var lastBackup: String { "\(root)/.backup-\(name)" }
    /// Where processes wait that want to write.
    package var queue: String { path + "/queue" }
    /// Room on the disk that the keychain keeps for a day when there is none.
    package var reserve: String { path + "/reserve" }

    package var exists: Bool { get throws(KeychainError) { try FileStatus(reaching: path) != nil } }

    /// Whether what lies there is a keychain, and not a folder of another kind.
    package var holdsKeychain: Bool {
        get throws(KeychainError) {
            guard try holdsDatabase else { return false }
            for file in [deviceKey, tpmFile] where try FileStatus(reaching: file)?.is_regular_file ?? false {
                return true
            }
            return false
        }
    }

    /// Whether a database lies there; of a keychain whose device key is lost it is all there is.
    package var holdsDatabase: Bool {
        get throws(KeychainError) {
            guard let folder = try FileStatus(reaching: path), folder.is_folder,
                let database = try FileStatus(reaching: database)
            else { return false }
            return database.is_regular_file
        }
    }

    /// Makes the root if it is missing, and refuses one that others could tamper with.
    package func prepareRoot() throws(KeychainError) {
        try refuseMissingHome()
        guard root != DaemonSocket.systemStore else {
            throw KeychainError(
                .notAvailable,
                "the system's daemon keeps its users' keychains here, each in a folder with the user's number",
                subject: root)
        }
        try KeychainFolder.makeFolders(root)
        try KeychainFolder.refuseUnsafeRoot(root)
    }

    /// Refuses below a home folder that is not there, or that is hidden: nobody can tell what is in it.
    ///
    /// Of a user without a home the variable names a folder that is never to be, such as /nonexistent; root could make it.
    package func refuseMissingHome() throws(KeychainError) {
        guard let home = Environment.current().home, home.begins(with: "/"), home != "/",
            root == home || root.begins(with: home.ends(with: "/") ? home : home + "/")
        else { return }
        if let status = try FileStatus(reaching: home) {
            // What systemd puts there in its place has no rights at all, which keeps root from nothing.
            guard status.is_folder, status.permissions & 0o777 == 0 else { return }
            throw KeychainError(
                .notAvailable,
                "the home folder is closed, as in a unit with ProtectHome=yes; set LLAVERO_HOME to a folder that is not",
                subject: home)
        }
        throw KeychainError(
            .notAvailable,
            "the home folder does not exist; set HOME to your home folder, or LLAVERO_HOME to a folder of your own",
            subject: home)
    }

    /// Refuses to make a keychain whose database SQLite could not open, by its name or by the one that it is made under.
    func refuseLongPath() throws(KeychainError) {
        let real = Place.canonical(root)
        let longest = max(name.utf8.count, Workplace.prefix.utf8.count + 16)
        guard real.utf8.count + 1 + longest + "/keychain.db".utf8.count <= SQLiteConnection.longestPath else {
            throw .pathTooLong(real)
        }
    }

    /// Refuses this keychain's folder, or database, where others can reach it.
    ///
    /// It is not repaired: what they did meanwhile is unknown.
    package func refuseUnsafe() throws(KeychainError) {
        try KeychainFolder.refuseUnsafe(path)
        let mend: StaticString =
            "other users can read or change the keychain's folder or its database; make sure that it was not changed, then run chmod -R go= FOLDER"
        guard FileStatus(of: path).map({ $0.permissions & 0o077 == 0 }) ?? true else {
            throw KeychainError(.notAvailable, mend, subject: path)
        }
        // Of a link, or what is no file, those speak who open it.
        guard let file = FileStatus(of: database), file.is_regular_file else { return }
        guard file.permissions & 0o077 == 0 else { throw KeychainError(.notAvailable, mend, subject: database) }
        guard file.owner == geteuid() else {
            throw KeychainError(.notAvailable, "the database belongs to another user", subject: database)
        }
    }

    /// Refuses a folder that is not ours alone: another user who can write to it can put another keychain in its place.
    package static func refuseUnsafe(_ path: String) throws(KeychainError) {
        guard let status = FileStatus(of: path) else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the folder cannot be accessed", subject: path)
        }
        guard status.is_folder else {
            throw KeychainError(.notAvailable, "the path is not a folder", subject: path)
        }
        guard status.owner == geteuid() else {
            throw KeychainError(.notAvailable, "the folder belongs to another user", subject: path)
        }
        guard status.permissions & 0o022 == 0 else {
            throw KeychainError(
                .notAvailable, "other users can write to the folder; set its mode to 0700", subject: path)
        }
    }

    /// Refuses a folder in which others could put another keychain in the place of ours.
    ///
    /// In one that is the system's, and sticky as /tmp is, only we can move what is ours.
    package static func refuseUnsafeRoot(_ path: String) throws(KeychainError) {
        if let status = FileStatus(of: path), status.is_folder, status.owner == 0,
            status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0
        {
            return
        }
        try refuseUnsafe(path)
    }

    /// Makes the folder and those above it where they are missing, for its owner alone.
    package static func makeFolders(_ path: String) throws(KeychainError) {
        if unsafe Glibc.access(path, F_OK) == 0 { return }
        if let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolders(String(path[..<slash]))
        }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw KeychainError(ofFile: errno, .notAvailable, "the folder cannot be made", subject: path)
        }
        // The new name itself has to survive a power cut, or all that is in the folder goes with it.
        let parent =
            path.unicodeScalars.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let unsynced = unsafe llv_sync_path(parent)
        guard unsynced == 0 || unsynced == EACCES else {
            throw KeychainError(ofFile: unsynced, .inputOutput, "the disk failed to write", subject: parent)
        }
    }

    /// What can be done with the database where it lies.
    package func access() -> DatabaseLocation.Access {
        // To read a database that keeps a log, SQLite makes a file beside it; where it cannot, no process of this user
        // writes either.
        let isFixed = unsafe llv_filesystem_is_readonly(path) == 1 || Glibc.access(path, W_OK) != 0
        if isFixed {
            let hasLog = (FileStatus(of: database + "-wal")?.size ?? 0) > 0
            // With a log beside it the file alone is not the whole truth, and SQLite must read both.
            return hasLog ? .readOnly : .immutable
        }
        if unsafe Glibc.access(database, W_OK) != 0, errno == EACCES || errno == EROFS { return .readOnly }
        return FileSystemKind(of: path) == .shared ? .readWriteRollbackJournal : .readWrite
    }
}

/// What the file system says of a path, or nil when there is nothing.
typealias FileStatus = llv_file_status

extension FileStatus {
    init?(of path: String) {
        self.init()
        guard unsafe llv_read_file_status(path, &self) == 0 else { return nil }
    }

    /// nil only where there is nothing (ENOENT).
    ///
    /// A path that cannot be looked at is an error: what lies there would be taken for gone, and an empty list or an empty
    /// backup would come of it.
    init?(reaching path: String) throws(KeychainError) {
        self.init()
        let failure = unsafe llv_read_file_status(path, &self)
        if failure == ENOENT { return nil }
        guard failure == 0 else {
            throw KeychainError(
                relaying: .notAvailable, "it cannot be accessed: \(unsafe String(cString: strerror(failure)))",
                subject: path, code: Int64(failure), retryAfter: nil)
        }
    }

    /// Whether nothing is there for certain: a folder on the way that may not be entered, or a disk that fails, says
    /// nothing of what is behind it.
    static func isMissing(_ path: String) -> Bool {
        var status = FileStatus()
        return unsafe llv_read_file_status(path, &status) == ENOENT
    }
}

/// Whether processes on other machines may have the same files open.
package enum FileSystemKind: Sendable {
    case local, shared

    package init(of path: String) {
        unsafe self.init(type: llv_filesystem_type(path))
    }

    /// NFS, SMB in three numbers, 9p, and FUSE, behind which anything may be.
    package init(type: Int64) {
        let shared: [Int64] = [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546]
        self = shared.contains(type & 0xFFFF_FFFF) ? .shared : .local
    }
}

/// The folder a keychain is built in before it has its place.
///
/// No caller was ever told that anything is stored in it.
enum Workplace {
    /// No keychain's own name begins with a dot.
    static let prefix = ".birth-"

    /// Removes a keychain's folder and what a keychain consists of; anything else stays, and its folder with it.
    static func remove(_ folder: KeychainFolder) {
        for name in entries(of: folder.path) where names.contains(where: { belongs(name, to: $0) }) {
            unsafe unlink(folder.path + "/" + name)
        }
        for name in entries(of: folder.audit) where isAudit(name) {
            unsafe unlink(folder.audit + "/" + name)
        }
        unsafe rmdir(folder.audit)
        unsafe rmdir(folder.path)
    }

    private static let names = [
        "keychain.db", "device.key", "device.tpm", "keybag.copy", "owner", "daemon", "settings", "queue", "reserve",
    ]

    /// Whether a file is one of ours or stands beside it: SQLite's logs, enclaves put aside, files that were begun.
    private static func belongs(_ name: String, to own: String) -> Bool {
        guard let rest = name.behind(own) else { return false }
        return ["", "-wal", "-shm", "-journal", ".new", ".pending", ".pending.new"].contains(rest)
            || [".aside-", ".pending.aside-"].contains { rest.behind($0)?.hasOnlyDigits ?? false }
    }

    private static func isAudit(_ name: String) -> Bool {
        name == "head" || name.begins(with: "head.") || name.begins(with: "audit-") && name.ends(with: ".log")
    }

    static func entries(of folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
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

    /// Removes what a crash left of earlier attempts: workplaces that no process holds, and that are not new.
    static func clearAbandoned(in root: String) {
        for name in entries(of: root) where name.begins(with: prefix) {
            let folder = KeychainFolder(root: root, name: name)
            // Young ones may be between the making of the folder and the taking of its lock.
            guard let status = FileStatus(of: folder.path), Int64(time(nil)) - status.modified > 600 else {
                continue
            }
            // One that died before it had a lock file has nothing in it at all.
            if FileStatus(of: folder.ownerLock) == nil {
                unsafe rmdir(folder.path)
            } else if let lock = FolderLock(ifFreeOwnerOf: folder) {
                remove(folder)
                withExtendedLifetime(lock) {}
            }
        }
    }
}

/// A small file that is written whole, synced, and readable by its owner alone.
enum SyncedFile {
    static func write(_ bytes: [UInt8], to path: String) throws(KeychainError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw KeychainError(ofFile: errno, .notAvailable, "the file cannot be made", subject: path)
        }
        defer { close(file) }
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw KeychainError(ofFile: errno, .inputOutput, "the disk failed to write", subject: path)
        }
    }
}
