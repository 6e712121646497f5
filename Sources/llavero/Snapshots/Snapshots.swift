// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainConnection
internal import KeychainTools

/// Backups of a keychain that were made before something was done to it; they open on this device alone, and end with its key.
struct Snapshots {
    private let folder: String

    /// nil where the keychain's folder is not this user's.
    init?(of keychain: ToolKeychain) {
        guard let location = keychain.location, let slash = location.lastIndex(of: "/") else { return nil }
        folder = "\(location[..<slash])/.snapshots-\(location[location.index(after: slash)...])"
    }

    /// Makes one, and returns its path; the seven newest stay.
    func make(of keychain: ToolKeychain, _ options: Options) throws(CommandError) -> String {
        let job = try BackupJob(snapshotOf: keychain)
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw OpenFile.failure("\(folder) cannot be made") }
        let path = "\(folder)/\(job.fileName)"
        // One of the same second says the same.
        if unsafe access(path, F_OK) != 0 { _ = try job.write(to: path, nil) }
        try BackupFolder(folder, of: job.keychainID).remove(keeping: Snapshots.most, nil)
        return path
    }

    /// Removes all of them, when nothing opens them any more.
    func remove() {
        guard let directory = unsafe opendir(folder) else { return }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let name = unsafe BackupFolder.name(of: entry)
            if name.hasSuffix(BackupFolder.suffix) { unsafe unlink("\(folder)/\(name)") }
        }
        unsafe rmdir(folder)
    }

    private static let most = 7
}
