// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainTools

/// Where passwords stand in a file in plain text, and what moves them into the keychain.
struct PlaintextFind {
    let lines: [Int]
    let what: String
    /// Commands for a shell, which show nothing of the password either.
    let fix: String
}

/// How a program writes the file that it keeps passwords in.
enum PlaintextForm {
    case docker
    case containers
    case gitStore
    case gitConfiguration
    case gh
    case pip
    case pypirc
    case npm
    case cargo
    case netrc

    struct Malformed: Error {}

    func finds(in text: PlaintextText, at path: String) throws(Malformed) -> [PlaintextFind] {
        switch self {
        case .docker: try PlaintextForm.docker(text, ShellWord.quoted(path))
        case .containers: try PlaintextForm.containers(text, ShellWord.quoted(path))
        case .gitStore: PlaintextForm.gitStore(text, ShellWord.quoted(path))
        case .gitConfiguration: PlaintextForm.gitConfiguration(text, ShellWord.quoted(path))
        case .gh: PlaintextForm.gh(text, ShellWord.quoted(path))
        case .pip: PlaintextForm.pip(text, ShellWord.quoted(path))
        case .pypirc: PlaintextForm.pypirc(text, ShellWord.quoted(path))
        case .npm: PlaintextForm.npm(text, ShellWord.quoted(path))
        case .cargo: PlaintextForm.cargo(text, ShellWord.quoted(path))
        case .netrc:
            PlaintextForm.netrc(text, ShellWord.quoted(path), path.hasSuffix("authinfo") ? "authinfo" : "netrc")
        }
    }
}

/// Files whose passwords are moved by their own program, or by `llavero import`: all that a file has at once.
extension PlaintextForm {
    private static func docker(_ text: PlaintextText, _ path: String) throws(Malformed) -> [PlaintextFind] {
        let logins = try Logins(text)
        guard !logins.lines.isEmpty else { return [] }
        let setting =
            logins.hasStore
            ? #"s/"credsStore": *"[^"]*"/"credsStore": "llavero"/"# : #"0,/{/s//{"credsStore": "llavero",/"#
        return [
            PlaintextFind(
                lines: logins.lines, what: "docker's \(logins.words) in base64, which is plain text",
                fix: (logins.registries.map { "docker logout \($0)" }
                    + ["sed -i --follow-symlinks '\(setting)' \(path)"]
                    + logins.registries.map { "docker login \($0)" }).joined(separator: " && "))
        ]
    }

    private static func containers(_ text: PlaintextText, _ path: String) throws(Malformed) -> [PlaintextFind] {
        let logins = try Logins(text)
        guard !logins.lines.isEmpty else { return [] }
        let folder = "~/.config/containers/registries.conf.d"
        let program = ["podman", "skopeo", "buildah"].first { ProgramSearch.path(of: $0) != nil } ?? "podman"
        // With that line they read the file no more, nor take anything out of it.
        return [
            PlaintextFind(
                lines: logins.lines, what: "podman's \(logins.words) in base64, which is plain text",
                fix: (["mkdir -p \(folder)", "echo 'credential-helpers = [\"llavero\"]' > \(folder)/llavero.conf"]
                    + logins.registries.map { "\(program) login \($0)" } + ["rm \(path)"]).joined(separator: " && "))
        ]
    }

    private static func gitStore(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        let lines = text.lines.filter { !$0.hostsOfURLsWithPasswords.isEmpty }.map(\.line)
        guard !lines.isEmpty else { return [] }
        return [
            PlaintextFind(
                lines: lines, what: "passwords of git's helper \"store\" in plain text",
                fix: "llavero import --format git-credentials \(path) && rm \(path)"
                    + " && git config --global --replace-all credential.helper llavero 'store|llavero'")
        ]
    }

    private static func netrc(_ text: PlaintextText, _ path: String, _ item: String) -> [PlaintextFind] {
        var lines: [Int] = []
        var (isValue, isMacro) = (false, false)
        for line in text.lines {
            let words = line.words
            // What a macro does ends with an empty line.
            if words.isEmpty { isMacro = false }
            if isMacro { continue }
            for word in words {
                if isValue {
                    lines.append(word.line)
                    isValue = false
                } else if word.first == UInt8(ascii: "#") {
                    break
                } else if word.isWord("macdef") {
                    isMacro = true
                    break
                } else {
                    isValue = word.isWord("password") || word.isWord("passwd")
                }
            }
        }
        guard !lines.isEmpty else { return [] }
        // As a whole: what reads such a file wants a file again, and in memory it can have one.
        return [
            PlaintextFind(
                lines: lines, what: "passwords in plain text",
                fix: "llavero add \(item) --stdin --raw < \(path) && rm \(path)  # from now on:"
                    + " llavero run --file NETRC=\(item) -- sh -c 'curl --netrc-file \"$NETRC\" …'")
        ]
    }

