// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A table of entries (CSV), as KeePass, browsers, password managers and `llavero` export it: the first record names the
/// columns.
internal enum KeePassCSV {
    private enum Column {
        case group, title, user, password, url, notes, oneTime, icon, ignored, tags, favorite, archived, fields, kind
        /// In an export of `llavero`: the columns that were given an apostrophe.
        case escaped
        case other(String)
        /// A further password.
        case furtherPassword(String)
        /// A further URL, which may have a password in it.
        case furtherURL(String)
        /// LastPass', which says of its secure notes that they are some.
        case urlOrNote
    }

    /// KeePass' own columns, or those of another program; nil for what is no such table.
    internal static func format(_ bytes: ImportedBytes) -> ImportFormat? {
        var reader = CSVReader(bytes)
        guard let names = reader.record(columns: nil)?.map({ $0.text?.lowercased() ?? "" }) else { return nil }
        reader = CSVReader(bytes)
        guard columns(&reader) != nil else { return nil }
        let others = [
            "name", "otpauth", "login_password", "httprealm", "formactionorigin", "favorite", "archived",
            "favorite status", "archived status", "one-time password",
        ]
        let isOurs = names.contains("escaped")
        return !isOurs && names.contains(where: others.contains) ? .table : .keepassCSV
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ options: ImportOptions, into report: inout ImportReport
    ) throws(ImportError) {
        var reader = CSVReader(bytes)
        var entries: [StoreEntry] = []
        var icons = 0
        guard let columns = columns(&reader) else { throw .notThisFormat }
        // The lines of a damaged record that was not reported yet, and what is wrong with it.
        var lost: (lines: ClosedRange<Int>, reason: SkipReason)?
        while !reader.isAtEnd {
            let line = reader.line
            guard let fields = reader.record(columns: columns.count) else {
                if !reader.isAtBlankLine {
                    // A line that begins like a record counts as one; others may continue the one before.
                    if let (lines, reason) = lost, !reader.beginsLikeRecord(columns: columns.count) {
                        lost = (lines.lowerBound...line, reason)
                    } else {
                        try skip(lost, file, &report)
                        lost = (line...line, reader.isAtBareQuote ? .bareQuote : .damaged)
                    }
                }
                // A record begins at one of the next lines.
                reader.skipLine()
                continue
            }
            try skip(lost, file, &report)
            lost = nil
            guard entries.count < ImportLimits.mostItems else { throw .tooLarge }
            let place = SourceLocation(file, line: line)
            guard let meant = withoutApostrophes(fields, columns) else {
                try report.skip(place, "", .damaged)
                continue
            }
            if let entry = try entry(meant, columns, place, &report) {
                if entry.left.contains(.appearance) { icons += 1 }
                entries.append(entry)
            }
        }
        try skip(lost, file, &report)
        try StoreEntry.finish(entries, options, into: &report)
        try report.leave(SourceLocation(file), "", .appearance, count: icons)
    }

    /// Reports the lines of a damaged record, if there are any.
    private static func skip(
        _ lost: (lines: ClosedRange<Int>, reason: SkipReason)?, _ file: String, _ report: inout ImportReport
    ) throws(ImportError) {
        guard let (lines, reason) = lost else { return }
        let last = lines.count > 1 ? lines.upperBound : nil
        try report.skip(SourceLocation(file, line: lines.lowerBound, lastLine: last), "", reason)
    }

    private static func columns(_ reader: inout CSVReader) -> [Column]? {
        guard let names = reader.record(columns: nil)?.map({ $0.text ?? "" }) else { return nil }
        var columns: [Column] = []
        for name in names { columns.append(further(column(name), name, after: columns)) }
        // In other programs' tables a column of this name means something else.
        if names.elementsEqual(ExportNames.columns, by: { $0.hasSameBytes(as: $1) }) {
            columns[columns.count - 1] = .escaped
        }
        guard columns.contains(where: { if case .password = $0 { true } else { false } }),
            columns.contains(where: {
                switch $0 {
                case .title, .url: true
                default: false
                }
            })
        else { return nil }
        // LastPass' own words; elsewhere they could be anything.
        if names.contains("grouping"), names.contains("extra"), names.contains("fav") {
            for (index, name) in names.enumerated() {
                switch name {
                case "grouping": columns[index] = .group
                case "extra": columns[index] = .notes
                case "fav": columns[index] = .favorite
                case "url": columns[index] = .urlOrNote
                default: break
                }
            }
        }
        // KeePass 1 has these names, and escapes quotes with a backslash.
        // Firefox writes nothing at all for what it does not have.
        reader.hasBareFields = names.contains("httpRealm")
        reader.hasBackslashes = names.first == "Account" && names.contains("Login Name")
        return columns
    }

