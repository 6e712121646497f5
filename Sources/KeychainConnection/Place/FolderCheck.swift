// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainStore

/// What can be wrong with the files round a database.
///
/// It opens none of SQLite's files: a plain open and close in this process would drop the locks SQLite holds on them.
enum FolderCheck {
    /// The bytes of a small file that is no database, or nil.
    static func content(of path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // No larger than the file: this is read whenever a keychain is opened.
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0, size <= largest, lseek(file, 0, SEEK_SET) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = unsafe read(file, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// What the two copies of a record in one of these files may take.
    private static let largest = 2 << 20 + 1 << 10

    static func findings(in home: FolderHome, _ kind: EnclaveKind) -> [Finding] {
        let folder = home.folder
        var findings: [Finding] = []
        let files = [
            folder.database, folder.database + "-wal", folder.database + "-shm", folder.deviceKey, folder.tpmFile,
            folder.keybagCopy, folder.ownerLock, folder.queue, folder.reserve,
        ]
        let enclaveFile = kind == .software ? folder.deviceKey : folder.tpmFile
        let required: Set<String> = [folder.database, enclaveFile, folder.keybagCopy]
        for path in [folder.path] + files {
            let name = String(path.dropFirst(folder.root.utf8.count + 1))
            guard let status = FileStatus(of: path) else {
                if required.contains(path) { findings.append(Finding(name, "is missing")) }
                continue
            }
            if path != folder.path, !status.is_regular_file { findings.append(Finding(name, "is no regular file")) }
            if status.owner != geteuid() { findings.append(Finding(name, "belongs to another user")) }
            if status.permissions & 0o077 != 0 { findings.append(Finding(name, "others can reach it")) }
        }
        let name = String(enclaveFile.dropFirst(folder.root.utf8.count + 1))
        do throws(EnclaveError) {
            if try !home.isEnclaveWhole(kind) { findings.append(Finding(name, "one of its two copies is damaged")) }
        } catch { findings.append(Finding(name, "cannot be used: \(error)")) }
        return findings
    }
}