    /// The registries of which a file has a password or a token.
    private struct Logins {
        private(set) var registries: [String] = []
        private(set) var lines: [Int] = []
        private(set) var hasStore = false

        var words: String { lines.count == 1 ? "password of a registry" : "passwords of \(lines.count) registries" }

        init(_ text: PlaintextText) throws(Malformed) {
            var cursor = JSONCursor(text)
            do throws(JSONFault) {
                cursor.skipSpace()
                // A file that is empty keeps nothing.
                if cursor.isAtEnd { return }
                try cursor.members { (cursor, name) throws(JSONFault) in
                    let name = text.span(name)
                    if name.isWord("credsStore") { hasStore = true }
                    guard name.isWord("auths"), cursor.peek == UInt8(ascii: "{") else {
                        return try cursor.passOver(depth: 1)
                    }
                    try cursor.members { (cursor, registry) throws(JSONFault) in
                        guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 2) }
                        try login(text.span(registry), &cursor, text)
                    }
                }
                guard cursor.isAtEnd else { throw .malformed }
            } catch { throw Malformed() }
        }

        private mutating func login(
            _ registry: PlaintextSpan, _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(JSONFault) {
            var line: Int?
            try cursor.members { (cursor, name) throws(JSONFault) in
                let name = text.span(name)
                let isSecret = ["auth", "password", "identitytoken", "registrytoken"].contains(where: name.isWord)
                guard isSecret, cursor.peek == UInt8(ascii: "\"") else { return try cursor.passOver(depth: 3) }
                let value = text.span(try cursor.string())
                if !value.isEmpty, line == nil { line = value.line }
            }
            guard let line else { return }
            lines.append(line)
            registries.append(registry.name.map(ShellWord.quoted) ?? "REGISTRY")
        }
    }
}

