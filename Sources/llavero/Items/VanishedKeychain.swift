// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// A keychain that was here and is gone, in words.
struct VanishedKeychain {
    /// Goes on behind its name.
    let text: String
    private let name: String
    private let path: String
    private let option: String

    /// nil for one that is there, or that never was.
    init?(_ keychain: ToolKeychain) {
        // A daemon of the user's has it in the same place, or it would be there.
        guard !keychain.isOfSystem, let path = keychain.host.embedded.folder, let slash = path.lastIndex(of: "/"),
            slash != path.startIndex
        else { return nil }
        let (root, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
        guard (try? KeychainFolder(root: root, name: name).hasVanished) ?? false else { return nil }
        let backup = BackupMark(beside: path)?.time.map { "the last backup from here is of \(PastItem.date($0))" }
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
}
