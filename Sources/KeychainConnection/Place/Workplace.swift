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

    /// Removes a keychain's folder and what a keychain consists of; anything else stays, and its folder with it.
    static func remove(_ folder: KeychainFolder) {
        for name in entries(of: folder.path) where names.contains(where: { belongs(name, to: $0) }) {
            unsafe unlink(folder.path + "/" + name)
        }
        for name in entries(of: folder.audit) where isAudit(name) {
            unsafe unlink(folder.audit + "/" + name)
        }
        unsafe rmdir(folder.audit)
        unsafe rmdir(folder.path)
    }

    private static let names = [
        "keychain.db", "device.key", "device.tpm", "keybag.copy", "owner", "daemon", "settings", "queue", "reserve",
    ]

    /// Whether a file is one of ours or stands beside it: SQLite's logs, enclaves put aside, files that were begun.
    private static func belongs(_ name: String, to own: String) -> Bool {
        guard name.hasPrefix(own) else { return false }
        let rest = name.dropFirst(own.count)
        return ["", "-wal", "-shm", "-journal", ".new", ".pending", ".pending.new"].contains(rest)
            || rest.hasPrefix(".aside-") && rest.dropFirst(7).allSatisfy(\.isWholeNumber)
            || rest.hasPrefix(".pending.aside-") && rest.dropFirst(15).allSatisfy(\.isWholeNumber)
    }

    private static func isAudit(_ name: String) -> Bool {
        name == "head" || name.hasPrefix("head.") || name.hasPrefix("audit-") && name.hasSuffix(".log")
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names
    }

    /// Removes what a crash left of earlier attempts: workplaces that nobody holds, and that are not new.
    static func clearAbandoned(in root: String) {
        for name in entries(of: root) where name.hasPrefix(prefix) {
            let folder = KeychainFolder(root: root, name: name)
            // Young ones may be between the making of the folder and the taking of its lock.
            guard let status = FileStatus(of: folder.path), Int64(time(nil)) - status.modified > 600 else {
                continue
            }
            // One that died before it had a lock file has nothing in it at all.
            if FileStatus(of: folder.ownerLock) == nil {
                unsafe rmdir(folder.path)
            } else if let lock = FolderLock(ifFreeOwnerOf: folder) {
                remove(folder)
                withExtendedLifetime(lock) {}
            }
        }
    }
}
