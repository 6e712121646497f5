// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Which file a path leads to; nil when it leads to none.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init?(of path: String) {
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == 0 else { return nil }
        device = status.device
        inode = status.inode
    }
}
