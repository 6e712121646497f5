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
        guard try folder.holdsKeychain else {
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
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: folder.path)
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
    private static let prefix = ".gone-"
}
