// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import KeychainOneTimeCodes

/// Which lines of a file of pass are its password.
package enum PassReading: Sendable {
    /// The first, as pass has it, but in what is no file with a password: a key, a document, bytes.
    case byContent
    /// The first.
    case firstLine
    /// All of them, where there are several.
    case wholeFile
}

/// The contents of a pass file: a password, then fields, seeds and notes; or one secret of many lines.
package enum PassEntry {
    /// The item of a file, which knows what it would be by the other way to read it.
    ///
    /// By pass' convention the first line is the password, or a seed of one-time codes, as `pass otp insert` writes it.
    /// Of the other lines a name with a value, such as `PIN: 1234`, is a field; from the first on that is none, they are the note.
    package static func item(
        _ text: ImportedBytes, name: String, _ place: SourceLocation, _ options: ImportOptions = ImportOptions()
    ) -> ImportedItem {
        let end = text.index(of: ASCII.newline, in: text.all) ?? text.count
        let lines = lines(of: text, from: end + 1)
        func whole() -> ImportedItem {
            ImportedItem(
                .generic(service: name), account: "", label: name, secret: text, source: place, repairs: [.wholeFile])
        }
        func split() -> ImportedItem { PassEntry.split(text, end, lines, name: name, place) }
        let folder = name.utf8.lastIndex(of: ASCII.slash).map { String(name[..<$0]) }
        let isText = text.isUTF8 && text.index(of: 0, in: text.all) == nil
        let hasSeveral = lines.contains { !text.trimmed($0).isEmpty }
        let isWhole =
            switch options.passReading {
            case .byContent: end < text.count && (!isText || hasSeveral && isDocument(text, before: end))
            case .firstLine: false
            case .wholeFile: end < text.count && (!isText || hasSeveral)
            }
        let readings = (isWhole || hasSeveral ? [whole(), split()] : [split()]).map { item in
            var item = item
            item.tags = folder.map { [$0] } ?? []
            return item
        }
        var item = isWhole ? readings[0] : readings[readings.count - 1]
        item.otherReading = readings.count > 1 ? [readings[isWhole ? 1 : 0]] : []
        return item
    }

    /// Whether a text begins as a key or another document does, and not with a password.
    package static func isDocument(_ text: SecretValue) -> Bool {
        let text = ImportedBytes(text)
        return isDocument(text, before: text.index(of: ASCII.newline, in: text.all) ?? text.count)
    }

    /// Whether the first line is the beginning of a key or another document, and no password.
    private static func isDocument(_ text: ImportedBytes, before end: Int) -> Bool {
        let line = text.trimmed(0..<end)
        let beginnings = ["-----BEGIN ", "PuTTY-User-Key-File-", "# created: ", "<?xml "]
        return beginnings.contains { text.has($0, at: 0) } || text.text(line).map { ["{", "["].contains($0) } ?? false
    }

    private static func split(
        _ text: ImportedBytes, _ end: Int, _ lines: [Range<Int>], name: String, _ place: SourceLocation
    ) -> ImportedItem {
        var account: String?
        var url: Range<Int>?
        var further: [FurtherSecret] = []
        var left: [Range<Int>] = []
        var isInNote = false
        for (number, line) in lines.enumerated() {
            let content = withoutNewline(text, line)
            let next = number + 1 < lines.count ? text[lines[number + 1].lowerBound] : nil
            if account == nil, let value = value(text, content, ["login", "user", "username"]),
                let name = text.text(value)
            {
                account = name
            } else if url == nil, let value = value(text, content, ["url"]), text.text(value) != nil {
                url = value
            } else if text.has(oneTimeCode, at: content.lowerBound) {
                further.append(seed(text, content))
            } else if !isInNote, let field = field(text, content, before: next),
                !further.contains(where: { $0.part == .field && $0.name.hasSameBytes(as: field.name) })
            {
                further.append(field)
            } else {
                left.append(line)
                isInNote = isInNote || !(text.trimmed(content).isEmpty || isNote(text, content))
            }
        }
        var kind = ImportedItem.Kind.generic(service: name)
        var attributes: [ImportedAttribute] = []
        if let url {
            let parts = ImportedURL(text, url)
            if let parts { kind = .internet(parts.wholePlace) }
            if parts?.password != nil {
                further.append(FurtherSecret("url", text.part(url)))
            } else if let value = text.text(url) {
                attributes.append(ImportedAttribute("url", value))
            }
        }
        // Notes may be anything, such as recovery codes and keys.
        let written = left.indices.filter { !text.trimmed(left[$0]).isEmpty }
        if let first = written.first, let last = written.last,
            let notes = ImportedBytes(
                capacity: left[first...last].reduce(0) { $0 + $1.count },
                writing: { output in
                    for line in left[first..<last] { output.append(text, line) }
                    output.append(text, withoutNewline(text, left[last]))
                    return true
                })
        {
            further.append(FurtherSecret("note", notes, .notes))
        }
        var password = 0..<end
        if text.has(oneTimeCode, at: 0) {
            further.insert(seed(text, text.trimmed(password)), at: 0)
            password = 0..<0
        }
        return ImportedItem(
            kind, account: account ?? "", label: name, secret: text.part(password), attributes: attributes,
            furtherSecrets: further, source: place)
    }

    /// Of one that counts, pass keeps the number of the last code, where others keep that of the next.
    private static func seed(_ text: ImportedBytes, _ range: Range<Int>) -> FurtherSecret {
        var value = text.part(range)
        if let code = try? OneTimeCode(SecretValue(copying: value.bytes)), case .counted(let last) = code.kind,
            last < .max
        {
            value = ImportedBytes(code.url(counter: last + 1))
        }
        return FurtherSecret("otpauth", value, .oneTimeCode)
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

    /// A name, a colon, and a blank with a value; nil for a line that the next one goes on.
    private static func field(_ text: ImportedBytes, _ line: Range<Int>, before next: UInt8?) -> FurtherSecret? {
        guard let colon = text.index(of: ASCII.colon, in: line), ASCII.isBlank(text[colon + 1]),
            !ASCII.isBlank(text[line.lowerBound]), !ASCII.isBlank(next), !isNote(text, line),
            let name = text.text(text.trimmed(line.lowerBound..<colon)), (1...longestName).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let value = text.trimmed(colon + 1..<line.upperBound)
        // YAML has a text of several lines behind these.
        guard !value.isEmpty, text.text(value).map({ !["|", ">"].contains($0) }) ?? true else { return nil }
        return FurtherSecret(name, text.part(value))
    }

    /// Whether a line says itself that it is a note.
    private static func isNote(_ text: ImportedBytes, _ line: Range<Int>) -> Bool {
        value(text, line, ["note", "notes", "comment", "comments"]) != nil
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
    private static let longestName = 40
}
