// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// The folder a keychain is built in before it has its place.
///
/// Nothing in it was ever acknowledged to anybody.
enum Workplace {
    /// No keychain's own name begins with a dot.
    static let prefix = ".birth-"

    static func remove(_ folder: KeychainFolder) {
        let database = folder.database
        let files = [
            database, database + "-wal", database + "-shm", database + "-journal", folder.deviceKey, folder.tpmFile,
            folder.keybagCopy, folder.ownerLock,
        ]
        for file in files { unsafe unlink(file) }
        unsafe rmdir(folder.path)
    }

    /// Removes what a crash left of earlier attempts: workplaces that nobody holds, and that are not new.
    static func clearAbandoned(in root: String) {
        guard let directory = unsafe opendir(root) else { return }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        unsafe closedir(directory)
        for name in names {
            let folder = KeychainFolder(root: root, name: name)
            // Young ones may be between the making of the folder and the taking of its lock.
            guard let status = FileStatus(of: folder.path), Int64(time(nil)) - status.modified > 600 else {
                continue
            }
            // One that died before it had a lock file has nothing in it at all.
            if FileStatus(of: folder.ownerLock) == nil {
                unsafe rmdir(folder.path)
            } else if let lock = OwnerLock(ifFree: folder) {
                remove(folder)
                lock.release()
            }
        }
    }
}
