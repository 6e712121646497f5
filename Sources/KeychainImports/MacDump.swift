// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The output of `security dump-keychain -d` on macOS: items with their attributes and secrets.
internal struct MacDump {
    private let lines: SourceLines
    private let file: String
    private var item: MacItem?
    private var count = 0

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        bytes.has("keychain: \"", at: 0) || bytes.has("class: \"", at: 0)
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        var dump = MacDump(lines: try SourceLines(bytes), file: file)
        guard (0..<dump.lines.count).contains(where: { dump.lines.has("class: ", at: $0) }) else {
            throw .notThisFormat
        }
        try dump.read(into: &report)
    }

    private init(lines: SourceLines, file: String) {
        self.lines = lines
        self.file = file
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        var index = 0
        while index < lines.count {
            if lines.has("keychain: ", at: index) || lines.has("class: ", at: index) {
                try begin(at: index, &report)
            } else if lines.has("data:", at: index) {
                index = takeData(at: index)
            } else if lines.has("    ", at: index) {
                // After a secret they belong to another item, whose first lines are damaged.
                if item?.hasSecret == true { try begin(at: index, &report) }
                takeAttribute(lines.withoutReturn(index))
            } else if !lines.isBlank(index), !lines.has("version: ", at: index), !lines.has("attributes:", at: index),
                // What the Mac's tool complains of, where both of its outputs go to one file.
                !lines.has("security: ", at: index)
            {
                item?.isDamaged = true
            }
            index += 1
        }
        try item?.finish(into: &report)
    }

    /// Begins an item with any line before its secret, so that its first lines may be damaged.
    private mutating func begin(at index: Int, _ report: inout ImportReport) throws(ImportError) {
        let isClass = lines.has("class: ", at: index)
        if !isClass || item == nil || item?.itemClass != nil || item?.hasContent == true {
            try item?.finish(into: &report)
            count += 1
            item = MacItem(source: SourceLocation(file, line: index + 1, item: count))
        }
        if isClass {
            let line = lines.withoutReturn(index)
            let value = line.lowerBound + 7..<line.upperBound
            item?.itemClass = MacValue.bytes(lines.bytes, value).map { $0.text ?? "" } ?? "?"
        }
    }

    private mutating func takeAttribute(_ line: Range<Int>) {
        let bytes = lines.bytes
        guard let less = bytes.index(of: ASCII.less, in: line),
            let equals = bytes.index(of: ASCII.equals, in: less..<line.upperBound), bytes[equals - 1] == ASCII.greater,
            let name = bytes.text(bytes.trimmed(line.lowerBound..<less)),
            let value = MacValue.bytes(bytes, equals + 1..<line.upperBound)
        else {
            item?.isDamaged = true
            return
        }
        item?.values[name] = value
    }

    /// Reads the secret, on the line of the keyword or on the next one, which is empty for an empty one; returns its line.
    private mutating func takeData(at index: Int) -> Int {
        let line = lines.withoutReturn(index)
        if line.count > 5 {
            item?.setSecret(MacValue.bytes(lines.bytes, line.lowerBound + 5..<line.upperBound))
            return index
        }
        guard index + 1 < lines.count, !lines.has("keychain: ", at: index + 1), !lines.has("class: ", at: index + 1),
            !lines.has("security: ", at: index + 1)
        else { return index }
        item?.setSecret(MacValue.bytes(lines.bytes, lines.withoutReturn(index + 1)))
        return index + 1
    }
}

/// An item of a macOS keychain while it is read line by line.
internal struct MacItem {
    internal let source: SourceLocation
    internal var itemClass: String?
    /// By the printed names: four letters in quotes, or a number.
    internal var values: [String: ImportedBytes] = [:]
    internal var isDamaged = false
    private var secret: ImportedBytes?

    internal init(source: SourceLocation) { self.source = source }

    internal var hasSecret: Bool { secret != nil }
    internal var hasContent: Bool { !values.isEmpty || secret != nil }

    internal mutating func setSecret(_ value: ImportedBytes?) {
        secret = value
        if value == nil { isDamaged = true }
    }

    internal func finish(into report: inout ImportReport) throws(ImportError) {
        let label = values["0x00000007"]?.text ?? ""
        guard let itemClass else { return try report.skip(source, label, .damaged) }
        let isInternet = itemClass == "inet"
        guard isInternet || itemClass == "genp", number("\"nega\"") ?? 0 == 0 else {
            return try report.skip(source, label, itemClass == "?" ? .damaged : .notAPassword)
        }
        guard let secret else { return try report.skip(source, label, isDamaged ? .damaged : .notDumped) }
        guard let account = text("acct"), let service = text(isInternet ? "srvr" : "svce"), let path = text("path")
        else { return try report.skip(source, label, .notText) }
        // What belongs to another item of ours names that by an `id` which no dump has: it is an item of its own here, by its name.
        let isOfOther = !isInternet && service.hasPrefix("llavero.of.") && !label.isEmpty
        var kind = ImportedItem.Kind.generic(service: isOfOther ? label : service)
        if isInternet {
            guard !service.isEmpty else { return try report.skip(source, label, .noServer) }
            let code = text("ptcl").flatMap { ImportedProtocol.isCode($0) ? $0 : nil }
            let port = number("\"port\"").flatMap { UInt16(exactly: $0) }
            kind = .internet(
                InternetPlace(server: service, protocolCode: code, port: port == 0 ? nil : port, path: path))
        }
        let note = !isInternet && values["\"type\""]?.text == "note" ? MacNote(secret) : nil
        let further = note?.rich.map { [FurtherSecret("note.rtfd", $0, .attachment)] } ?? []
        var item = ImportedItem(
            kind, account: account, label: label, comment: text("icmt") ?? "", secret: note?.text ?? secret,
            furtherSecrets: further, source: source, repairs: isDamaged ? [.attributesLost] : [])
        item.native = others(isInternet: isInternet)
        try report.add(item)
    }

