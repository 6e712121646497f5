// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What ssh, git and sudo ask an askpass for, known by their words.
enum AskpassPrompt: Equatable {
    /// A passphrase of a key file, or a password of an account; the name of the item that has it.
    case secret(String)
    /// Git wants the name of an account.
    case gitUsername(GitOrigin)
    /// Git wants the password of an account.
    case gitPassword(GitOrigin, account: String?)
    /// A question that is answered by yes or no, which nobody but the person may.
    case confirmation
    /// Something else, which the person may be asked.
    case other

    init(_ text: String) {
        let text = AskpassPrompt.trimmed(text)
        if AskpassPrompt.isConfirmation(text) {
            self = .confirmation
        } else if let path = AskpassPrompt.between("Enter passphrase for key '", "':", text) {
            self = .secret("ssh: \(path)")
        } else if let path = AskpassPrompt.between("Enter passphrase for ", ":", text) {
            let mark = " (will confirm each use)"
            self = .secret("ssh: \(path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path)")
        } else if let url = AskpassPrompt.between("Username for '", "':", text), let parts = GitURL(url) {
            self = .gitUsername(parts.origin)
        } else if let url = AskpassPrompt.between("Password for '", "':", text), let parts = GitURL(url) {
            self = .gitPassword(parts.origin, account: parts.account)
        } else if let user = AskpassPrompt.between("[sudo] password for ", ":", text) {
            self = .secret("sudo: \(user)")
        } else if let account = AskpassPrompt.between("", "'s password:", text), account.utf8.contains(0x40) {
            self = .secret("ssh: \(account)")
        } else {
            self = .other
        }
    }

    /// What ssh and its agent ask before they trust a host or use a key.
    private static func isConfirmation(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return ["(yes/no", "[y/n]", "yes or no", "please type 'yes'"].contains { lowered.contains($0) }
            || text.hasPrefix("Allow use of key ") || text.hasPrefix("Allow shared connection")
    }

    /// What stands between, when the text is all of this and one line.
    private static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        let inner = String(text.dropFirst(start.count).dropLast(end.count))
        return inner.contains(where: \.isNewline) ? nil : inner
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
