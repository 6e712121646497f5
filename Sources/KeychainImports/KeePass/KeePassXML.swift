// SPDX-License-Identifier: Apache-2.0

/// The XML that KeePass 2 and KeePassXC export: groups in groups, with entries of named texts.
///
/// An entry that is damaged is left out, and reading goes on at the next one.
internal struct KeePassXML {
    private var reader: XMLReader
    private let file: String
    /// The names of the elements that are open.
    private var stack: [String] = []
    /// What is known of each group that is open.
    private var groups: [Group] = []
    private var entry: KeePassEntry?
    private var entries = 0
    private var key: String?
    private var value: Value?
    private var text = XMLText()
    private var recycleBin: String?
    /// Where reading can go on, once something was damaged.
    private var beginnings: XMLBeginnings?

    private struct Group {
        var name = ""
        var identifier = ""
        /// How many elements were open around it.
        let depth: Int
    }

    private struct Value {
        let content: ImportedBytes
        let isProtected: Bool
        let isEncrypted: Bool
    }

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        (0..<min(bytes.count, 1024)).contains { bytes.has("<KeePassFile", at: $0) }
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        guard isOne(bytes) else { throw .notThisFormat }
        var export = KeePassXML(reader: XMLReader(bytes), file: file)
        try export.read(into: &report)
    }

    private init(reader: XMLReader, file: String) {
        self.reader = reader
        self.file = file
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        var attributes = 0..<0
        while true {
            let start = reader.position
            var isRead = true
            switch reader.next() {
            case .end:
                if entry != nil { try lose(at: start, &report) }
                return
            case .damaged: isRead = false
            case .text(let range, let isVerbatim): text.append(range, isVerbatim: isVerbatim)
            case .open(let name, let between, let isEmpty):
                guard stack.count < ImportLimits.deepest else { throw .tooLarge }
                // The end of an entry is missing: this is the next one.
                if name == "Entry" || name == "Group", isInside("Entry"), !isInside("History") {
                    try drop(&report)
                }
                open(name)
                attributes = between
                text = XMLText()
                if isEmpty { isRead = try close(name, attributes, &report) }
            case .close(let name):
                isRead = try close(name, attributes, &report)
                text = XMLText()
            }
            if !isRead { try lose(at: start, &report) }
        }
    }

    private mutating func open(_ name: String) {
        if name == "Group" { groups.append(Group(depth: stack.count)) }
        // Those inside an entry are what it was before.
        if name == "Entry", !isInside("Entry"), !isInside("History") {
            entries += 1
            entry = KeePassEntry(source: SourceLocation(file, item: entries))
        }
        if name == "String", isOfEntry {
            key = nil
            value = nil
        }
        stack.append(name)
    }

    /// Whether what is open belongs to an entry itself, and not to its history.
    private var isOfEntry: Bool { entry != nil && stack.last == "Entry" && !isInside("History") && entryDepth == 1 }

    private var entryDepth: Int { stack.reduce(0) { $0 + ($1 == "Entry" ? 1 : 0) } }

    private func isInside(_ name: String) -> Bool { stack.contains(name) }

    /// Ends an element; false when it is not the one that is open, or its text is damaged.
    private mutating func close(
        _ name: String, _ attributes: Range<Int>, _ report: inout ImportReport
    ) throws(ImportError) -> Bool {
        guard let last = stack.last else { return true }
        guard last == name else { return false }
        stack.removeLast()
        switch (name, stack.last) {
        case ("RecycleBinUUID", "Meta"): recycleBin = text.decoded(reader.bytes)?.text
        case ("Name", "Group"): setGroup(\.name)
        case ("UUID", "Group"): setGroup(\.identifier)
        case ("Group", _): if !groups.isEmpty { groups.removeLast() }
        case ("Key", "String"): key = text.decoded(reader.bytes)?.text
        case ("Value", "String"):
            guard let content = text.decoded(reader.bytes) else { return false }
            value = Value(
                content: content, isProtected: says("ProtectInMemory", attributes),
                isEncrypted: says("Protected", attributes))
        case ("String", "Entry"):
            if isOfEntry { return takeString() }
        case ("Entry", _):
            if entry != nil, entryDepth == 0 { try finish(&report) }
        default: break
        }
        return true
    }

    private mutating func setGroup(_ part: WritableKeyPath<Group, String>) {
        guard !groups.isEmpty, let value = text.decoded(reader.bytes)?.text else { return }
        groups[groups.count - 1][keyPath: part] = value
    }

    /// Whether an attribute of that name is true.
    private func says(_ name: String, _ attributes: Range<Int>) -> Bool {
        guard let text = reader.bytes.text(attributes) else { return false }
        return text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }).contains {
            $0.lowercased() == name.lowercased() + "=\"true\"" || $0.lowercased() == name.lowercased() + "='true'"
        }
    }
}

extension KeePassXML {
    /// Takes one text of the entry; false when it is damaged.
    private mutating func takeString() -> Bool {
        guard let key, let value else { return false }
        if value.isEncrypted {
            // The stream of a database's own file, in the place of an export.
            entry?.isEncrypted = true
            return true
        }
        if key == "Password" {
            entry?.password = value.content
            return true
        }
        if value.content.count == 0 { return true }
        if key == "URL", !value.isProtected {
            entry?.url = value.content
        } else if value.isProtected || key == "otp" || key.utf8.starts(with: "TOTP".utf8)
            || key.utf8.starts(with: "TimeOtp".utf8)
        {
            entry?.furtherSecrets.append(FurtherSecret(key, value.content))
        } else {
            guard let text = value.content.text else { return false }
            switch key {
            case "Title": entry?.title = text
            case "UserName": entry?.user = text
            case "Notes": entry?.notes = text
            default: entry?.attributes.append(ImportedAttribute(key, text))
            }
        }
        return true
    }

    private mutating func finish(_ report: inout ImportReport) throws(ImportError) {
        guard var entry else { return }
        self.entry = nil
        entry.group = groups.map(\.name).joined(separator: "/")
        if let recycleBin, groups.contains(where: { $0.identifier == recycleBin }) {
            return try report.skip(entry.source, entry.title, .discarded)
        }
        guard !entry.isEncrypted else { return try report.skip(entry.source, entry.title, .encrypted) }
        guard let password = entry.password else { return try report.skip(entry.source, entry.title, .noSecret) }
        try report.add(entry.item(password: password))
    }

    /// Leaves the entry out, and goes on where the next one, or a group, begins or ends.
    private mutating func lose(at start: Int, _ report: inout ImportReport) throws(ImportError) {
        try drop(&report)
        if beginnings == nil { beginnings = XMLBeginnings(reader.bytes) }
        reader.jump(to: beginnings?.first(after: start) ?? reader.bytes.count)
    }

    /// Leaves the entry out, and is in its group again.
    private mutating func drop(_ report: inout ImportReport) throws(ImportError) {
        try report.skip(
            entry?.source ?? SourceLocation(file, item: entries > 0 ? entries : nil), entry?.title ?? "", .damaged)
        entry = nil
        text = XMLText()
        let depth = min(groups.last.map { $0.depth + 1 } ?? 0, stack.firstIndex(of: "Entry") ?? stack.count)
        if stack.count > depth { stack.removeLast(stack.count - depth) }
        groups.removeAll { $0.depth >= stack.count }
    }
}