    /// The text of an attribute, empty if it is missing; nil if it is not text.
    private func text(_ name: String) -> String? {
        guard let value = values["\"\(name)\""] else { return "" }
        return value.text
    }

    /// The number in an attribute's bytes.
    private func number(_ name: String) -> UInt32? {
        guard let value = values[name], (1...4).contains(value.count) else { return nil }
        var number: UInt32 = 0
        for index in value.all { number = number << 8 | UInt32(value[index] ?? 0) }
        return number
    }

    /// Further attributes, which are the same here.
    private func others(isInternet: Bool) -> AttributeList {
        var others = AttributeList()
        let texts: [(String, Attribute)] =
            [("desc", .itemDescription)]
            + (isInternet ? [("sdmn", .securityDomain), ("atyp", .authenticationType)] : [])
        for (name, attribute) in texts {
            if let text = text(name), !text.isEmpty { others[attribute] = .string(text) }
        }
        for (name, attribute) in [("\"crtr\"", Attribute.creator), ("\"type\"", .type)] {
            if let number = number(name), number != 0 { others[attribute] = .number(Int64(number)) }
        }
        if !isInternet, let bytes = values["\"gena\""], bytes.count > 0 {
            others[.generic] = .data(unsafe bytes.bytes.withUnsafeBytes { unsafe Array($0) })
        }
        return others
    }
}

/// A secure note, which a Mac keeps as a property list: its text, and the same as rich text.
internal struct MacNote {
    internal let text: ImportedBytes
    /// The same with its fonts and pictures, as a Mac archives it.
    internal private(set) var rich: ImportedBytes?

    /// nil for anything else, a list that is damaged and a note without text: such a secret is kept as it is.
    internal init?(_ secret: ImportedBytes) {
        guard secret.has("<?xml", at: 0), let start = (0..<1024).first(where: { secret.has("<plist", at: $0) }) else {
            return nil
        }
        var reader = XMLReader(secret)
        // Past the document type.
        reader.jump(to: start)
        var (open, content, key): ([String], XMLText, String?) = ([], XMLText(), nil)
        var note: ImportedBytes?
        reading: while true {
            switch reader.next() {
            case .open(let name, _, let isEmpty):
                content = XMLText()
                if isEmpty { continue }
                guard open.count < ImportLimits.deepestElement else { return nil }
                open.append(name)
            case .text(let range, let isVerbatim): content.append(range, isVerbatim: isVerbatim)
            case .close(let name):
                guard open.popLast() == name else { return nil }
                if open == ["plist", "dict"] {
                    switch (name, key) {
                    case ("key", _): key = content.decoded(secret)?.text
                    case ("string", "NOTE"?): note = content.decoded(secret)
                    case ("data", "RTFD"?):
                        guard let data = content.decoded(secret)?.decodingBase64OfLines() else { return nil }
                        rich = data
                    default: break
                    }
                }
                content = XMLText()
            case .damaged: return nil
            case .end: break reading
            }
        }
        guard open.isEmpty, let note, note.count > 0 else { return nil }
        text = note
    }
}

/// A value as `security` prints one: `<NULL>`, `"text"`, `0xHEX`, or `0xHEX  "text"` with octal escapes.
internal enum MacValue {
    /// The decoded bytes; nil if it is damaged, and empty for `<NULL>` or nothing.
    internal static func bytes(_ source: ImportedBytes, _ range: Range<Int>) -> ImportedBytes? {
        let range = source.trimmed(range)
        if range.isEmpty || range.count == 6 && source.has("<NULL>", at: range.lowerBound) { return ImportedBytes("") }
        if source.has("0x", at: range.lowerBound) {
            let start = range.lowerBound + 2
            let end =
                (start..<max(start, range.upperBound)).first { ASCII.hexDigit(source[$0]) == nil } ?? range.upperBound
            // The text after the digits is a less exact form of the same.
            guard end >= start, end == range.upperBound || ASCII.isBlank(source[end]) else { return nil }
            return source.decodingHexadecimal(start..<end)
        }
        guard range.count >= 2, source[range.lowerBound] == ASCII.quote, source[range.upperBound - 1] == ASCII.quote
        else { return nil }
        return unescaped(source, range.lowerBound + 1..<range.upperBound - 1)
    }

    // Quotes inside are not escaped: only the first and the last are delimiters.
    private static func unescaped(_ source: ImportedBytes, _ range: Range<Int>) -> ImportedBytes? {
        ImportedBytes(capacity: range.count) { output in
            var index = range.lowerBound
            while index < range.upperBound, let byte = source[index] {
                if byte == ASCII.backslash, index + 3 < range.upperBound, let value = octal(source, index + 1) {
                    output.append(value)
                    index += 4
                } else {
                    output.append(byte)
                    index += 1
                }
            }
            return true
        }
    }

    private static func octal(_ source: ImportedBytes, _ start: Int) -> UInt8? {
        var value = 0
        for index in start..<start + 3 {
            guard let digit = ASCII.digit(source[index]), digit < 8 else { return nil }
            value = value * 8 + digit
        }
        return UInt8(exactly: value)
    }
}
