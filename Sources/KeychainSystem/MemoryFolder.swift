// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A folder in memory that its owner alone can enter, for what another program has to read as a file and no disk may have.
package struct MemoryFolder: Sendable {
    package let path: String

    /// In the folder of memory that is the user's own ($XDG_RUNTIME_DIR), else in everybody's; nil where neither is in memory.
    package init?(runtimeFolder: String?) {
        for place in [runtimeFolder, "/dev/shm"].compactMap(\.self) {
            guard place.utf8.first == UInt8(ascii: "/"), !place.utf8.contains(0),
                [MemoryFolder.tmpfs, MemoryFolder.ramfs].contains(unsafe llv_filesystem_type(place))
            else { continue }
            var template = Array("\(place)/llavero-XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else { continue }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return
        }
        return nil
    }

    /// Removes it, and wipes what is in it, with what programs left beside what they read.
    package func remove() {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if folder >= 0 { llv_blank_folder(folder) }
        _ = unsafe rmdir(path)
    }

    private static let tmpfs: Int64 = 0x0102_1994
    private static let ramfs: Int64 = 0x8584_58F6
}
