// SPDX-License-Identifier: Apache-2.0

/// What a file of pass says: the password, then lines of which some are known by their names.
package enum PassEntry {
    package static func item(_ text: ImportedBytes, name: String, _ place: SourceLocation) -> ImportedItem {
        let end = text.index(of: ASCII.newline, in: text.all) ?? text.count
        var account: String?
        var url: Range<Int>?
        var left: [Range<Int>] = []
        var start = end + 1
        while start < text.count {
            let lineEnd = text.index(of: ASCII.newline, in: start..<text.count) ?? text.count
            let line = start..<lineEnd
            if account == nil, let value = value(text, line, ["login", "user", "username"]), let name = text.text(value)
            {
                account = name
            } else if url == nil, let value = value(text, line, ["url"]), text.text(value) != nil {
                url = value
            } else {
                left.append(start..<min(lineEnd + 1, text.count))
            }
            start = lineEnd + 1
        }
        var kind = ImportedItem.Kind.generic(service: name)
        var attributes: [ImportedAttribute] = []
        var further: [FurtherSecret] = []
        if let url {
            let parts = ImportedURL(text, url)
            if let parts { kind = .internet(parts.place) }
            if parts?.password != nil {
                further.append(FurtherSecret("url", text.part(url)))
            } else if let value = text.text(url) {
                attributes.append(ImportedAttribute("url", value))
            }
        }
        // They may be anything, recovery codes and keys for one.
        if left.contains(where: { !text.trimmed($0).isEmpty }),
            let notes = ImportedBytes(
                capacity: left.reduce(0) { $0 + $1.count },
                writing: { output in
                    for line in left { output.append(text, line) }
                    return true
                })
        {
            further.append(FurtherSecret("notes", notes))
        }
        return ImportedItem(
            kind, account: account ?? "", label: name, secret: text.part(0..<end), attributes: attributes,
            furtherSecrets: further, source: place)
    }

    /// What stands after one of the names and a colon.
    private static func value(_ text: ImportedBytes, _ line: Range<Int>, _ names: [String]) -> Range<Int>? {
        guard let colon = text.index(of: ASCII.colon, in: line), colon - line.lowerBound <= 16,
            let name = text.text(text.trimmed(line.lowerBound..<colon))?.lowercased(), names.contains(name)
        else { return nil }
        let value = text.trimmed(colon + 1..<line.upperBound)
        return value.isEmpty ? nil : value
    }
}
