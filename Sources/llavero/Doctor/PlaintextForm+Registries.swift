// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainTools

/// Docker and podman, whose files have the logins to registries: all logins of a file are moved together.
extension PlaintextForm {
    static func docker(_ text: PlaintextText, _ path: String) throws(CodingError) -> [PlaintextFind] {
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
        // Only a person with an editor can find these in a line for certain, and nothing may be lost.
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

    static func containers(_ text: PlaintextText, _ path: String) throws(CodingError) -> [PlaintextFind] {
        let logins = try Logins(text)
        guard !logins.lines.isEmpty else { return [] }
        let folder = "~/.config/containers/registries.conf.d"
        let program = ["podman", "skopeo", "buildah"].first { ProgramSearch.path(of: $0) != nil } ?? "podman"
        // With that line these programs do not use the file any more.
        return [
            PlaintextFind(
                lines: logins.lines, what: "podman's \(logins.words) in base64, which is plain text",
                fix: (["mkdir -p \(folder)", "echo 'credential-helpers = [\"llavero\"]' > \(folder)/llavero.conf"]
                    + logins.registries.map { "\(program) login \($0)" }
                    + [removal(of: path)]).joined(separator: " && "))
        ]
    }

    /// The registries for which a file has a password or a token, and its other secrets.
    private struct Logins {
        private(set) var registries: [String] = []
        private(set) var lines: [Int] = []
        private(set) var proxyLines: [Int] = []
        private(set) var headerLines: [Int] = []
        private(set) var hasStore = false

        var words: String { lines.count == 1 ? "password of a registry" : "passwords of \(lines.count) registries" }

        init(_ text: PlaintextText) throws(CodingError) {
            var cursor = JSONCursor(text)
            cursor.skipSpace()
            // An empty file has no logins.
            if cursor.isAtEnd { return }
            try cursor.members { (cursor, name) throws(CodingError) in
                let name = text.span(name)
                if name.isWord("credsStore") { hasStore = true }
                guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 1) }
                if name.isWord("auths") {
                    try cursor.members { (cursor, registry) throws(CodingError) in
                        guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 2) }
                        try login(text.span(registry), &cursor, text)
                    }
                } else if name.isWord("proxies") {
                    try cursor.members { (cursor, _) throws(CodingError) in
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
        }

        private mutating func proxies(
            _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(CodingError) {
            try cursor.members { (cursor, _) throws(CodingError) in
                guard cursor.peek == UInt8(ascii: "\"") else { return try cursor.passOver(depth: 3) }
                let value = text.span(try cursor.string())
                let isSecret = !value.hostsOfURLsWithSecrets(with: .never).isEmpty
                // All of them may be on one line.
                if isSecret, proxyLines.last != value.line { proxyLines.append(value.line) }
            }
        }

        private mutating func headers(
            _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(CodingError) {
            try cursor.members { (cursor, header) throws(CodingError) in
                let isSecret = text.span(header).namesSecretHeader
                guard isSecret, cursor.peek == UInt8(ascii: "\"") else { return try cursor.passOver(depth: 2) }
                let value = text.span(try cursor.string())
                if !value.isEmpty, headerLines.last != value.line { headerLines.append(value.line) }
            }
        }

        private mutating func login(
            _ registry: PlaintextSpan, _ cursor: inout JSONCursor<PlaintextText>, _ text: PlaintextText
        ) throws(CodingError) {
            var line: Int?
            try cursor.members { (cursor, name) throws(CodingError) in
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
