// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where the snapshots of a keychain lie: beside its folder, under its name.
package enum SnapshotFolder {
    package static func path(beside location: String) -> String? {
        guard let slash = location.lastIndex(of: "/") else { return nil }
        return "\(location[..<slash])/.snapshots-\(location[location.index(after: slash)...])"
    }

    /// A file that says that none is made each day.
    package static let off = "off"

    /// What a backup's name ends with, and so a snapshot's, which is one.
    package static let suffix = ".llavero-backup"

    /// Removes all of them, and returns how many there were; what else lies there stays.
    @discardableResult
    package static func empty(beside location: String) -> Int {
        guard let path = path(beside: location), let directory = unsafe opendir(path) else { return 0 }
        defer { unsafe closedir(directory) }
        var count = 0
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix(suffix), unsafe unlinkat(dirfd(directory), name, 0) == 0 { count += 1 }
        }
        return count
    }
}
