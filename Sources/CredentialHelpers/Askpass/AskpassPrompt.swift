// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The questions of ssh, git and sudo to an askpass, recognized by their words.
enum AskpassPrompt: Equatable {
    /// A passphrase of a key file, or a password of an account; the name of the item that has it.
    case secret(String)
    /// Git asks for a user name.
    case gitUsername(GitOrigin)
    /// Git asks for a password.
    case gitPassword(GitOrigin, account: String?)
    /// A yes-or-no question, which only the person may answer.
    case confirmation
    /// Another question, which the person is asked.
    case other

    /// `folder` is where relative paths begin.
    init(_ text: String, folder: String?) {
        let text = AskpassPrompt.trimmed(text)
        if AskpassPrompt.isConfirmation(text) {
            self = .confirmation
        } else if text.begins(with: "(") {
            // ssh writes the account in brackets before a prompt in the server's own words.
            let account = AskpassPrompt.between("(", ") Password:", text)
            self = account.map { AskpassPrompt.isAccount($0) ? .secret("ssh: \($0)") : .other } ?? .other
        } else if let path = AskpassPrompt.keyFile(text) {
            self = .secret("ssh: \(AskpassPrompt.absolute(path, in: folder))")
        } else if let url = AskpassPrompt.between("Username for '", "':", text), let parts = GitURL(url) {
            self = .gitUsername(parts.origin)
        } else if let url = AskpassPrompt.between("Password for '", "':", text), let parts = GitURL(url) {
            self = .gitPassword(parts.origin, account: parts.account)
        } else if let user = AskpassPrompt.between("[sudo] password for ", ":", text) {
            self = .secret("sudo: \(user)")
        } else if let account = AskpassPrompt.between("", "'s password:", text), AskpassPrompt.isAccount(account) {
            self = .secret("ssh: \(account)")
        } else {
            self = .other
        }
    }

    /// The names that the item of a key file may have: with its path, with `~` for the home folder, and as a Mac has it of a user of
    /// that name.
    static func names(of name: String, home: String?) -> [String] {
        guard let home, home.begins(with: "/"), home != "/", let inHome = name.behind("ssh: \(home)/") else {
            return [name]
        }
        let user = home.halves(at: "/", last: true).map { String($0.1) } ?? home
        return [name, "ssh: ~/\(inHome)", "SSH: /Users/\(user)/\(inHome)"]
    }

    /// Whether it says itself that the answer before was wrong: ssh-add asks in other words then.
    static func isRepeated(_ text: String) -> Bool { text.begins(with: repeated) }

    private static let repeated = "Bad passphrase, try again for "

    /// The key file whose passphrase is asked for: by ssh with `key '…'`, by ssh-keygen of OpenSSH 9.9 in quotation marks, by
    /// ssh-add without either.
    private static func keyFile(_ text: String) -> String? {
        if let path = between("Enter passphrase for key '", "':", text) { return path }
        if let path = between("Enter passphrase for \"", "\":", text) { return path }
        guard let path = between("Enter passphrase for ", ":", text) ?? between(repeated, ":", text) else { return nil }
        // Those are no files: a token's PIN, and the passphrase that a key is to get.
        guard path != "PKCS#11", !path.ends(with: "\" (empty for no passphrase)") else { return nil }
        return path.before(" (will confirm each use)").map { String($0) } ?? path
    }

    /// The questions of ssh and its agent before they trust a host or use a key.
    private static func isConfirmation(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return ["(yes/no", "[y/n]", "yes or no", "please type 'yes'"].contains { lowered.contains($0) }
            || text.begins(with: "Allow use of key ") || text.begins(with: "Allow shared connection")
    }

    /// Whether it is USER@HOST as ssh writes it.
    private static func isAccount(_ text: String) -> Bool {
        text.utf8.contains(0x40) && !text.unicodeScalars.contains(")")
    }

    /// The absolute path without `.` and `..`, so that the same key is the same item, however ssh names it.
    ///
    /// Symbolic links stay, as in paths that people write.
    private static func absolute(_ path: String, in folder: String?) -> String {
        var whole = path
        if !path.begins(with: "/") {
            guard let folder, folder.begins(with: "/") else { return path }
            whole = folder + "/" + path
        }
        var parts: [Substring] = []
        for part in whole.parts(between: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The text between, if the whole question is one line of this form.
    private static func between(_ start: String, _ end: String, _ text: String) -> String? {
        guard let inner = text.behind(start)?.before(end).map({ String($0) }), !inner.isEmpty else { return nil }
        return inner.contains(where: \.isNewline) ? nil : inner
    }

    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

/// The URL in a question of git, percent-decoded.
struct GitURL {
    let origin: GitOrigin
    let account: String?

    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8)
        else { return nil }
        let rest = text[text.utf8.index(colon, offsetBy: 3)...]
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var host = rest[..<slash]
        var account: String?
        if let sign = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            guard let name = GitURL.decoded(host[..<sign]) else { return nil }
            account = name
            host = host[host.utf8.index(after: sign)...]
        }
        guard let host = GitURL.decoded(host), let path = GitURL.decoded(Substring(rest[slash...].utf8.dropFirst())),
            let origin = GitOrigin(protocol: String(text[..<colon]), host: host, path: path)
        else { return nil }
        (self.origin, self.account) = (origin, account)
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(where: { $0 < 0x20 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