    /// The meaning of a repeated column: the first one's value is the entry's, and the others are kept as further values.
    private static func further(_ column: Column, _ name: String, after columns: [Column]) -> Column {
        func isTaken(_ isSame: (Column) -> Bool) -> Bool { columns.contains(where: isSame) }
        return switch column {
        case .password: isTaken { if case .password = $0 { true } else { false } } ? .furtherPassword(name) : column
        case .group: isTaken { if case .group = $0 { true } else { false } } ? .other(name) : column
        case .title: isTaken { if case .title = $0 { true } else { false } } ? .other(name) : column
        case .user: isTaken { if case .user = $0 { true } else { false } } ? .other(name) : column
        case .url: isTaken { if case .url = $0 { true } else { false } } ? .furtherURL(name) : column
        case .notes: isTaken { if case .notes = $0 { true } else { false } } ? .other(name) : column
        case .oneTime, .icon, .ignored, .escaped, .tags, .favorite, .archived, .fields, .kind, .other, .furtherPassword,
            .furtherURL, .urlOrNote:
            column
        }
    }

    private static func column(_ name: String) -> Column {
        switch name.lowercased() {
        case "group", "folder": .group
        case "title", "account", "name": .title
        case "username", "user name", "login name", "login_username": .user
        case "password", "login_password": .password
        case "url", "web site", "website", "login_uri": .url
        case "notes", "comments", "note": .notes
        case "totp", "otpauth", "otp", "login_totp", "one-time password": .oneTime
        case "tags": .tags
        case "favorite", "favorite status": .favorite
        case "archived", "archived status": .archived
        case "fields": .fields
        case "type": .kind
        case "icon": .icon
        // The keychain sets the dates of creation and change itself.
        case "last modified", "created", "timecreated", "timelastused", "timepasswordchanged", "guid", "reprompt":
            .ignored
        case "": .other("(column without a name)")
        default: .other(name)
        }
    }

    /// The fields without the apostrophes of our export; nil if a listed field has none.
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

    private static func entry(
        _ fields: [ImportedBytes], _ columns: [Column], _ place: SourceLocation, _ report: inout ImportReport
    ) throws(ImportError) -> StoreEntry? {
        var entry = StoreEntry(source: place)
        var fault: SkipReason?
        for (field, column) in zip(fields, columns) {
            func text() -> String {
                guard let text = field.text else {
                    fault = fault ?? whyNoText(field)
                    return ""
                }
                return text
            }
            switch column {
            case .group: take(group: text(), &entry)
            case .title: entry.title = text()
            case .user: entry.user = text()
            case .password: entry.password = field
            case .url: entry.url = field
            case .urlOrNote: if field.text == "http://sn" { entry.kind = "secure note" } else { entry.url = field }
            case .notes: entry.notes = text()
            case .oneTime:
                if field.count > 0 { entry.furtherSecrets.append(FurtherSecret("otp", field, .oneTimeCode)) }
            case .furtherPassword(let name):
                if field.count > 0 { entry.furtherSecrets.append(FurtherSecret(name, field)) }
            case .furtherURL(let name):
                if field.count > 0 { entry.addFurther(url: field, named: name) }
            case .icon: if field.count > 0, text() != "0" { entry.left.insert(.appearance) }
            case .tags:
                entry.tags += text().split(whereSeparator: { $0 == ";" || $0 == "," }).map { $0.trimming }.filter {
                    !$0.isEmpty
                }
            case .favorite: if isYes(text()) { entry.tags.append("favorite") }
            case .archived: if isYes(text()) { entry.tags.append("archived") }
            case .fields: addFields(text(), to: &entry)
            case .kind: if !["", "login"].contains(text().lowercased()) { entry.kind = text() }
            case .ignored, .escaped: break
            case .other(let name):
                if field.count > 0 { entry.attributes.append(ImportedAttribute(name, text())) }
            }
        }
        if let fault {
            try report.skip(place, entry.title, fault)
            return nil
        }
        if entry.kind == "secure note", entry.password?.count ?? 0 == 0, !entry.notes.isEmpty {
            entry.password = ImportedBytes(entry.notes)
            entry.notes = ""
        }
        return entry
    }

