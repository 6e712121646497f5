// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEngine
package import KeychainModel

/// Removes a keychain with everything in it, or sets it aside.
package enum KeychainRemoval {
    /// Moves it out of its place at once, and then removes what a keychain consists of.
    ///
    /// A folder that is no keychain stays untouched; anything else in a keychain's folder stays, in a folder beside it that
    /// begins with `.gone-`. One that a daemon has is not removed: the daemon does that.
    package static func remove(_ place: Place) throws(KeychainError) {
        guard case .folder(let root, let name) = place else { return }
        let folder = KeychainFolder(root: root, name: name)
        guard try folder.holdsKeychain else {
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: folder.path)
        }
        try KeychainFolder.refuseUnsafe(folder.path)
        let daemon = try FolderLock.daemon(folder)
        defer { withExtendedLifetime(daemon) {} }
        // A process that is changing its keys finishes first; the next one finds it gone.
        let lock = try FolderLock(waitingForOwnerOf: folder)
        defer { withExtendedLifetime(lock) {} }
        let gone = KeychainFolder(root: root, name: "\(prefix)\(name)-\(getpid())")
        let failure = unsafe llv_rename_noreplace(folder.path, gone.path)
        guard failure == 0 else {
            throw KeychainError(
                .inputOutput, "the keychain cannot be removed", subject: folder.path, code: Int64(failure))
        }
        // A power cut that undid the renaming alone would leave a keychain without its keys in the old place. Where this fails,
        // the keys go all the same, and the sync at the end says so.
        _ = unsafe llv_sync_path(root)
        try destroyRoots(gone)
        // Before the folder, which says as long as it is there that the keychain was to go. Where another process made a new one
        // meanwhile, they are that one's.
        if try !folder.exists { folder.removeNotes() }
        Workplace.remove(gone)
        let unsynced = unsafe llv_sync_path(root)
        guard unsynced == 0 || unsynced == EACCES else {
            throw KeychainError(.inputOutput, "the disk failed to write", subject: root, code: Int64(unsynced))
        }
    }

    /// Finishes a removal that was cut off when the keychain had been moved out of its place; false where there is none.
    ///
    /// Nobody finds that keychain any more, and its keys may still be there.
    @discardableResult
    package static func finish(_ place: Place) throws(KeychainError) -> Bool {
        guard case .folder(let root, let name) = place else { return false }
        let folder = KeychainFolder(root: root, name: name)
        var isFinished = false
        for gone in removed(folder) {
            let lock = FolderLock(ifFreeOwnerOf: gone)
            defer { withExtendedLifetime(lock) {} }
            // Who has the lock is removing it. Its file goes after the keys have.
            guard lock != nil || FileStatus.isMissing(gone.ownerLock) else { continue }
            let isBegun = try gone.holdsDatabase
            isFinished = isBegun || isFinished
            try destroyRoots(gone)
            // Of one that is done, the notes went before its database: these are another one's.
            if isBegun, try !folder.exists { folder.removeNotes() }
            Workplace.remove(gone)
        }
        return isFinished
    }

    /// Where keychains lie that were removed from that place: cut off on the way, or with files that were not theirs.
    private static func removed(_ folder: KeychainFolder) -> [KeychainFolder] {
        Workplace.entries(of: folder.root)
            .filter { $0.behind("\(prefix)\(folder.name)-")?.hasOnlyDigits ?? false }
            .map { KeychainFolder(root: folder.root, name: $0) }
    }

    /// Whether a removal from that place is under way or was cut off.
    static func isBegun(of folder: KeychainFolder) throws(KeychainError) -> Bool {
        for gone in removed(folder) where try gone.holdsDatabase { return true }
        return false
    }

    /// Destroys what every key of a keychain hangs on, first and for certain: whatever is left of the rest afterwards, in free
    /// blocks or copies of the database, opens no more on this device.
    private static func destroyRoots(_ folder: KeychainFolder) throws(KeychainError) {
        for name in Workplace.entries(of: folder.path) where name.begins(with: "device.") {
            let path = folder.path + "/" + name
            let failure = unsafe llv_blank_file(path)
            guard failure == 0 || failure == ENOENT || failure == EINVAL else {
                throw KeychainError(ofFile: failure, .inputOutput, "the device key cannot be destroyed", subject: path)
            }
        }
    }

    /// Moves a keychain out of its place, whole: nothing in it is changed, read or deleted.
    ///
    /// Returns its new path. It is for a keychain that does not open any more; one that a daemon has open stays where it is.
    package static func setAside(_ place: Place) throws(KeychainError) -> String {
        guard case .folder(let root, let name) = place else {
            throw KeychainError(.parameter, "a keychain in memory cannot be set aside")
        }
        let folder = KeychainFolder(root: root, name: name)
        var isKeychain = try folder.holdsDatabase
        for file in [folder.deviceKey, folder.tpmFile, folder.keybagCopy] where !isKeychain {
            isKeychain = try FileStatus(reaching: file)?.is_regular_file ?? false
        }
        guard isKeychain else {
            throw try VanishedKeychain(folder)?.error
                ?? KeychainError(.noSuchKeychain, "there is no such keychain", subject: folder.path)
        }
        try KeychainFolder.refuseUnsafe(folder.path)
        let daemon = try FolderLock.daemon(folder)
        defer { withExtendedLifetime(daemon) {} }
        let lock = try FolderLock(waitingForOwnerOf: folder)
        defer { withExtendedLifetime(lock) {} }
        for number in 1...1000 {
            let aside = "\(folder.path).aside-\(number)"
            let failure = unsafe llv_rename_noreplace(folder.path, aside)
            if failure == EEXIST { continue }
            guard failure == 0 else {
                throw KeychainError(
                    .inputOutput, "the keychain cannot be moved", subject: folder.path, code: Int64(failure))
            }
            // It is no keychain that vanished; one that is made in its place meanwhile has notes of its own.
            if try !folder.exists { folder.removeNotes() }
            let unsynced = unsafe llv_sync_path(root)
            guard unsynced == 0 || unsynced == EACCES else {
                throw KeychainError(.inputOutput, "the disk failed to write", subject: root, code: Int64(unsynced))
            }
            return aside
        }
        throw KeychainError(
            .notAvailable, "a thousand keychains of that name are set aside already", subject: folder.path)
    }

    /// No keychain's own name begins with a dot.
    static let prefix = ".gone-"
}

