// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// A keychain that vanished, in words for its person.
struct MissedKeychain {
    /// Goes on behind its name.
    let text: String
    private let name: String
    private let path: String
    private let option: String

    /// nil for one that is there, or that never was.
    init?(_ keychain: ToolKeychain, isListed: Bool = false) {
        let what: String
        let lastBackup: BackupMark?
        if keychain.isOfSystem {
            guard let path = keychain.host.disappearance?.subject else { return nil }
            (what, self.path) = ("was with the system's daemon, and nothing is in its place there any more", path)
            lastBackup = BackupMark(keychain)
        } else {
            // A daemon of the user's has it in the same place, or it would be there.
            guard let vanished = try? VanishedKeychain(at: keychain.place, isListed: isListed) else { return nil }
            (what, path) = (vanished.text, vanished.path)
            lastBackup = BackupMark(beside: path)
        }
        let backup = lastBackup?.time.map { "the last backup from here is of \(PastItem.date($0))" }
        text = "\(what); \(backup ?? "no backup was made from here")"
        (name, option) = (KeychainNames.name(of: keychain.place), keychain.option)
    }

    /// What to do; `quote` stands around each command.
    func fix(_ quote: String = "") -> String {
        VanishedKeychain.fix(ShellWord.quoted(path), name: ShellWord.quoted(name), option: option, quote)
    }

    /// The same of one of several, behind what the others have.
    var warning: String { "the keychain \(name) \(text), so what it has is not found: \(fix("`"))" }

    /// For verbs that would say that there is no such keychain, or begin an empty one in its place.
    static func refuse(_ keychain: ToolKeychain) throws(CommandError) {
        guard let vanished = MissedKeychain(keychain) else { return }
        throw .notFound("the keychain \(keychain.shownName) \(vanished.text): \(vanished.fix("`"))")
    }
}
