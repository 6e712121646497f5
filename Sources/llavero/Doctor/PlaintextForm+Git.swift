// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// Git: the file of its helper "store", and its settings.
extension PlaintextForm {
    static func gitStore(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        // Lines that the import accepts, and lines that it leaves out.
        var (taken, others): ([Int], [Int]) = ([], [])
        for line in text.lines where !line.trimmed.isEmpty && line.first != UInt8(ascii: "#") {
            let urls = line.urls(with: .never)
            if urls.contains(where: { $0.hasPassword && $0.hasUser }) {
                taken.append(line.line)
                continue
            }
            others.append(line.line)
            guard let url = urls.first(where: \.hasSecret) else { continue }
            mover.move(
                line, "a password or token in plain text, which git's helper \"store\" does not read",
                item: "git token", of: url.host, after: #"s/^[^/]*\/\/:\{0,1\}\([^:@]*\):\{0,1\}@.*/\1/"#,
                use: { "llavero get \($0)" })
        }
        guard !taken.isEmpty else { return mover.finds }
        let emptying = taken.map { "\($0)s/.*//" }.joined(separator: ";")
        let end = others.isEmpty ? removal(of: path) : "sed -i --follow-symlinks '\(emptying)' \(path)"
        let remark =
            others.isEmpty
            ? "" : "  # the file stays: lines without user or password are not imported; check them"
        return [
            PlaintextFind(
                lines: taken, what: "passwords of git's helper \"store\" in plain text",
                fix: "llavero import --format git-credentials \(path) && \(end)"
                    + " && git config --global --replace-all credential.helper llavero 'store|llavero'\(remark)")
        ] + mover.finds
    }

    static func gitConfiguration(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var finds: [PlaintextFind] = []
        var (section, part) = ("", PlaintextSpan?.none)
        var moved: Set<String> = []
        for line in text.lines {
            var rest = line.trimmed
            if rest.first == UInt8(ascii: "#") || rest.first == UInt8(ascii: ";") { continue }
            let urls = rest.urls(with: .never)
            if urls.contains(where: \.hasPassword) {
                finds.append(passwordInURL(line.line, path))
            } else if urls.contains(where: \.isOfToken) {
                finds.append(tokenInURL(line.line, path))
            }
            if rest.first == UInt8(ascii: "["), let (head, behind) = rest.splitLast(at: UInt8(ascii: "]")) {
                let words = head.split(at: 0x20, 0x09)
                section = String(((words?.before ?? head).name ?? "").dropFirst()).lowercased()
                part = words.map { $0.behind.trimmed.unquoted }
                rest = behind.trimmed
            }
            guard let (key, value) = rest.split(at: UInt8(ascii: "=")) else { continue }
            let prefix = part.map { "\(section).\($0.name ?? "NAME")" } ?? section
            if section == "credential", key.trimmed.isWord("helper") {
                finds += helper(value.trimmed.unquoted, of: part, path)
            } else if section == "http", key.trimmed.isWord("extraheader"), value.contains("authorization:") {
                finds.append(
                    PlaintextFind(
                        lines: [line.line], what: "a header with a password or token in plain text",
                        fix: "git config --file \(path) --unset-all \(ShellWord.quoted(prefix + ".extraHeader")) "
                            + "'[Aa][Uu][Tt][Hh][Oo][Rr]'  # git then asks once, and its helper stores the answer"))
            } else if section == "http", key.trimmed.isWord("extraheader"),
                let (header, _) = value.trimmed.split(at: UInt8(ascii: ":")), header.namesSecretHeader
            {
                // A quoted value still has its opening quote here.
                let name = (header.split(at: 0x22)?.behind ?? header).trimmed.name ?? "HEADER"
                let setting = prefix + ".extraHeader"
                guard moved.insert("\(setting) \(name)").inserted else { continue }
                finds.append(
                    PlaintextFind(
                        lines: [line.line], what: "a header with a password or token in plain text",
                        fix: moving(setting, " '^\(name)[ :]'", to: "git header: \(name)", path, for: "git …")))
            } else if section == "sendemail", key.trimmed.isWord("smtppass"), !value.trimmed.unquoted.isEmpty {
                let setting = prefix + ".smtpPass"
                guard moved.insert(setting).inserted else { continue }
                finds.append(
                    PlaintextFind(
                        lines: [line.line], what: "a password for git send-email in plain text",
                        fix: moving(setting, "", to: "git: \(setting)", path, for: "git send-email …")))
            }
        }
        return finds
    }

    private static func passwordInURL(_ line: Int, _ path: String) -> PlaintextFind {
        let url = #"https\{0,1\}:\/\/[^:@ "]*"#
        return PlaintextFind(
            lines: [line], what: "a URL with a password in plain text",
            fix: #"sed -n '\#(line)s/.*\(\#(url):[^@ "]*@[^/ "]*\).*/url=\1/p' \#(path) | \#(approval) && "#
                + #"sed -i --follow-symlinks '\#(line)s/\(\#(url)\):[^@ "]*@/\1@/' \#(path)"#)
    }

    /// Servers that accept a token as user name accept it as the password of any user; the token is a secret and not shown.
    private static func tokenInURL(_ line: Int, _ path: String) -> PlaintextFind {
        let (scheme, token) = (#"https\{0,1\}:\/\/"#, #"[^:@/ "]*"#)
        return PlaintextFind(
            lines: [line], what: "a URL with a token in plain text",
            fix: #"sed -n '\#(line)s/.*\(\#(scheme)\)\(\#(token)\):\{0,1\}@\([^/ "]*\).*"#
                + #"/url=\1x-access-token:\2@\3/p' \#(path) | \#(approval) && "#
                + #"sed -i --follow-symlinks '\#(line)s/\(\#(scheme)\)\#(token):\{0,1\}@/\1/' \#(path)"#)
    }

    private static let approval = "git -c credential.helper= -c credential.helper=llavero credential approve"

    /// Moves a setting's value into an item; git then gets it through its environment.
    private static func moving(
        _ setting: String, _ pattern: String, to item: String, _ path: String, for command: String
    ) -> String {
        let (setting, item) = (ShellWord.quoted(setting), ShellWord.quoted(item))
        return "git config --file \(path) --get \(setting)\(pattern) | llavero add \(item) --stdin"
            + " && git config --file \(path) --unset-all \(setting)\(pattern)  # from now on: llavero run"
            + " --env GIT_CONFIG_VALUE_0=\(item) -- env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=\(setting) \(command)"
    }

    /// One of git's own helpers, which keep passwords outside the keychain.
    private static func helper(_ value: PlaintextSpan, of part: PlaintextSpan?, _ path: String) -> [PlaintextFind] {
        guard let program = value.words.first else { return [] }
        let last = program.splitLast(at: UInt8(ascii: "/"))?.behind ?? program
        let known = ["store", "cache"].first { last.isWord($0) || last.isWord("git-credential-\($0)") }
        guard let known else { return [] }
        let name = part.map { $0.name.map { "credential.\($0).helper" } ?? "credential.URL.helper" }
        return [
            PlaintextFind(
                lines: [value.line],
                what: known == "store"
                    ? "git's helper \"store\" writes passwords in plain text"
                    : "git's helper \"cache\" gives passwords to all of your programs",
                fix:
                    "git config --file \(path) --replace-all \(ShellWord.quoted(name ?? "credential.helper")) llavero '\(known)|llavero'"
            )
        ]
    }
}