/// A lock on one of the files of a keychain's folder, held for the lifetime of this object.
final class FolderLock: Sendable {
    private let file: Int32
    private let path: String
    /// Which file it is, of the lock of a maker or a daemon.
    private let held: stat?
    private let maker = getpid()

    /// The lock for making or taking over a keychain; throws when another process has it.
    static func owner(_ folder: KeychainFolder) throws(KeychainError) -> FolderLock {
        try FolderLock(
            folder.ownerLock, "another process is changing the keychain; try again", subject: folder.ownerLock)
    }

    /// The lock of the daemon that has the keychain, as long as it runs; throws when another daemon has it.
    ///
    /// The database says that a daemon has it, and not which: two of them would not know of each other's lock state.
    static func daemon(_ folder: KeychainFolder) throws(KeychainError) -> FolderLock {
        try FolderLock(
            folder.daemonLock,
            """
            another daemon serves this keychain: `llavero lock --end-agent` ends an agent, by its user and with its LLAVERO_HOME \
            (below /var/lib/llavero: `runuser -u llaverod -- env LLAVERO_HOME=…`, as Daemon.md has it), systemctl a service
            """,
            subject: folder.path)
    }

    /// Whether no daemon holds its lock on the keychain; none is kept from taking it, but for a moment.
    static func isDaemonAway(from folder: KeychainFolder) -> Bool {
        let file = opened(folder.daemonLock, making: false)
        guard file >= 0 else { return errno == ENOENT }
        defer { close(file) }
        // Shared, so that those who look are not in each other's way.
        return flock(file, LOCK_SH | LOCK_NB) == 0
    }

    /// Takes a lock, making its file if it is missing; throws with these words when another process has it.
    private init(_ path: String, _ refusal: StaticString, subject: String) throws(KeychainError) {
        self.path = path
        file = FolderLock.opened(path, making: true)
        // Where it was not opened, the reason is in errno.
        held = file < 0 ? nil : FolderLock.facts(of: file)
        // A process that only looks is done at once.
        for _ in 0..<FolderLock.mostLooks {
            if file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
            FolderLock.pause()
        }
        guard file >= 0 else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the keychain folder's lock cannot be opened", subject: subject)
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            throw KeychainError(.notAvailable, refusal, subject: subject, code: Int64(errno))
        }
    }

    /// Takes the owner's lock, waiting for its holder: a change of the keybag takes a moment, a TPM's a second.
    init(waitingForOwnerOf folder: KeychainFolder) throws(KeychainError) {
        (path, held) = (folder.ownerLock, nil)
        file = FolderLock.opened(folder.ownerLock, making: true)
        guard file >= 0 else {
            throw KeychainError(
                ofFile: errno, .notAvailable, "the keychain folder's lock cannot be opened", subject: folder.ownerLock)
        }
        for _ in 0..<FolderLock.mostPauses {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            FolderLock.pause()
        }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw KeychainError(
                .inputOutput, "the file system does not support file locks; keep the keychain on one that does",
                subject: folder.ownerLock, code: Int64(errno))
        }
        throw KeychainError(
            .notAvailable, "another process is changing the keychain; try again", subject: folder.ownerLock,
            code: Int64(errno))
    }

    /// Takes the owner's lock if its file is there and no process holds it.
    init?(ifFreeOwnerOf folder: KeychainFolder) {
        (path, held) = (folder.ownerLock, nil)
        file = FolderLock.opened(folder.ownerLock, making: false)
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    // Of an initialiser that gives up too: all it has is set by then.
    deinit {
        guard file >= 0 else { return }
        // A child that is about to execute something has the file too, and would keep the lock for that moment. One that
        // goes on by itself must not end its parent's.
        if getpid() == maker { flock(file, LOCK_UN) }
        close(file)
    }

    /// Whether the folder was removed, moved away or replaced since: its lock's path leads to another file, or none.
    ///
    /// The file stays open, so no other one has its number. A path that cannot be looked at says nothing of that.
    var isAstray: Bool {
        guard let held else { return false }
        var there = FileStatus()
        let failure = unsafe llv_read_file_status(path, &there)
        if failure != 0 { return failure == ENOENT }
        return there.device != UInt64(held.st_dev) || there.inode != UInt64(held.st_ino)
    }

    private static func facts(of file: Int32) -> stat? {
        var facts = stat()
        return unsafe fstat(file, &facts) == 0 ? facts : nil
    }

    private static func opened(_ path: String, making: Bool) -> Int32 {
        unsafe open(path, O_RDWR | (making ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    private static func pause() {
        var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        unsafe nanosleep(&pause, nil)
    }

    /// Thirty seconds, a millisecond at a time.
    private static let mostPauses = 30_000
    private static let mostLooks = 100
}
