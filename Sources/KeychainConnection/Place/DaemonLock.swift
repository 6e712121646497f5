// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// The lock on a keychain folder's `daemon` file, which the daemon that has the keychain holds as long as it runs.
///
/// The database says that a daemon has it, and not which: two of them would not know of each other's lock state.
final class DaemonLock: Sendable {
    private let file: Int32

    /// Takes the lock; throws when another daemon has it.
    init(_ folder: KeychainFolder) throws(KeychainError) {
        file = unsafe open(folder.daemonLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            if file >= 0 { close(file) }
            throw KeychainError(
                .notAvailable, "another daemon has this keychain; stop it first", subject: folder.path,
                code: Int64(number))
        }
    }

    deinit { close(file) }
}
