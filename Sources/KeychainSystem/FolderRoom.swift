// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What is wrong with the disk of a folder in which something is to be stored.
package enum FolderRoom: Sendable {
    case readOnly
    /// So many bytes are left for who is not root.
    case full(left: UInt64)

    /// nil where nothing is wrong, or nobody can tell.
    package init?(of folder: String) {
        var disk = statvfs()
        guard unsafe statvfs(folder, &disk) == 0 else { return nil }
        let left = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        if disk.f_flag & UInt(ST_RDONLY) != 0 {
            self = .readOnly
        } else if left < FolderRoom.least {
            self = .full(left: left)
        } else {
            return nil
        }
    }

    /// What a few writes take with their log.
    private static let least: UInt64 = 1 << 20
}
