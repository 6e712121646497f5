// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEngine
internal import KeychainModel

/// A lock on one of the files of a keychain's folder, held as long as somebody has this.
final class FolderLock: Sendable {
    private let file: Int32
    private let maker = getpid()

    /// The lock of whoever makes or takes over a keychain; throws when somebody has it.
    static func owner(_ folder: KeychainFolder) throws(KeychainError) -> FolderLock {
        try FolderLock(folder.ownerLock, "the keychain folder is held by another process", subject: folder.ownerLock)
    }

    /// The lock of the daemon that has the keychain, as long as it runs; throws when another daemon has it.
    ///
    /// The database says that a daemon has it, and not which: two of them would not know of each other's lock state.
    static func daemon(_ folder: KeychainFolder) throws(KeychainError) -> FolderLock {
        try FolderLock(
            folder.daemonLock, "another daemon has this keychain; stop it first", subject: folder.path)
    }

    /// Whether no daemon holds its lock on the keychain; none is kept from taking it, but for a moment.
    static func isDaemonAway(from folder: KeychainFolder) -> Bool {
        let file = opened(folder.daemonLock, making: false)
        guard file >= 0 else { return errno == ENOENT }
        defer { close(file) }
        // Shared, so that those who look are not in each other's way.
        return flock(file, LOCK_SH | LOCK_NB) == 0
    }

    /// Takes a lock, making its file if it is missing; throws with these words when somebody has it.
    private init(_ path: String, _ refusal: StaticString, subject: String) throws(KeychainError) {
        file = FolderLock.opened(path, making: true)
        // Whoever only looks is done at once.
        for _ in 0..<FolderLock.mostLooks {
            if file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
            FolderLock.pause()
        }
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
            throw KeychainError(.notAvailable, refusal, subject: subject, code: Int64(errno))
        }
    }

    /// Takes the owner's lock, waiting for whoever holds it: a change of the keybag takes a moment, a TPM's a second.
    init(waitingForOwnerOf folder: KeychainFolder) throws(KeychainError) {
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
                .inputOutput, "the file system gives no locks on files, and without them nothing is safe here",
                subject: folder.ownerLock, code: Int64(errno))
        }
        throw KeychainError(
            .notAvailable, "another process keeps changing the keychain", subject: folder.ownerLock,
            code: Int64(errno))
    }

    /// Takes the owner's lock if its file is there and nobody holds it.
    init?(ifFreeOwnerOf folder: KeychainFolder) {
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