    private static func isYes(_ text: String) -> Bool { ["1", "true", "yes"].contains(text.lowercased()) }

    /// Bitwarden's fields: a line for each, `name: value`; a line without a name belongs to the one before.
    private static func addFields(_ text: String, to entry: inout StoreEntry) {
        var fields: [(name: String, value: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let colon = line.utf8.firstIndex(of: ASCII.colon), colon > line.startIndex,
                line.utf8[line.utf8.index(after: colon)...].first == ASCII.space
            {
                let value = line.utf8.index(colon, offsetBy: 2)
                fields.append((String(line[..<colon]), String(line[value...])))
            } else if var last = fields.popLast() {
                last.value += "\n" + line
                fields.append(last)
            } else if !line.isEmpty {
                fields.append(("fields", String(line)))
            }
        }
        // Which of them were hidden the table does not say.
        for field in fields {
            entry.furtherSecrets.append(FurtherSecret(field.name, ImportedBytes(field.value)))
        }
    }

    /// Why a field cannot be a name or a note.
    private static func whyNoText(_ field: ImportedBytes) -> SkipReason {
        if field.count > ImportLimits.longestText { return .tooLarge }
        return field.index(of: 0, in: field.all) == nil ? .notText : .holdsNUL
    }

    private static func take(group: String, _ entry: inout StoreEntry) {
        // The table does not mark the recycle bin: it is recognized by its name and its place in the outermost group.
        let names = group.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
        entry.isDiscarded = names.contains { recycleBins.contains($0.lowercased()) }
        guard group.utf8.count > ImportLimits.longestPath else {
            entry.group = group
            return
        }
        entry.group = KeePassGroups.beginning(of: group, bytes: ImportLimits.longestPath) + "…"
        entry.repairs.append(.pathCut)
    }

    /// The names of the recycle bin in the most used languages of KeePass and KeePassXC.
    private static let recycleBins: Set<String> = [
        "recycle bin", "papierkorb", "corbeille", "papelera de reciclaje", "papelera", "cestino", "lixeira",
        "reciclagem",
        "prullenbak", "kosz", "корзина", "кошик", "roskakori", "papperskorg", "papperskorgen", "papirkurv",
        "papirkurven",
        "koš", "kôš", "lomtár", "coș de gunoi", "coș de reciclare", "geri dönüşüm kutusu", "κάδος ανακύκλωσης", "回收站",
        "資源回收桶", "ごみ箱", "ゴミ箱", "휴지통", "paperera de reciclatge", "paperera",
    ]
}

/// Reads CSV records strictly: a record that breaks a rule is damaged.
internal struct CSVReader {
    internal let bytes: ImportedBytes
    internal private(set) var position: Int
    /// Of `position`, counted from one.
    internal private(set) var line = 1
    /// Whether quotes are escaped by a backslash instead of a second quote.
    internal var hasBackslashes = false
    /// Whether every field has quotes.
    internal private(set) var isQuoted = false
    /// Whether the record that was damaged has a quote inside a field without quotes.
    internal private(set) var isAtBareQuote = false
    /// Whether an empty field may have none all the same.
    internal var hasBareFields = false

    internal init(_ bytes: ImportedBytes) {
        self.bytes = bytes
        position = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
        isQuoted = bytes[position] == ASCII.quote
    }

