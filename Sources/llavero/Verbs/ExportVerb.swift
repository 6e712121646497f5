// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainIdentity
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// `llavero export`.
enum ExportVerb: Verb {
    static let name = "export"
    static let summary = "writes items and their secrets to a file"
    static let help = """
        usage: llavero export [FILE] [--format json | csv] [--apps] [--all] [--fd N]

        Writes your items with their secrets, readable by everybody who has the file. It asks for the keychain's passcode before, if
        there is one. A file is made for you alone, and only where none is; without FILE it goes to a pipe or to where output was
        redirected, and never to a terminal.

          --format FORMAT   json (everything, and the usual: `llavero import` puts it back) or csv (Title, URL, Username, Password,
                            Notes, OTPAuth, Escaped: passwords that are text). What a spreadsheet would take for a formula
                            gets an apostrophe before it, and Escaped names those columns: `llavero import` takes it away
          --apps            what programs keep, too
          --all             what is invisible, too
          --user USER       those of one user
          --group GROUP     those of one access group
          --kind KIND       those of one kind: password, internet, certificate, key
          --fd N            reads the passcode from descriptor N
          --stdin           reads it from standard input
          --keychain NAME   those of another keychain, by its name or its path

        It ends with 1 when something had to be left out, and says what; with 44 when there is no keychain, or one of the search list
        is not there, and then it writes nothing. Output that is redirected empties the file before: for backups write FILE.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count <= 1 else { throw .usage("one FILE at a time") }
        guard let format = ExportedFormat(rawValue: options.value("--format") ?? "json") else {
            throw .usage("--format knows json and csv")
        }
        let path = options.operands.first
        let scope = try ItemScope(options)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        guard path != nil || !Screen.output.isTerminal else {
            throw .usage("secrets are not written to a terminal; name a file, or redirect the output")
        }
        let keychains = try Keychains(options).requireAll()
        try OwnerCheck.require(keychains, descriptor, "Passwords are to be exported.")
        let items = try scope.items(in: keychains)
        var left: [String] = []
        if let path {
            let file = try NewFile(for: path)
            left = try write(items, format, to: SecretStream(to: file.descriptor.number))
            try file.takeEmptyPlace()
        } else {
            left = try write(items, format, to: SecretStream(to: 1))
        }
        guard left.isEmpty else {
            for line in left { Tool.say(line) }
            throw .failure("\(left.count) of \(items.count) items were left out")
        }
    }

    /// What was left out, and why.
    private static func write(
        _ items: [Item], _ format: ExportedFormat, to stream: SecretStream
    ) throws(CommandError) -> [String] {
        var left: [String] = []
        var (isFirst, escaped) = (true, 0)
        var bar = ProgressBar("exporting", of: items.count)
        defer { bar.end() }
        try stream.put(format.head)
        for (index, item) in items.enumerated() {
            bar.step(to: index)
            var reason = format.refusal(of: item)
            if reason == nil {
                do throws(CommandError) {
                    let secret = try item.secretIfAny()
                    reason = secret.flatMap { format.refusal(of: $0) }
                    if reason == nil {
                        escaped += try format.write(item, secret, isFirst: isFirst, to: stream)
                        isFirst = false
                    }
                } catch { reason = error.description }
            }
            if let reason { left.append("\(PlainText.shown(item.name)): \(reason)") }
        }
        try stream.put(format.tail)
        try stream.flush()
        if escaped > 0 {
            bar.end()
            Tool.say(
                escaped == 1
                    ? "1 cell begins as a formula does, so an apostrophe stands before it: `llavero import` takes it away, others keep it"
                    : "\(escaped) cells begin as formulas do, so an apostrophe stands before each: `llavero import` takes it away, others keep it"
            )
        }
        return left
    }
}

/// Items in a file that leaves the keychain.
enum ExportedFormat: String, CaseIterable {
    /// Everything there is; secrets that are no text in base64.
    case json
    /// What most password managers read; only passwords that are text.
    case csv

    var head: String {
        switch self {
        case .json: "{\"llavero\":\(ExportNames.version),\"items\":[\n"
        case .csv: ExportNames.columns.joined(separator: ",") + "\n"
        }
    }

    var tail: String { self == .json ? "\n]}\n" : "" }

    /// Why an item cannot be written so; nil when it can.
    func refusal(of item: Item) -> String? {
        self == .csv && !item.itemClass.isPassword ? "a \(item.kind) has no place in CSV" : nil
    }

    func refusal(of secret: SecretValue) -> String? {
        self == .csv && !secret.isText ? "its bytes are no text; --format json keeps them" : nil
    }

    /// Writes one item, and says how many of its cells were given an apostrophe.
    func write(
        _ item: Item, _ secret: SecretValue?, isFirst: Bool, to stream: SecretStream
    ) throws(CommandError) -> Int {
        switch self {
        case .json:
            if !isFirst { try stream.put(",\n") }
            // Without the brace at its end.
            try stream.put(String(JSONText.object(ExportedMembers.of(item)).line.dropLast()))
            if let secret { try ExportedFormat.writeJSON(secret, to: stream) }
            try stream.put("}")
            return 0
        case .csv:
            let texts = [item.name, item.url, item.account].map { SecretValue(copying: Array($0.utf8)) }
            let notes = SecretValue(copying: Array(item.text(.comment).utf8))
            let cells = texts + [secret ?? SecretValue(copying: []), notes, SecretValue(copying: [])]
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

    static func writeJSON(_ secret: SecretValue, to stream: SecretStream) throws(CommandError) {
        if secret.isText {
            try stream.put(",\"secret\":\"")
            try stream.put(secret, .json)
        } else {
            try stream.put(",\"secret-base64\":\"")
            try stream.put(SecretForm.base64(secret), .none)
        }
        try stream.put("\"")
    }
}

/// What an export says of an item beside its secret: exactly what is stored, so that it can be put back.
enum ExportedMembers {
    static func of(_ item: Item) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [("name", .text(item.name)), ("kind", .text(item.kind))]
        if item.itemClass == .internetPassword { members.append(("url", .text(item.url))) }
        let absent = ItemIdentity.parts(of: item.itemClass)
        for entry in item.attributes.entries where !ExportNames.isLeftOut(entry.attribute) {
            // What stands for "not given" comes back by itself.
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
        let text = unsafe SecretForm.base64(SecretValue(copying: bytes)).withUnsafeBytes {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        return .object([("base64", .text(text))])
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
