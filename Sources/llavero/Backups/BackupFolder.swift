// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBackup
internal import KeychainModel
internal import KeychainTools

/// The backups in a folder, known by their headers, the newest first.
struct BackupFolder {
    static let suffix = ".llavero-backup"
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
        self.backups = backups.sorted { $0.1.time > $1.1.time }
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

    /// The file of that random name.
    func path(of file: [UInt8]) -> String? { backups.first { $0.header.file == file }?.path }

    /// Removes all but the newest, and those that one of them goes on from.
    ///
    /// Without options it says nothing.
    func remove(keeping count: Int, _ options: Options?) throws(CommandError) {
        var kept: Set<[UInt8]> = []
        for (number, backup) in backups.enumerated() {
            // What another goes on from is older, so it comes behind.
            guard number < count || kept.contains(backup.header.file) else {
                guard unsafe unlink(backup.path) == 0 else {
                    throw OpenFile.failure("\(backup.path) cannot be removed")
                }
                options?.tell("removed the older backup \(PlainText.shown(backup.path))")
                continue
            }
            if let base = backup.header.base { kept.insert(base.file) }
        }
    }
}
