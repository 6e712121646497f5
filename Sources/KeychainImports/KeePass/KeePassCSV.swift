// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The table that KeePass and KeePassXC export, and our own: its first record says what the columns are.
internal enum KeePassCSV {
    private enum Column {
        case group, title, user, password, url, notes, oneTime, ignored
        /// Of our own table: which columns were given an apostrophe.
        case escaped
        case other(String)
    }

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        var reader = CSVReader(bytes)
        return columns(&reader) != nil
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        var reader = CSVReader(bytes)
        guard let columns = columns(&reader) else { throw .notThisFormat }
        var isLost = false
        while !reader.isAtEnd {
            let line = reader.line
            guard let fields = reader.record(columns: columns.count) else {
                let isBlank = bytes[reader.position] == ASCII.newline || bytes[reader.position] == ASCII.carriageReturn
                if !isLost, !isBlank {
                    try report.skip(SourceLocation(file, line: line), "", .damaged)
                    isLost = true
                }
                // A record begins at one of the next lines.
                reader.skipLine()
                continue
            }
            isLost = false
            let place = SourceLocation(file, line: line)
            guard let meant = withoutApostrophes(fields, columns) else {
                try report.skip(place, "", .damaged)
                continue
            }
            try add(meant, columns, place, &report)
        }
    }

    private static func columns(_ reader: inout CSVReader) -> [Column]? {
        guard let names = reader.record(columns: nil)?.map({ $0.text ?? "" }) else { return nil }
        var columns = names.map(column)
        // In a table of others a column of this name means something else.
        if names.elementsEqual(ExportNames.columns, by: { $0.hasSameBytes(as: $1) }) {
            columns[columns.count - 1] = .escaped
        }
        guard columns.contains(where: { if case .password = $0 { true } else { false } }),
            columns.contains(where: { if case .title = $0 { true } else { false } })
        else { return nil }
        // KeePass 1 calls them so, and writes a backslash before quotes.
        reader.hasBackslashes = names.first == "Account" && names.contains("Login Name")
        return columns
    }

    private static func column(_ name: String) -> Column {
        switch name.lowercased() {
        case "group": .group
        case "title", "account": .title
        case "username", "user name", "login name": .user
        case "password": .password
        case "url", "web site": .url
        case "notes", "comments": .notes
        case "totp": .oneTime
        case "icon", "": .ignored
        default: .other(name)
        }
    }

    /// The fields as they were before our export put apostrophes before them; nil where one that it names has none.
    private static func withoutApostrophes(_ fields: [ImportedBytes], _ columns: [Column]) -> [ImportedBytes]? {
        guard case .escaped? = columns.last, let names = fields.last?.text else { return fields }
        var meant = fields
        for name in names.split(separator: " ") {
            guard let index = ExportNames.columns.firstIndex(where: { $0.hasSameBytes(as: String(name)) }),
                fields[index][0] == UInt8(ascii: "'" as Unicode.Scalar)
            else { return nil }
            meant[index] = fields[index].part(1..<fields[index].count)
        }
        return meant
    }

    private static func add(
        _ fields: [ImportedBytes], _ columns: [Column], _ place: SourceLocation, _ report: inout ImportReport
    ) throws(ImportError) {
        var entry = KeePassEntry(source: place)
        var isText = true
        for (field, column) in zip(fields, columns) {
            func text() -> String {
                guard let text = field.text else {
                    isText = false
                    return ""
                }
                return text
            }
            switch column {
            case .group: entry.group = text()
            case .title: entry.title = text()
            case .user: entry.user = text()
            case .password: entry.password = field
            case .url: entry.url = field
            case .notes: entry.notes = text()
            case .oneTime: if field.count > 0 { entry.furtherSecrets.append(FurtherSecret("otp", field)) }
            case .ignored, .escaped: break
            case .other(let name):
                if field.count > 0 { entry.attributes.append(ImportedAttribute(name, text())) }
            }
        }
        guard isText else { return try report.skip(place, entry.title, .notText) }
        guard let password = entry.password else { return try report.skip(place, entry.title, .noSecret) }
        try report.add(entry.item(password: password))
    }
}
