// SPDX-License-Identifier: Apache-2.0

/// The contents of a pass file: a password, then lines with names and values; or one secret of many lines.
package enum PassEntry {
    /// The item of a file.
    ///
    /// Its first line is the password where every other line is a name and a value, such as `login: ada`, or the seed of
    /// one-time codes; the first may be such a seed too, as `pass otp insert` writes it. Else, as for a key in PEM or a file of bytes, all of it is the secret; with `firstLineOnly` never.
    package static func item(
        _ text: ImportedBytes, name: String, _ place: SourceLocation, _ options: ImportOptions = ImportOptions()
    ) -> ImportedItem {
        let end = text.index(of: ASCII.newline, in: text.all) ?? text.count
        let lines = lines(of: text, from: end + 1)
        guard options.firstLineOnly || isPassword(text, before: lines) else {
            return ImportedItem(
                .generic(service: name), account: "", label: name, secret: text, source: place,
                repairs: [.wholeFile])
        }
        var account: String?
        var url: Range<Int>?
        var further: [FurtherSecret] = []
        var left: [Range<Int>] = []
        for line in lines {
            let content = withoutNewline(text, line)
            if account == nil, let value = value(text, content, ["login", "user", "username"]),
                let name = text.text(value)
            {
                account = name
            } else if url == nil, let value = value(text, content, ["url"]), text.text(value) != nil {
                url = value
            } else if text.has(oneTimeCode, at: content.lowerBound) {
                further.append(FurtherSecret("otpauth", text.part(content), .oneTimeCode))
            } else {
                left.append(line)
            }
        }
        var kind = ImportedItem.Kind.generic(service: name)
        var attributes: [ImportedAttribute] = []
        if let url {
            let parts = ImportedURL(text, url)
            if let parts { kind = .internet(parts.place) }
            if parts?.password != nil {
                further.append(FurtherSecret("url", text.part(url)))
            } else if let value = text.text(url) {
                attributes.append(ImportedAttribute("url", value))
            }
        }
        // Notes may be anything, such as recovery codes and keys.
        if left.contains(where: { !text.trimmed($0).isEmpty }),
            let notes = ImportedBytes(
                capacity: left.reduce(0) { $0 + $1.count },
                writing: { output in
                    for line in left { output.append(text, line) }
                    return true
                })
        {
            further.append(FurtherSecret("notes", notes, .notes))
        }
        var password = 0..<end
        if text.has(oneTimeCode, at: 0) {
            further.insert(FurtherSecret("otpauth", text.part(text.trimmed(password)), .oneTimeCode), at: 0)
            password = 0..<0
        }
        return ImportedItem(
            kind, account: account ?? "", label: name, secret: text.part(password), attributes: attributes,
            furtherSecrets: further, source: place)
    }

    /// Whether the first line alone is the password.
    private static func isPassword(_ text: ImportedBytes, before lines: [Range<Int>]) -> Bool {
        // In bytes that are not text, the last one may be a newline too.
        guard text.index(of: ASCII.newline, in: text.all) != nil else { return true }
        guard text.isUTF8, text.index(of: 0, in: text.all) == nil, !text.has("-----BEGIN ", at: 0) else { return false }
        return lines.allSatisfy { line in
            let content = withoutNewline(text, line)
            return text.trimmed(content).isEmpty || text.has(oneTimeCode, at: content.lowerBound)
                || isNamed(text, content)
        }
    }

    /// The lines after the first, each with its newline.
    private static func lines(of text: ImportedBytes, from start: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = start
        while start < text.count {
            let end = text.index(of: ASCII.newline, in: start..<text.count).map { $0 + 1 } ?? text.count
            lines.append(start..<end)
            start = end
        }
        return lines
    }

    private static func withoutNewline(_ text: ImportedBytes, _ line: Range<Int>) -> Range<Int> {
        text[line.upperBound - 1] == ASCII.newline ? line.lowerBound..<line.upperBound - 1 : line
    }

    /// Whether a line is a name, a colon, and a blank with a value, or empty.
    private static func isNamed(_ text: ImportedBytes, _ line: Range<Int>) -> Bool {
        guard let colon = text.index(of: ASCII.colon, in: line), colon - line.lowerBound <= 64,
            !text.trimmed(line.lowerBound..<colon).isEmpty
        else { return false }
        let isKnown = value(text, line, ["login", "user", "username", "url"]) != nil
        return isKnown || colon + 1 == line.upperBound || ASCII.isSpace(text[colon + 1])
    }

    /// The value after one of the names and a colon.
    private static func value(_ text: ImportedBytes, _ line: Range<Int>, _ names: [String]) -> Range<Int>? {
        guard let colon = text.index(of: ASCII.colon, in: line), colon - line.lowerBound <= 16,
            let name = text.text(text.trimmed(line.lowerBound..<colon))?.lowercased(), names.contains(name)
        else { return nil }
        let value = text.trimmed(colon + 1..<line.upperBound)
        return value.isEmpty ? nil : value
    }

    private static let oneTimeCode = "otpauth://"
}
