// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// The lock on a keychain folder's `owner` file, which whoever makes or takes over a keychain holds.
struct OwnerLock {
    private let file: Int32

    /// Takes the lock of a folder, making the file if it is missing.
    init(_ folder: KeychainFolder) throws(KeychainError) {
        file = unsafe open(folder.ownerLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            if file >= 0 { close(file) }
            throw KeychainError(
                .notAvailable, "the keychain folder is held by another process", subject: folder.ownerLock,
                code: Int64(number))
        }
    }

    /// Takes the lock, waiting for whoever holds it: a change of the keybag takes a moment, a TPM's a second.
    init(waitingFor folder: KeychainFolder) throws(KeychainError) {
        file = unsafe open(folder.ownerLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw KeychainError(
                errno == EROFS ? .readOnly : .notAvailable, "the keychain folder's lock cannot be opened",
                subject: folder.ownerLock, code: Int64(errno))
        }
        for _ in 0..<OwnerLock.mostPauses {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            unsafe nanosleep(&pause, nil)
        }
        let number = errno
        close(file)
        throw KeychainError(
            .notAvailable, "another process keeps changing the keychain", subject: folder.ownerLock,
            code: Int64(number))
    }

    /// Thirty seconds, a millisecond at a time.
    private static let mostPauses = 30_000

    /// Takes the lock if its file is there and nobody holds it.
    init?(ifFree folder: KeychainFolder) {
        file = unsafe open(folder.ownerLock, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
    }

    func release() { close(file) }
}
