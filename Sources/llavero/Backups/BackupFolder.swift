// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// The backups in a folder, known by their headers, the newest first.
///
/// Behind them come those of a time to come: the clock was ahead when they were made, or is behind now, and nothing tells how old
/// they are.
struct BackupFolder {
    static let suffix = SnapshotFolder.suffix
    /// Behind the name of one that lacks items, since they could not be read: no other goes on from it, and none is removed for it.
    static let incomplete = ".incomplete"
    private let backups: [(path: String, header: BackupHeader)]

    /// Those of one keychain, or all.
    init(_ folder: String, of keychain: KeychainUUID? = nil) throws(CommandError) {
        guard let directory = unsafe opendir(folder) else { throw OpenFile.failure("\(folder) cannot be listed") }
        defer { unsafe closedir(directory) }
        var backups: [(String, BackupHeader)] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe BackupFolder.name(of: entry)
            guard name.hasSuffix(BackupFolder.suffix) else { continue }
            let path = "\(folder)/\(name)"
            // What is no backup of this keychain, or cannot be read, is not ours to remove.
            guard let header = try? BackupFile(path).reader().header, keychain == nil || header.keychain == keychain
            else { continue }
            backups.append((path, header))
        }
        // A clock that is set right by minutes makes nothing old.
        let latest = BackupText.now + 86_400
        self.backups = backups.sorted {
            ($0.1.time > latest ? 0 : 1, $0.1.time) > ($1.1.time > latest ? 0 : 1, $1.1.time)
        }
    }

    /// Makes it where there is none, but not the folders above: a backup below a mount that is missing is no backup.
    static func make(_ folder: String, _ options: Options) throws(CommandError) {
        guard unsafe access(folder, F_OK) != 0 else { return }
        guard unsafe mkdir(folder, 0o700) == 0 else { throw OpenFile.failure("\(folder) cannot be made") }
        options.tell("made the folder \(PlainText.shown(folder))")
    }

    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        unsafe withUnsafePointer(to: &entry.pointee.d_name) {
            unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
    }

    var newest: String? { backups.first?.path }

    /// The one with everything that a backup goes on from in the end; nil where one on the way is not here.
    func first(of path: String) -> BackupHeader? {
        var header = backups.first { $0.path == path }?.header
        // Each goes on from one with a smaller number, so the way ends.
        while let base = header?.base {
            let before = backups.first { $0.header.file == base.file }?.header
            header = before.flatMap { ($0.base?.depth ?? 0) < base.depth ? $0 : nil }
        }
        return header
    }

    /// The file of that random name.
    func path(of file: [UInt8]) -> String? { backups.first { $0.header.file == file }?.path }

    /// Removes all but the one that was just made, the newest besides, and those that one of them goes on from.
    ///
    /// Without options it says nothing.
    func remove(keeping count: Int, with made: String, _ options: Options?) throws(CommandError) {
        let others = backups.filter { $0.path != made }
        var left = backups.filter { $0.path == made } + others.prefix(count - 1)
        var kept: Set<String> = []
        while let backup = left.popLast() {
            // What another goes on from may have any time, by a clock that was wrong.
            guard kept.insert(backup.path).inserted, let base = backup.header.base else { continue }
            left += backups.filter { $0.header.file == base.file }
        }
        for backup in others where !kept.contains(backup.path) {
            guard unsafe unlink(backup.path) == 0 else { throw OpenFile.failure("\(backup.path) cannot be removed") }
            options?.tell("removed the older backup \(PlainText.shown(backup.path))")
        }
    }
}
