// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainTools

/// A keychain that was here and is gone: the notes beside its folder are left, and the folder was moved or deleted.
///
/// The tools take the notes away with a keychain that they remove. One that was set aside lies beside its place.
struct VanishedKeychain {
    /// Goes on behind its name.
    let text: String
    private let name: String
    private let path: String
    private let option: String

    /// nil for one that is there, or that never was.
    init?(_ keychain: ToolKeychain) {
        guard let path = keychain.location, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            return nil
        }
        let (root, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
        let folder = KeychainFolder(root: root, name: name)
        guard (try? folder.holdsDatabase) == false, [folder.tally, folder.lastBackup].contains(where: Self.isThere),
            !Self.hasMoved(name, in: root)
        else { return nil }
        let backup = BackupMark(keychain)?.time.map { "the last backup from here is of \(PastItem.date($0))" }
        text = "was here, and its folder is gone; \(backup ?? "no backup was made from here")"
        (self.name, self.path, option) = (name, path, keychain.option)
    }

    /// What to do; `quote` stands around each command.
    func fix(_ quote: String = "") -> String {
        "put \(ShellWord.quoted(path)) back, or \(quote)llavero restore FILE\(option)\(quote) makes it of a backup; "
            + "\(quote)llavero keychains create \(ShellWord.quoted(name))\(quote) begins an empty one"
    }

    /// For verbs that would say that there is no such keychain, or begin an empty one in its place.
    static func refuse(_ keychain: ToolKeychain) throws(CommandError) {
        guard let vanished = VanishedKeychain(keychain) else { return }
        throw .notFound("the keychain \(keychain.shownName) \(vanished.text): \(vanished.fix("`"))")
    }

    private static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether it was set aside, or its removal was cut off.
    private static func hasMoved(_ name: String, in root: String) -> Bool {
        guard let directory = unsafe opendir(root) else { return false }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let entry = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if entry.hasPrefix("\(name).aside-") || entry.hasPrefix(".gone-\(name)-") { return true }
        }
        return false
    }
}
