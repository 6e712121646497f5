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
        var finds: [PlaintextFind] = []
        if !logins.lines.isEmpty {
            let setting =
                logins.hasStore
                ? #"s/"credsStore": *"[^"]*"/"credsStore": "llavero"/"# : #"0,/{/s//{"credsStore": "llavero",/"#
            finds.append(
                PlaintextFind(
                    lines: logins.lines, what: "docker's \(logins.words) in base64, which is plain text",
                    fix: (logins.registries.map { "docker logout \($0)" }
                        + ["sed -i --follow-symlinks '\(setting)' \(path)"]
                        + logins.registries.map { "docker login \($0)" }).joined(separator: " && ")))
        }
        // Where in a line these stand only an editor finds out for certain, and nothing is to be lost.
        let edit = "${EDITOR:-vi} \(path)"
        if !logins.proxyLines.isEmpty {
            finds.append(
                PlaintextFind(
                    lines: logins.proxyLines, what: "a proxy's URL with a password in plain text",
                    fix: "llavero add 'docker proxy' && \(edit)  # the URL is the item's password; take it out of"
                        + " the file; from now on: llavero run --env HTTPS_PROXY='docker proxy'"
                        + " -- docker run -e HTTPS_PROXY …"))
        }
        if !logins.headerLines.isEmpty {
            finds.append(
                PlaintextFind(
                    lines: logins.headerLines, what: "a header with a password or token in plain text",
                    fix: "llavero add 'docker header' && \(edit)  # the header is the item's password; take it out"
                        + " of the file: docker reads headers nowhere else"))
        }
        return finds
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
                    + logins.registries.map { "\(program) login \($0)" }
                    + [removal(of: path)]).joined(separator: " && "))
        ]
    }

    private static func gitStore(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        // What the import takes, and what it leaves out.
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
            ? "" : "  # the file stays: it has lines without user or password, which are not imported; look at them"
        return [
            PlaintextFind(
                lines: taken, what: "passwords of git's helper \"store\" in plain text",
                fix: "llavero import --format git-credentials \(path) && \(end)"
                    + " && git config --global --replace-all credential.helper llavero 'store|llavero'\(remark)")
        ] + mover.finds
    }

    /// Removes the file itself, where the path is a link to it.
    private static func removal(of path: String) -> String { "rm \"$(readlink -f \(path))\"" }

    private static func netrc(_ text: PlaintextText, _ path: String, _ item: String) -> [PlaintextFind] {
        var lines: [Int] = []
        /// What the next word is.
        enum Next { case keyword, password, value }
        var (next, isMacro) = (Next.keyword, false)
        for line in text.lines {
            let words = line.words
            // What a macro does ends with an empty line.
            if words.isEmpty { isMacro = false }
            if isMacro { continue }
            for word in words {
                if next != .keyword {
                    // Whatever it looks like: a name of a user may begin a remark elsewhere.
                    if next == .password { lines.append(word.line) }
                    next = .keyword
                } else if word.first == UInt8(ascii: "#") {
                    break
                } else if word.isWord("macdef") {
                    isMacro = true
                    break
                } else if word.isWord("password") || word.isWord("passwd") {
                    next = .password
                } else if ["machine", "login", "user", "account", "port"].contains(where: word.isWord) {
                    next = .value
                }
            }
        }
        guard !lines.isEmpty else { return [] }
        // As a whole: what reads such a file wants a file again, and in memory it can have one.
        return [
            PlaintextFind(
                lines: lines, what: "passwords in plain text",
                fix: "llavero add \(item) --stdin --raw < \(path) && \(removal(of: path))  # from now on:"
                    + " llavero run --file NETRC=\(item) -- sh -c 'curl --netrc-file \"$NETRC\" …'")
        ]
    }

    /// The registries of which a file has a password or a token, and what else of it is secret.
    private struct Logins {
        private(set) var registries: [String] = []
        private(set) var lines: [Int] = []
        private(set) var proxyLines: [Int] = []
        private(set) var headerLines: [Int] = []
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
                    guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 1) }
                    if name.isWord("auths") {
                        try cursor.members { (cursor, registry) throws(JSONFault) in
                            guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 2) }
                            try login(text.span(registry), &cursor, text)
                        }
                    } else if name.isWord("proxies") {
                        try cursor.members { (cursor, _) throws(JSONFault) in
                            guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 2) }
                            try proxies(&cursor, text)
                        }
                    } else if name.isWord("HttpHeaders") {
                        try headers(&cursor, text)
                    } else {
                        try cursor.passOver(depth: 1)
                    }
                }
                guard cursor.isAtEnd else { throw .malformed }
            } catch { throw Malformed() }
        }

        private mutating func proxies(
            _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(JSONFault) {
            try cursor.members { (cursor, _) throws(JSONFault) in
                guard cursor.peek == UInt8(ascii: "\"") else { return try cursor.passOver(depth: 3) }
                let value = text.span(try cursor.string())
                let isSecret = !value.hostsOfURLsWithSecrets(with: .never).isEmpty
                // All of them may be on one line.
                if isSecret, proxyLines.last != value.line { proxyLines.append(value.line) }
            }
        }

        private mutating func headers(
            _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(JSONFault) {
            try cursor.members { (cursor, header) throws(JSONFault) in
                let isSecret = text.span(header).namesSecretHeader
                guard isSecret, cursor.peek == UInt8(ascii: "\"") else { return try cursor.passOver(depth: 2) }
                let value = text.span(try cursor.string())
                if !value.isEmpty, headerLines.last != value.line { headerLines.append(value.line) }
            }
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
                            + "'[Aa][Uu][Tt][Hh][Oo][Rr]'  # git asks once then, and its helper keeps what worked"))
            } else if section == "http", key.trimmed.isWord("extraheader"),
                let (header, _) = value.trimmed.split(at: UInt8(ascii: ":")), header.namesSecretHeader
            {
                // In quotes it has but the first of them in front.
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

    /// Servers that take a token as a user's name take it as the password of any user, and so it is no name that is shown.
    private static func tokenInURL(_ line: Int, _ path: String) -> PlaintextFind {
        let (scheme, token) = (#"https\{0,1\}:\/\/"#, #"[^:@/ "]*"#)
        return PlaintextFind(
            lines: [line], what: "a URL with a token in plain text",
            fix: #"sed -n '\#(line)s/.*\(\#(scheme)\)\(\#(token)\):\{0,1\}@\([^/ "]*\).*"#
                + #"/url=\1x-access-token:\2@\3/p' \#(path) | \#(approval) && "#
                + #"sed -i --follow-symlinks '\#(line)s/\(\#(scheme)\)\#(token):\{0,1\}@/\1/' \#(path)"#)
    }

    private static let approval = "git -c credential.helper= -c credential.helper=llavero credential approve"

    /// Moves a setting's value into an item, out of which git gets it by its environment.
    private static func moving(
        _ setting: String, _ pattern: String, to item: String, _ path: String, for command: String
    ) -> String {
        let (setting, item) = (ShellWord.quoted(setting), ShellWord.quoted(item))
        return "git config --file \(path) --get \(setting)\(pattern) | llavero add \(item) --stdin"
            + " && git config --file \(path) --unset-all \(setting)\(pattern)  # from now on: llavero run"
            + " --env GIT_CONFIG_VALUE_0=\(item) -- env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=\(setting) \(command)"
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
                line, "gh's token in plain text", item: "gh", of: host,
                after: "s/^[^:]*:[[:space:]]*//;\(LineMover.endWithoutSpace);\(LineMover.withoutQuotes)",
                use: { "llavero run --env GH_TOKEN=\($0) -- gh …" })
        }
        return mover.finds
    }

    /// A setting of pip's: what is in the environment takes the place of all of its lines.
    private struct PipOption {
        let section: String
        let name: String
        let indentation: Int
        var lines: [LineMover.Part] = []
        var secretLines: [Int] = []
        var host: String?

        var variable: String { "PIP_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 }) }
        /// What goes by a section that is named after a command.
        var command: String { ["", "global"].contains(section) ? "install" : section }

        mutating func take(_ line: Int, _ value: PlaintextSpan, after: String) {
            if value.isEmpty { return }
            lines.append(LineMover.Part(line: line, after: "\(after);\(LineMover.endWithoutSpace)"))
            guard let found = value.hostsOfURLsWithSecrets(with: .braces).first else { return }
            if secretLines.isEmpty { host = found }
            secretLines.append(line)
        }
    }

    private static func pip(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var options: [PipOption] = []
        var section = ""
        // The one whose value goes on in lines that are indented more.
        var current: Int?
        for line in text.lines {
            let body = line.trimmed
            if body.isEmpty || body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            if let place = current, line.indentation > options[place].indentation {
                options[place].take(line.line, body, after: "s/^[[:space:]]*//")
                continue
            }
            if let name = body.inside(UInt8(ascii: "["), UInt8(ascii: "]")) {
                (section, current) = (name.name ?? "", nil)
                continue
            }
            let parts = body.split(at: UInt8(ascii: "="), UInt8(ascii: ":"))
            let name = (parts?.before.trimmed.name ?? "index-url").lowercased()
            // Of one that is there twice, all lines are one item: there is one variable for it.
            let place = options.firstIndex { $0.section == section && $0.name == name } ?? options.count
            if place == options.count {
                options.append(PipOption(section: section, name: name, indentation: line.indentation))
            }
            options[place].take(line.line, parts?.behind.trimmed ?? body, after: "s/^[^=:]*[=:][[:space:]]*//")
            current = place
        }
        var mover = LineMover(path)
        for option in options where !option.secretLines.isEmpty {
            mover.move(
                option.lines, found: option.secretLines, "a URL with a password, for pip, in plain text", item: "pip",
                of: option.host, use: { "llavero run --env \(option.variable)=\($0) -- pip \(option.command) …" })
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
                key.trimmed.isWord("password"), value.trimmed.isLiteral(with: .percent)
            else { continue }
            mover.move(
                line, "a password for uploads in plain text", item: "twine", of: section,
                after: "s/^[^=:]*[=:][[:space:]]*//;\(LineMover.endWithoutSpace)",
                use: { "llavero run --env TWINE_PASSWORD=\($0) -- twine upload …" })
        }
        return mover.finds
    }

    private static func npm(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            guard let (key, value) = body.split(at: UInt8(ascii: "=")) else { continue }
            let inner = value.trimmed.unquoted
            let (place, name) = key.trimmed.splitLast(at: UInt8(ascii: ":")) ?? (key, key.trimmed)
            let isSecret =
                ["_authToken", "_password", "_auth"].contains(where: name.isWord) && inner.isLiteral(with: .braces)
            // Of its proxies and registries, which are URLs.
            let hosts = inner.hostsOfURLsWithSecrets(with: .braces)
            guard isSecret || !hosts.isEmpty else { continue }
            var host = place.begins(with: "//") ? place.name.map { trimmed(String($0.drop { $0 == "/" })) } : nil
            if !isSecret { host = hosts.first ?? nil }
            // npm reads such variables in its file.
            let variable = "NPM_TOKEN" + (mover.finds.isEmpty ? "" : "_\(mover.finds.count + 1)")
            let what = isSecret ? "npm's token or password" : "a URL with a password, for npm,"
            mover.move(
                line, "\(what) in plain text", item: "npm", of: host,
                after: "s/^[^=]*=[[:space:]]*//;\(LineMover.endWithoutSpace);\(LineMover.withoutQuotes)",
                leaving: "s/=.*/=${\(variable)}/", use: { "llavero run --env \(variable)=\($0) -- npm …" })
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

/// Puts together the commands that move the secret of a line, or of several, into an item.
private struct LineMover {
    /// A line, and sed's way to the secret in it.
    struct Part {
        let line: Int
        let after: String
    }

    /// What no secret ends with: the rest of a line as other systems end it is no part of it.
    static let endWithoutSpace = "s/[[:space:]]*$//"
    /// For programs that take quotes around a value off, within a word in single quotes.
    static let withoutQuotes = #"s/^\(["'\'']\)\(.*\)\1$/\2/"#

    private let path: String
    private var names: [String: Int] = [:]
    private(set) var finds: [PlaintextFind] = []

    init(_ path: String) { self.path = path }

    /// `after` is sed's way to the secret, and `leaving` what it makes of the line then.
    mutating func move(
        _ line: PlaintextSpan, _ what: String, item: String, of place: String?, after: String,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        move(
            [Part(line: line.line, after: after)], found: [line.line], what, item: item, of: place, leaving: rest,
            use: use)
    }

    /// Of several lines one item has the secrets, each on a line.
    mutating func move(
        _ parts: [Part], found lines: [Int], _ what: String, item: String, of place: String?,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        var name = place.map { "\(item): \($0)" } ?? item
        let count = names[name, default: 0] + 1
        names[name] = count
        // Two of one place are two items.
        if count > 1 { name += " \(count)" }
        let word = ShellWord.quoted(name)
        let reading = parts.map { "\($0.line){\($0.after);p}" }.joined(separator: ";")
        let writing = parts.map { "\($0.line)\(rest)" }.joined(separator: ";")
        finds.append(
            PlaintextFind(
                lines: lines, what: what,
                fix: "sed -n '\(reading)' \(path) | llavero add \(word) --stdin"
                    + " && sed -i --follow-symlinks '\(writing)' \(path)  # from now on: \(use(word))"))
    }
}