    internal var isAtEnd: Bool { position >= bytes.count }

    /// The next record, which must have this number of fields unless that is nil.
    ///
    /// nil if it is damaged; `position` then stays.
    internal mutating func record(columns: Int?) -> [ImportedBytes]? {
        var index = position
        var fields: [ImportedBytes] = []
        isAtBareQuote = false
        let limit = min(bytes.count, position + ImportLimits.longestRecord)
        while fields.count < columns ?? 64 {
            let isBare = hasBareFields && (bytes[index] == ASCII.comma || bytes[index] == ASCII.newline)
            guard let (field, next) = isQuoted && !isBare ? quoted(index, limit) : field(index, limit) else {
                return nil
            }
            fields.append(field)
            index = next
            if bytes[index] == ASCII.comma {
                index += 1
                continue
            }
            if bytes[index] == ASCII.carriageReturn { index += 1 }
            guard index >= bytes.count || bytes[index] == ASCII.newline, fields.count == columns ?? fields.count
            else { return nil }
            advance(to: min(bytes.count, index + 1))
            return fields
        }
        return nil
    }

    /// Goes to the next line.
    internal mutating func skipLine() {
        advance(to: bytes.index(of: ASCII.newline, in: position..<bytes.count).map { $0 + 1 } ?? bytes.count)
    }

    /// Whether the line here is empty.
    internal var isAtBlankLine: Bool {
        bytes[position] == ASCII.newline || bytes[position] == ASCII.carriageReturn
    }

    /// Whether the damaged line here looks like the beginning of a record, and not like the rest of the one before.
    internal func beginsLikeRecord(columns: Int) -> Bool {
        if bytes[position] == ASCII.quote { return !isAtClosingQuote }
        let end = bytes.index(of: ASCII.newline, in: position..<bytes.count) ?? bytes.count
        let commas = (position..<end).count(where: { bytes[$0] == ASCII.comma })
        // If all fields have quotes, this line has lost the first: it counts as a record only if it has all columns.
        return commas >= (isQuoted ? max(1, columns - 1) : 1)
    }

    /// Whether the quote here ends a field of several lines.
    private var isAtClosingQuote: Bool {
        guard let next = bytes[position + 1] else { return true }
        if next == ASCII.comma { return !isQuoted || bytes[position + 2] == ASCII.quote }
        return next == ASCII.newline || next == ASCII.carriageReturn
    }

    private mutating func advance(to index: Int) {
        for passed in position..<index where bytes[passed] == ASCII.newline { line += 1 }
        position = index
    }

    private mutating func field(_ start: Int, _ limit: Int) -> (ImportedBytes, Int)? {
        if bytes[start] == ASCII.quote { return quoted(start, limit) }
        var end = start
        while end < limit, let byte = bytes[end], byte != ASCII.comma, byte != ASCII.newline,
            !(byte == ASCII.carriageReturn && bytes[end + 1] == ASCII.newline)
        {
            if byte == ASCII.quote {
                isAtBareQuote = true
                return nil
            }
            end += 1
        }
        return (bytes.part(start..<end), end)
    }

    private func quoted(_ start: Int, _ limit: Int) -> (ImportedBytes, Int)? {
        guard bytes[start] == ASCII.quote else { return nil }
        var end = start + 1
        while end < limit {
            if hasBackslashes, bytes[end] == ASCII.backslash {
                end += 2
            } else if bytes[end] == ASCII.quote {
                guard !hasBackslashes, bytes[end + 1] == ASCII.quote else { break }
                end += 2
            } else {
                end += 1
            }
        }
        guard end < limit, bytes[end] == ASCII.quote else { return nil }
        let value = ImportedBytes(capacity: end - start) { output in
            var index = start + 1
            while index < end, let byte = bytes[index] {
                // The first of two is the escape for the second.
                let isFirst = hasBackslashes ? byte == ASCII.backslash : byte == ASCII.quote
                if isFirst { index += 1 }
                if let meant = bytes[index], index < end { output.append(meant) }
                index += 1
            }
            return true
        }
        return value.map { ($0, end + 1) }
    }
}
