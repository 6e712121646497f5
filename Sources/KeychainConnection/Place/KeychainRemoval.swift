// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainModel

/// The end of a keychain that somebody wants gone, with everything in it.
package enum KeychainRemoval {
    /// Moves it out of its place at once, and then removes what a keychain consists of.
    ///
    /// A folder that is no keychain stays untouched; anything else in a keychain's folder stays, in a folder beside it that
    /// begins with `.gone-`. One that a daemon has is not removed: the daemon does that.
    package static func remove(_ place: Place) throws(KeychainError) {
        guard case .folder(let root, let name) = place else { return }
        let folder = KeychainFolder(root: root, name: name)
        guard folder.holdsKeychain else {
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: folder.path)
        }
        try KeychainFolder.refuseUnsafe(folder.path)
        let daemon = try FolderLock.daemon(folder)
        defer { withExtendedLifetime(daemon) {} }
        // Whoever changes its keys now has its turn first, and finds it gone.
        let lock = try FolderLock(waitingForOwnerOf: folder)
        defer { withExtendedLifetime(lock) {} }
        let gone = KeychainFolder(root: root, name: "\(prefix)\(name)-\(getpid())")
        let failure = unsafe llv_rename_noreplace(folder.path, gone.path)
        guard failure == 0 else {
            throw KeychainError(
                .inputOutput, "the keychain cannot be removed", subject: folder.path, code: Int64(failure))
        }
        Workplace.remove(gone)
        let unsynced = unsafe llv_sync_path(root)
        guard unsynced == 0 || unsynced == EACCES else {
            throw KeychainError(.inputOutput, "the disk failed to write", subject: root, code: Int64(unsynced))
        }
    }

    /// No keychain's own name begins with a dot.
    private static let prefix = ".gone-"
}
