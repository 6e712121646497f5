// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainIdentity
internal import KeychainImports
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// `llavero export`.
enum ExportVerb: Verb {
    static let name = "export"
    static let summary = "writes items and their secrets to a file"
    static let help = """
        usage: llavero export [FILE | -] [--format json | csv] [--apps] [--all] [--fd N]

        Writes your items with their secrets, unencrypted, for other programs; `llavero backup` writes them encrypted. It first asks for the keychain's passcode, if it has one. FILE must not
        exist, and only you can read it; without FILE, or with -, the output goes to a pipe or to where it was redirected, and never to a
        terminal.

          --format FORMAT   json (the default: everything, `llavero import` restores it) or csv (Title, URL, Username, Password,
                            Notes, OTPAuth, Escaped: only passwords that are text; secret fields and attachments are rows of
                            their own, other fields, tags and the expiry lines of the notes). In csv, an apostrophe is put before cells
                            that a spreadsheet would take for formulas, and Escaped lists them: `llavero import` removes it
          --apps            also items that programs keep, those of the Secret Service with what it finds them by
          --all             also invisible items
          --user USER       only items of this user
          --group GROUP     only items of this access group
          --kind KIND       only items of this kind: password, internet, certificate, key
          --fd N            reads the passcode from descriptor N
          --stdin           reads it from standard input
          --keychain NAME   items of another keychain, by name or path
          --quiet           does not say that apostrophes were put before cells

        It ends with 1 when items had to be left out, and lists them; with 44 when there is no keychain, or one of the search list
        does not exist, and then writes nothing. The shell empties the file of a redirection first: for backups give FILE.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count <= 1 else { throw .usage("only one FILE is accepted") }
        guard let format = ExportedFormat(rawValue: options.value("--format") ?? "json") else {
            throw .usage("--format requires json or csv")
        }
        let path = options.operands.first == "-" ? nil : options.operands.first
        if let path {
            try NewFile.requirePlace(path, otherwise: "without FILE the items go to standard output")
        }
        let scope = try ItemScope(options)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        guard path != nil || !Screen.output.isTerminal else {
            throw .usage("secrets are not written to a terminal; name a file, or redirect the output")
        }
        let keychains = try Keychains(options).requireAll()
        try OwnerCheck.require(keychains, descriptor, "Passwords are to be exported.")
        let (count, left): (Int, [String])
        if let path {
            let file = try NewFile(for: path)
            let stream = SecretStream(to: file.descriptor.number)
            (count, left) = try write(scope, keychains, format, options, to: stream)
            try file.takeEmptyPlace()
        } else {
            (count, left) = try write(scope, keychains, format, options, to: SecretStream(to: 1))
        }
        guard left.isEmpty else {
            for line in left { Tool.say(line) }
            throw .failure("\(left.count) of \(count) items were left out")
        }
    }

    /// How many items there are, and those left out, and why.
    private static func write(
        _ scope: ItemScope, _ keychains: [ToolKeychain], _ format: ExportedFormat, _ options: Options,
        to stream: SecretStream
    ) throws(CommandError) -> (count: Int, left: [String]) {
        var left: [String] = []
        var (count, isFirst, escaped) = (0, true, 0)
        // The number of items is known where all come at once.
        var bar = ProgressBar("exporting")
        defer { bar.end() }
        try stream.put(format.head)
        func write(_ item: ToolItem, with inRow: [FurtherItem] = []) throws(CommandError) -> Bool {
            count += 1
            var reason = format.refusal(of: item)
            if reason == nil {
                do throws(CommandError) {
                    let secret = try item.secretIfAny()
                    reason = secret.flatMap { format.refusal(of: $0) }
                    if reason == nil {
                        let row = try ExportedRow(item, secret, with: inRow)
                        escaped += try format.write(row, isFirst: isFirst, to: stream)
                        isFirst = false
                    }
                } catch { reason = error.description }
            }
            if let reason { left.append("\(PlainText.shown(item.name)): \(reason)") }
            return reason == nil
        }
        // Further secrets go behind their items; those whose item is gone come last, where everything is asked for.
        var written: Set<ToolItem.Key> = []
        var orphans: [ToolItem] = []
        try scope.forEachPart(in: keychains) { (part) throws(CommandError) in
            // Who has the keys of a circle opens all that its server has: they never leave the device, as no enclave's key does.
            for item in part.items where item.group != AccessGroup.sync.name {
                bar.step(to: count, of: part.isAll ? part.items.count : nil)
                if item.isFurther || item.isSecretServiceEntry {
                    orphans.append(item)
                    continue
                }
                let further = try item.furtherItems()
                // What a program keeps by the Secret Service is found by its invisible half alone.
                let half = format == .json ? try item.invisibleHalf() : []
                written.formUnion(further.map(\.item.key) + half.map(\.key))
                let inRow = format == .csv ? ExportedRow.inColumns(of: further) : []
                // What has a column is a row of its own where its item is left out.
                let hasRow = try write(item, with: inRow)
                for further in further where !hasRow || !inRow.contains(where: { $0.item.isSame(as: further.item) }) {
                    _ = try write(further.item)
                }
                for half in half { _ = try write(half) }
            }
        }
        for orphan in orphans where !written.contains(orphan.key) { _ = try write(orphan) }
        try stream.put(format.tail)
        try stream.flush()
        if escaped > 0 {
            bar.end()
            options.tell(
                escaped == 1
                    ? "1 cell looks like a formula, so an apostrophe was put before it: `llavero import` removes it, other programs keep it"
                    : "\(escaped) cells look like formulas, so an apostrophe was put before each: `llavero import` removes it, other programs keep it"
            )
        }
        return (count, left)
    }
}

/// The format of an export.
enum ExportedFormat: String, CaseIterable {
    /// All attributes; secrets that are not text in base64.
    case json
    /// The table that most password managers read; only passwords that are text.
    case csv

    var head: String {
        switch self {
        case .json: "{\"llavero\":\(ExportNames.version),\"items\":[\n"
        case .csv: ExportNames.columns.joined(separator: ",") + "\n"
        }
    }

    var tail: String { self == .json ? "\n]}\n" : "" }

    /// Why an item cannot be written in this format; nil when it can.
    func refusal(of item: ToolItem) -> String? {
        self == .csv && !item.itemClass.isPassword ? "a \(item.kind) cannot be written as CSV; --format json can" : nil
    }

    func refusal(of secret: SecretValue) -> String? {
        self == .csv && !secret.isText ? "its password is not text; --format json can write it" : nil
    }

    /// Writes one item, and says how many of its cells were given an apostrophe.
    func write(_ row: ExportedRow, isFirst: Bool, to stream: SecretStream) throws(CommandError) -> Int {
        switch self {
        case .json:
            if !isFirst { try stream.put(",\n") }
            // Without the brace at its end.
            try stream.put(String(JSONText.object(ExportedMembers.of(row.item)).line.dropLast()))
            if let secret = row.secret { try ItemJSON.put(secret, "secret", to: stream) }
            try stream.put("}")
            return 0
        case .csv:
            let cells = row.cells
            var escaped: [String] = []
            for (cell, column) in zip(cells, ExportNames.columns) {
                let isFormula = unsafe cell.withUnsafeBytes { unsafe $0.first.map(ExportNames.beginsFormula) ?? false }
                if isFormula { escaped.append(column) }
                try stream.put(isFormula ? "\"'" : "\"")
                try stream.put(cell, .csv)
                try stream.put("\",")
            }
            try stream.put("\"\(escaped.joined(separator: " "))\"\n")
            return escaped.count
        }
    }
}

/// An item in an export, with what belongs to it and has a column of the table.
struct ExportedRow {
    let item: ToolItem
    let secret: SecretValue?
    private let seed: SecretValue?
    private let note: SecretValue?

    init(_ item: ToolItem, _ secret: SecretValue?, with inColumns: [FurtherItem]) throws(CommandError) {
        (self.item, self.secret) = (item, secret)
        func value(_ kind: FurtherItem.Kind) throws(CommandError) -> SecretValue? {
            try inColumns.first { $0.kind == kind }?.secret()
        }
        (seed, note) = (try value(.code), try value(.notes))
    }

    /// The seed of its codes, and its note where that is text.
    static func inColumns(of further: [FurtherItem]) -> [FurtherItem] {
        let code = further.first { $0.kind == .code }
        let note = further.first { $0.kind == .notes && ((try? $0.secret().isText) ?? false) }
        return [code, note].compactMap { $0 }
    }

    /// Its cells but the last.
    var cells: [SecretValue] {
        let texts = [item.name, item.url, item.account].map { SecretValue(copying: Array($0.utf8)) }
        let nothing = SecretValue(copying: [UInt8]())
        let besides = SecretValue(copying: Array(withoutColumn.utf8))
        let between = note == nil || besides.count == 0 ? nothing : SecretValue(copying: [UInt8(ascii: "\n")])
        let notes = SecretValue.joined([note ?? nothing, between, besides])
        return texts + [secret ?? nothing, notes, seed ?? nothing]
    }

    /// The comment, and what a table has no column for.
    private var withoutColumn: String {
        var properties = item.properties
        properties.removeField(repeating: item.url)
        var lines = item.text(.comment).isEmpty ? [] : [item.text(.comment)]
        lines += properties.fields.map { "\($0.name): \($0.value)" }
        if !properties.tags.isEmpty { lines.append("tags: \(properties.tags.joined(separator: ", "))") }
        if let expiry = properties.expiryText { lines.append("expires: \(expiry)") }
        return lines.joined(separator: "\n")
    }
}

/// The attributes of an item in an export: exactly as stored, so that an import restores them.
enum ExportedMembers {
    static func of(_ item: ToolItem) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [("name", .text(item.name)), ("kind", .text(item.kind))]
        if item.itemClass == .internetPassword { members.append(("url", .text(item.url))) }
        let absent = ItemIdentity.parts(of: item.itemClass)
        // Dates come last: a date of a whole second stands elsewhere among the attributes than another.
        let isDate = { (entry: AttributeList.Entry) in if case .date = entry.value { true } else { false } }
        let entries = item.attributes.entries
        for entry in entries.filter({ !isDate($0) }) + entries.filter(isDate)
        where !ExportNames.isLeftOut(entry.attribute) {
            // Default values are restored without being written.
            let isAbsent = absent.contains { $0.attribute == entry.attribute && $0.absent == entry.value }
            if isAbsent || (entry.attribute == .synchronizable && entry.value == .number(0)) { continue }
            members.append((ExportNames.name(of: entry.attribute), value(entry)))
        }
        if let control = item.accessControl {
            members.append(("protection", .text(ExportNames.name(of: control.protection))))
            if control.rules != nil, case .dictionary(var fields) = AccessControlCoding.list(control) {
                fields["prot"] = nil
                members.append(("rules", json(.dictionary(fields))))
            }
        }
        members.append(("keychain", .text(KeychainNames.name(of: item.keychain.place))))
        members.append(("id", .text(item.identifier)))
        return members
    }

    private static func value(_ entry: AttributeList.Entry) -> JSONText {
        switch entry.value {
        case .string(let text): .text(text)
        case .number(let number):
            AttributeText.isSwitch(entry.attribute) && (number == 0 || number == 1)
                ? .boolean(number == 1) : .number(number)
        case .data(let bytes): base64(bytes)
        case .date(let date): .optional(ExportDate.text(date))
        }
    }

    private static func base64(_ bytes: [UInt8]) -> JSONText {
        .object([("base64", .text(Base64.text(of: bytes)))])
    }

    private static func json(_ list: PropertyList) -> JSONText {
        switch list {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .string(let text): .text(text)
        case .data(let bytes): base64(bytes)
        case .date(let date): .optional(ExportDate.text(date))
        case .array(let values): .list(values.map(json))
        case .dictionary(let fields): .object(fields.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        }
    }
}
