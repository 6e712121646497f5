// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Line-based files; each line is moved by itself and emptied, so that the numbers of the other lines stay.
extension PlaintextForm {
    static func gh(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
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

    /// A setting of pip: an environment variable replaces all of its lines.
    private struct PipOption {
        let section: String
        let name: String
        let indentation: Int
        var lines: [LineMover.Part] = []
        var secretLines: [Int] = []
        var host: String?

        var variable: String { "PIP_" + name.uppercased().replacingScalars { $0 == "-" ? "_" : nil } }
        /// The command that a section is named after.
        var command: String { ["", "global"].contains(section) ? "install" : section }

        mutating func take(_ line: Int, _ value: PlaintextSpan, after: String) {
            if value.isEmpty { return }
            lines.append(LineMover.Part(line: line, after: "\(after);\(LineMover.endWithoutSpace)"))
            guard let found = value.hostsOfURLsWithSecrets(with: .braces).first else { return }
            if secretLines.isEmpty { host = found }
            secretLines.append(line)
        }
    }

    static func pip(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var options: [PipOption] = []
        var section = ""
        // The setting whose value continues in lines with deeper indentation.
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
            // All lines of a repeated setting become one item, since there is one variable for it.
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

    static func pypirc(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
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

    static func npm(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") || body.first == UInt8(ascii: ";") { continue }
            guard let (key, value) = body.split(at: UInt8(ascii: "=")) else { continue }
            let inner = value.trimmed.unquoted
            let (place, name) = key.trimmed.splitLast(at: UInt8(ascii: ":")) ?? (key, key.trimmed)
            let isSecret =
                ["_authToken", "_password", "_auth"].contains(where: name.isWord) && inner.isLiteral(with: .braces)
            // Proxies and registries, which are URLs.
            let hosts = inner.hostsOfURLsWithSecrets(with: .braces)
            guard isSecret || !hosts.isEmpty else { continue }
            var host = place.begins(with: "//") ? place.name.map { trimmed(String($0.drop { $0 == "/" })) } : nil
            if !isSecret { host = hosts.first ?? nil }
            // npm expands such variables in its file.
            let variable = "NPM_TOKEN" + (mover.finds.isEmpty ? "" : "_\(mover.finds.count + 1)")
            let what = isSecret ? "npm's token or password" : "a URL with a password, for npm,"
            mover.move(
                line, "\(what) in plain text", item: "npm", of: host,
                after: "s/^[^=]*=[[:space:]]*//;\(LineMover.endWithoutSpace);\(LineMover.withoutQuotes)",
                leaving: "s/=.*/=${\(variable)}/", use: { "llavero run --env \(variable)=\($0) -- npm …" })
        }
        return mover.finds
    }

    static func cargo(_ text: PlaintextText, _ path: String) -> [PlaintextFind] {
        var mover = LineMover(path)
        var section = ""
        for line in text.lines {
            let body = line.trimmed
            if body.first == UInt8(ascii: "#") { continue }
            if let name = body.inside(UInt8(ascii: "["), UInt8(ascii: "]")) {
                // A quoted name is not shown: the person replaces NAME.
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
                registry.map { "REGISTRIES_" + $0.uppercased().replacingScalars { $0 == "-" ? "_" : nil } }
                ?? "REGISTRY"
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

/// Netrc, which several programs read: the file is moved as a whole.
extension PlaintextForm {
    static func netrc(_ text: PlaintextText, _ path: String, _ item: String) -> [PlaintextFind] {
        var lines: [Int] = []
        /// The meaning of the next word.
        enum Next { case keyword, password, value }
        var (next, isMacro) = (Next.keyword, false)
        for line in text.lines {
            let words = line.words
            // A macro's body ends with an empty line.
            if words.isEmpty { isMacro = false }
            if isMacro { continue }
            for word in words {
                if next != .keyword {
                    // Even if it begins like a comment: a user name may.
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
        // As a whole: programs that read it need a file, which `llavero run --file` provides in memory.
        return [
            PlaintextFind(
                lines: lines, what: "passwords in plain text",
                fix: "llavero add \(item) --stdin --raw < \(path) && \(removal(of: path))  # from now on:"
                    + " llavero run --file NETRC=\(item) -- sh -c 'curl --netrc-file \"$NETRC\" …'")
        ]
    }
}
