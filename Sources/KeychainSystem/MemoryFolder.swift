// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A folder in memory that its owner alone can enter, for what another program has to read as a file and no disk may have.
///
/// It is locked as long as its process is there. What a killed one left is wiped and removed by the next that is made.
package struct MemoryFolder: Sendable {
    package let path: String
    /// The folder, which has the lock.
    private let folder: Int32

    /// In the folder of memory that is the user's own ($XDG_RUNTIME_DIR), else in everybody's; nil where neither is in memory.
    package init?(runtimeFolder: String?) {
        let places = [runtimeFolder, "/dev/shm"].compactMap(\.self).filter { place in
            place.utf8.first == UInt8(ascii: "/") && !place.utf8.contains(0)
                && [MemoryFolder.tmpfs, MemoryFolder.ramfs].contains(unsafe llv_filesystem_type(place))
        }
        for place in places { unsafe llv_blank_left_folders(place, MemoryFolder.beginning) }
        for place in places {
            guard let made = MemoryFolder.made(in: place) else { continue }
            (path, folder) = made
            return
        }
        return nil
    }

    private static func made(in place: String) -> (path: String, folder: Int32)? {
        for _ in 0..<mostTries {
            var template = Array("\(place)/\(beginning)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else { return nil }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // Another process may have taken it for one that was left, until it is locked.
            var status = llv_file_status()
            if folder >= 0, flock(folder, LOCK_EX | LOCK_NB) == 0, unsafe llv_read_file_status(path, &status) == 0 {
                return (path, folder)
            }
            if folder >= 0 { close(folder) }
            _ = unsafe rmdir(path)
        }
        return nil
    }

    /// Removes it, and wipes what is in it, with what programs left beside what they read.
    package func remove() {
        // Whatever a program made of it.
        fchmod(folder, 0o700)
        let inside = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if inside >= 0 { llv_blank_folder(inside) }
        _ = unsafe rmdir(path)
        close(folder)
    }

    private static let beginning = "llavero-memory-"
    private static let mostTries = 10
    private static let tmpfs: Int64 = 0x0102_1994
    private static let ramfs: Int64 = 0x8584_58F6
}