/// Files of lines, each of which is moved by itself: a line that is emptied leaves the numbers of the others as they are.
extension PlaintextForm {
    private static func gitConfiguration(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var finds: [PlaintextFind] = []
        var (section, part) = ("", PlaintextSpan?.none)
        for line in text.lines {
            var rest = line.trimmed
            if rest.first == UInt8(ascii: "#") || rest.first == UInt8(ascii: ";") { continue }
            if !rest.hostsOfURLsWithPasswords.isEmpty {
                let url = #"https\{0,1\}:\/\/[^:@ "]*"#
                finds.append(
                    PlaintextFind(
                        lines: [line.line], what: "a URL with a password in plain text",
                        fix: #"sed -n '\#(line.line)s/.*\(\#(url):[^@ "]*@[^/ "]*\).*/url=\1/p' \#(path) | "#
                            + #"git -c credential.helper= -c credential.helper=llavero credential approve && sed -i --follow-symlinks "#
                            + #"'\#(line.line)s/\(\#(url)\):[^@ "]*@/\1@/' \#(path)"#))
            }
            if rest.first == UInt8(ascii: "["), let (head, behind) = rest.splitLast(at: UInt8(ascii: "]")) {
                let words = head.split(at: 0x20, 0x09)
                section = String(((words?.before ?? head).name ?? "").dropFirst()).lowercased()
                part = words.map { $0.behind.trimmed.unquoted }
                rest = behind.trimmed
            }
            guard let (key, value) = rest.split(at: UInt8(ascii: "=")) else { continue }
            if section == "credential", key.trimmed.isWord("helper") {
                finds += helper(value.trimmed.unquoted, of: part, path)
            } else if section == "http", key.trimmed.isWord("extraheader"), value.contains("authorization:") {
                let name = part.map { $0.name.map { "http.\($0).extraHeader" } ?? "http.URL.extraHeader" }
                finds.append(
                    PlaintextFind(
                        lines: [line.line], what: "a header with a password or token in plain text",
                        fix: "git config --file \(path) --unset-all \(ShellWord.quoted(name ?? "http.extraHeader")) "
                            + "'[Aa][Uu][Tt][Hh][Oo][Rr]'  # git asks once then, and its helper keeps what worked"))
            }
        }
        return finds
    }

    /// A helper of git's own that keeps passwords elsewhere.
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
                    : "git's helper \"cache\" gives passwords to every program of yours",
                fix:
                    "git config --file \(path) --replace-all \(ShellWord.quoted(name ?? "credential.helper")) llavero '\(known)|llavero'"
            )
        ]
    }

    private static func gh(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        var host: String?
        for line in text.lines {
            if line.indentation == 0, let (name, _) = line.split(at: UInt8(ascii: ":")) { host = name.name ?? host }
            guard let (key, value) = line.trimmed.split(at: UInt8(ascii: ":")), key.isWord("oauth_token"),
                !value.trimmed.unquoted.isEmpty
            else { continue }
            mover.move(
                line, "gh's token in plain text", item: "gh", of: host, after: "s/^ *oauth_token: *//",
                use: { "llavero run --env GH_TOKEN=\($0) -- gh …" })
        }
        return mover.finds
    }

    private static func pip(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        var option = "index-url"
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            // A value goes on in lines that are indented.
            let isFirst = line.indentation == 0
            if isFirst, let (key, _) = body.split(at: UInt8(ascii: "="), UInt8(ascii: ":")) {
                option = key.trimmed.name ?? "index-url"
            }
            let hosts = body.hostsOfURLsWithPasswords
            guard !hosts.isEmpty else { continue }
            let variable = "PIP_" + String(option.uppercased().map { $0 == "-" ? "_" : $0 })
            mover.move(
                line, "a URL with a password, for pip, in plain text", item: "pip", of: hosts.first ?? nil,
                after: isFirst ? "s/^[^=:]*[=:] *//" : "s/^[[:space:]]*//",
                use: { "llavero run --env \(variable)=\($0) -- pip install …" })
        }
        return mover.finds
    }

    private static func pypirc(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        var section: String?
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            if let name = body.inside(UInt8(ascii: "["), UInt8(ascii: "]")) { section = name.name }
            guard let (key, value) = body.split(at: UInt8(ascii: "="), UInt8(ascii: ":")),
                key.trimmed.isWord("password"), value.trimmed.isLiteral
            else { continue }
            mover.move(
                line, "a password for uploads in plain text", item: "twine", of: section, after: "s/^[^=:]*[=:] *//",
                use: { "llavero run --env TWINE_PASSWORD=\($0) -- twine upload …" })
        }
        return mover.finds
    }

    private static func npm(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            guard let (key, value) = body.split(at: UInt8(ascii: "=")), value.trimmed.unquoted.isLiteral else {
                continue
            }
            let (place, name) = key.trimmed.splitLast(at: UInt8(ascii: ":")) ?? (key, key.trimmed)
            guard ["_authToken", "_password", "_auth"].contains(where: name.isWord) else { continue }
            let host = place.begins(with: "//") ? place.name.map { String($0.drop { $0 == "/" }) } : nil
            // npm reads such variables in its file.
            let variable = "NPM_TOKEN" + (mover.finds.isEmpty ? "" : "_\(mover.finds.count + 1)")
            mover.move(
                line, "npm's token or password in plain text", item: "npm", of: host.map { trimmed($0) },
                after: "s/^[^=]*= *//", leaving: "s/=.*/=${\(variable)}/",
                use: { "llavero run --env \(variable)=\($0) -- npm …" })
        }
        return mover.finds
    }

    private static func cargo(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        var section = ""
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") { continue }
            if let name = body.inside(UInt8(ascii: "["), UInt8(ascii: "]")) {
                // One in quotes, which whoever reads this puts in.
                section = name.name ?? "registries.NAME"
                continue
            }
            guard let (key, value) = body.split(at: UInt8(ascii: "=")),
                let kind = ["token", "secret-key"].first(where: key.trimmed.isWord), let quote = value.trimmed.first,
                quote == 0x22 || quote == 0x27, let end = value.trimmed.splitLast(at: quote)?.before,
                let inner = end.split(at: quote)?.behind, !inner.isEmpty
            else { continue }
            let registry = section.hasPrefix("registries.") ? String(section.dropFirst("registries.".count)) : nil
            let name =
                registry.map { "REGISTRIES_" + String($0.uppercased().map { $0 == "-" ? "_" : $0 }) } ?? "REGISTRY"
            let variable = "CARGO_\(name)_" + (kind == "token" ? "TOKEN" : "SECRET_KEY")
            let mark = quote == 0x22 ? "\"" : "'\\''"
            mover.move(
                line, "cargo's \(kind) in plain text", item: "cargo", of: registry ?? "crates.io",
                after: "s/^[^\(mark)]*\(mark)\\(.*\\)\(mark).*/\\1/",
                use: { "llavero run --env \(variable)=\($0) -- cargo publish …" })
        }
        return mover.finds
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == "/" { text.removeLast() }
        return String(text)
    }
}

/// Puts together the commands that move one line's secret into an item.
private struct LineMover {
    private let path: String
    private var names: [String: Int] = [:]
    private(set) var finds: [PlaintextFind] = []

    init(_ path: String) { self.path = path }

    /// `after` is sed's way to the secret, and `leaving` what it makes of the line then.
    mutating func move(
        _ line: PlaintextSpan, _ what: String, item: String, of place: String?, after: String,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        var name = place.map { "\(item): \($0)" } ?? item
        let count = names[name, default: 0] + 1
        names[name] = count
        // Two of one place are two items.
        if count > 1 { name += " \(count)" }
        let word = ShellWord.quoted(name)
        finds.append(
            PlaintextFind(
                lines: [line.line], what: what,
                fix: "sed -n '\(line.line)\(after)p' \(path) | llavero add \(word) --stdin"
                    + " && sed -i --follow-symlinks '\(line.line)\(rest)' \(path)  # from now on: \(use(word))"))
    }
}
