// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

/// The XML export of KeePass 2 and KeePassXC: nested groups with entries of named texts.
///
/// A damaged entry is left out, and reading continues at the next one.
internal struct KeePassXML {
    private var reader: XMLReader
    private let file: String
    /// The open elements.
    private var stack = Elements()
    /// The open groups.
    private var groups = KeePassGroups()
    private var entry: StoreEntry?
    /// The number of entries so far; complete ones are kept until their references can be resolved.
    private var entries = 0
    private var whole: [StoreEntry] = []
    private var key: String?
    private var value: Value?
    private var text = XMLText()
    private var recycleBin: String?
    private var attachments = KeePassAttachments()
    /// The names of the entry's attachments of which only a number is here.
    private var awaited: [String] = []
    /// How many entries have each part that is not imported.
    private var left: [SourcePart: Int] = [:]
    private var expiry: String?
    private var expires = false
    /// What is sealed in the XML of a database; nil for an export.
    private var secrets: KeePassSecrets?
    /// The places where reading can continue after damage.
    private var beginnings: XMLBeginnings?

    /// The names of the nested open elements, with counts that are needed often.
    private struct Elements {
        private(set) var names: [String] = []
        private(set) var entries = 0
        private(set) var histories = 0

        var count: Int { names.count }
        var last: String? { names.last }

        mutating func append(_ name: String) {
            names.append(name)
            note(name, 1)
        }

        mutating func removeLast() {
            if let name = names.popLast() { note(name, -1) }
        }

        private mutating func note(_ name: String, _ step: Int) {
            switch name {
            case "Entry": entries += step
            case "History": histories += step
            default: break
            }
        }
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
        _ bytes: ImportedBytes, _ file: String, _ options: ImportOptions, _ secrets: KeePassSecrets? = nil,
        attachments: [KeePassAttachments.EntryFile: ImportedBytes]? = nil, into report: inout ImportReport
    ) throws(ImportError) {
        var export = try KeePassXML(bytes, file, secrets)
        export.attachments.elsewhere = attachments ?? (KeePassAttachments.areMissing(in: bytes) ? [:] : nil)
        try export.read(into: &report)
        try StoreEntry.finish(export.whole, options, into: &report)
        for part in [SourcePart.pluginData, .autoType, .appearance] {
            try report.leave(SourceLocation(file), "", part, count: export.left[part] ?? 0)
        }
    }

    /// The attachments alone.
    internal static func attachments(
        in bytes: ImportedBytes, _ secrets: KeePassSecrets? = nil
    ) throws(ImportError) -> [KeePassAttachments.EntryFile: ImportedBytes] {
        var export = try KeePassXML(bytes, "", secrets)
        var report = ImportReport(.keepassXML)
        try export.read(into: &report)
        var found: [KeePassAttachments.EntryFile: ImportedBytes] = [:]
        for entry in export.whole {
            for further in entry.furtherSecrets where further.part == .attachment {
                found[KeePassAttachments.EntryFile(entry: entry.identifier, name: further.name)] = further.value
            }
        }
        return found
    }

    private init(_ bytes: ImportedBytes, _ file: String, _ secrets: KeePassSecrets?) throws(ImportError) {
        guard KeePassXML.isOne(bytes) else { throw .notThisFormat }
        (reader, self.file, self.secrets) = (XMLReader(bytes), file, secrets)
        try self.secrets?.prepare(count: bytes.count)
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        var attributes = 0..<0
        while true {
            let start = reader.position
            var isRead = true
            switch reader.next() {
            case .end:
                if entry != nil {
                    try lose(at: start, &report)
                } else if stack.count > 0 {
                    try report.skip(SourceLocation(file), "", .brokenOff)
                }
                return
            case .damaged: isRead = false
            case .text(let range, let isVerbatim): text.append(range, isVerbatim: isVerbatim)
            case .open(let name, let between, let isEmpty):
                guard stack.count < ImportLimits.deepestElement else { throw .tooDeep }
                let isOfTree = name == "Entry" || name == "Group"
                if isInText, !isOfTree {
                    // No part of the text can be trusted.
                    isRead = false
                    break
                }
                // The end tag of an entry, or of a name, is missing: this is the next one.
                if isOfTree, isInText || stack.entries > 0, stack.histories == 0 { try drop(&report) }
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
        if name == "Group" { groups.begin(depth: stack.count) }
        // Entries inside an entry are its earlier versions.
        if name == "Entry", stack.entries == 0, stack.histories == 0 {
            entries += 1
            entry = StoreEntry(source: SourceLocation(file, item: entries))
        }
        if name == "String" || name == "Binary", isOfEntry {
            key = nil
            value = nil
        }
        stack.append(name)
    }

    /// Whether the innermost open element is the entry itself.
    private var isOfEntry: Bool { isInEntry && stack.last == "Entry" }

    /// Whether the innermost open element belongs to the entry itself, and not to its history.
    private var isInEntry: Bool { entry != nil && stack.entries == 1 && stack.histories == 0 }

    /// Whether the innermost open element has text and cannot contain elements.
    private var isInText: Bool {
        guard stack.histories == 0 else { return false }
        switch stack.last {
        case "Key", "Value", "Name", "UUID", "Notes", "Tags", "OverrideURL", "ExpiryTime", "Expires", "RecycleBinUUID":
            return true
        case "Binary": return stack.names.dropLast().last == "Binaries"
        default: return false
        }
    }

    /// Ends an element; false if it is not the innermost open one, or its text is damaged.
    private mutating func close(
        _ name: String, _ attributes: Range<Int>, _ report: inout ImportReport
    ) throws(ImportError) -> Bool {
        guard let last = stack.last else { return true }
        guard last == name else { return false }
        stack.removeLast()
        switch (name, stack.last) {
        case ("RecycleBinUUID", "Meta"): recycleBin = text.decoded(reader.bytes)?.text
        case ("Binary", "Binaries"):
            attachments.define(attribute("ID", attributes) ?? "", attachment(attributes))
        case ("Name", "Group"): if let name = text.decoded(reader.bytes)?.text { groups.set(name: name) }
        case ("UUID", "Group"): if let id = text.decoded(reader.bytes)?.text { groups.set(identifier: id) }
        case ("Notes", "Group"):
            guard let notes = text.decoded(reader.bytes) else { return false }
            if notes.count > 0 {
                try report.leave(SourceLocation(file), groups.name, .groupNotes, count: 1)
            }
        case ("Group", _): groups.end()
        case ("Key", "String"), ("Key", "Binary"):
            guard key == nil || !isInEntry else { return false }
            key = text.decoded(reader.bytes)?.text
        case ("Value", "String"):
            // Of two values the right one is not known.
            guard value == nil || !isInEntry else { return false }
            guard var content = text.decoded(reader.bytes) else { return false }
            let isSealed = says("Protected", attributes)
            if isSealed, secrets != nil {
                // Those of earlier versions, too: one stream goes through all.
                guard let plain = secrets?.next(content) else { return false }
                content = plain
            }
            value = Value(
                content: content, isProtected: isSealed || says("ProtectInMemory", attributes),
                isEncrypted: isSealed && secrets == nil)
        case ("String", "Entry"):
            if isOfEntry { return takeString() }
        case ("Value", "Binary"):
            if stack.entries > 0, stack.histories == 0 { return takeAttachment(attributes) }
        case ("Entry", "History"):
            if stack.entries == 1 { entry?.versions += 1 }
        case ("Entry", _):
            if entry != nil, stack.entries == 0 { try finish() }
        case (_, "Entry"), (_, "Times"), (_, "AutoType"), (_, "CustomData"):
            if isInEntry { return takeDetail(name) }
        default: break
        }
        return true
    }

    /// Reads the other elements of an entry; false if it is damaged.
    private mutating func takeDetail(_ name: String) -> Bool {
        guard let content = text.decoded(reader.bytes), let detail = content.text else { return false }
        switch (name, stack.last) {
        case ("UUID", "Entry"):
            entry?.identifier = content.decodingBase64(content.trimmed(content.all)).map(KeePassXML.digits) ?? ""
        case ("Tags", "Entry") where !detail.isEmpty: entry?.tags += KeePassXML.tags(detail)
        case ("OverrideURL", "Entry") where !detail.isEmpty:
            entry?.attributes.append(ImportedAttribute("override-url", detail))
        case ("ExpiryTime", "Times"): expiry = KeePassXML.time(content)
        case ("Expires", "Times"): expires = detail.lowercased() == "true"
        case ("Times", "Entry"):
            if expires { entry?.expiry = expiry ?? "" }
            (expiry, expires) = (nil, false)
        case ("ForegroundColor", "Entry") where !detail.isEmpty, ("BackgroundColor", "Entry") where !detail.isEmpty,
            ("CustomIconUUID", "Entry") where !detail.isEmpty:
            entry?.left.insert(.appearance)
        case ("DefaultSequence", "AutoType") where !detail.isEmpty, ("Association", "AutoType"):
            entry?.left.insert(.autoType)
        case ("Item", "CustomData"): entry?.left.insert(.pluginData)
        default: break
        }
        return true
    }

    /// KeePass separates them by semicolons, other programs by commas.
    private static func tags(_ text: String) -> [String] {
        text.split { $0 == ";" || $0 == "," }.map { $0.trimming }.filter { !$0.isEmpty }
    }

    /// A date: text (2026-11-22T13:00:00Z), or the seconds since the year 1 as base64; nil if it is malformed.
    private static func time(_ bytes: ImportedBytes) -> String? {
        guard let text = bytes.text else { return nil }
        if text.utf8.contains(ASCII.colon) { return text }
        guard let raw = bytes.decodingBase64(bytes.trimmed(bytes.all)), raw.count == 8 else { return nil }
        var seconds: UInt64 = 0
        for index in 0..<8 { seconds |= UInt64(raw[index] ?? 0) << UInt64(index * 8) }
        // Until the year 9999.
        guard seconds < 315_537_897_600 else { return nil }
        return UTCTime(secondsSince1970: Int64(seconds) - 62_135_596_800).text
    }

    private static func digits(_ bytes: ImportedBytes) -> String {
        Hexadecimal.digits(of: bytes.all.compactMap { bytes[$0] }, uppercase: true)
    }

    /// Whether an attribute of that name is true.
    private func says(_ name: String, _ attributes: Range<Int>) -> Bool {
        attribute(name, attributes)?.lowercased() == "true"
    }

    /// The quoted value of an attribute, not decoded.
    private func attribute(_ name: String, _ attributes: Range<Int>) -> String? {
        guard let text = reader.bytes.text(attributes) else { return nil }
        for mark in ["\"", "'"] {
            let parts = text.split(separator: mark, omittingEmptySubsequences: false)
            for index in stride(from: 0, to: parts.count - 1, by: 2) {
                let before = parts[index].split(whereSeparator: { " \t\r\n=".contains($0) })
                if before.last?.lowercased() == name.lowercased() { return String(parts[index + 1]) }
            }
        }
        return nil
    }
}

extension KeePassXML {
    /// Reads one text of the entry; false if it is damaged.
    private mutating func takeString() -> Bool {
        guard let key, let value else { return false }
        if value.isEncrypted {
            // Encrypted with a database's inner stream, so this is not an export.
            entry?.isEncrypted = true
            return true
        }
        if key == "Password", (entry?.password?.count ?? 0) == 0 {
            entry?.password = value.content
            return true
        }
        if value.content.count == 0 { return true }
        let text = value.content.text
        switch key {
        case "Title" where entry?.title == "":
            guard let text else { return false }
            entry?.title = text
        case "UserName" where entry?.user == "":
            guard let text else { return false }
            entry?.user = text
        // A second password is a secret too, even if it is not marked as protected.
        case "Password": entry?.furtherSecrets.append(FurtherSecret(key, value.content))
        case "URL" where entry?.url == nil && !value.isProtected: entry?.url = value.content
        case "URL" where !value.isProtected: entry?.addFurther(url: value.content, named: key)
        case "Notes" where entry?.notes == "" && !value.isProtected && text != nil: entry?.notes = text ?? ""
        case "Notes": entry?.furtherSecrets.append(FurtherSecret("notes", value.content, .notes))
        case _ where KeePassXML.isOneTimeCode(key):
            entry?.furtherSecrets.append(FurtherSecret(key, value.content, .oneTimeCode))
        // Such as codes for the day when the seed is lost.
        case _ where KeePassXML.isAboutOneTimeCodes(key):
            entry?.furtherSecrets.append(FurtherSecret(key, value.content))
        default:
            // A value that is not text, or too long for a name, is kept as bytes.
            if let text, !value.isProtected {
                entry?.attributes.append(ImportedAttribute(key, text))
            } else {
                entry?.furtherSecrets.append(FurtherSecret(key, value.content))
            }
        }
        return true
    }

    private static func isOneTimeCode(_ key: String) -> Bool {
        ["TOTP", "TOTP Seed", "TOTP Settings"].contains(key) || key.lowercased() == "otp"
            || ["TimeOtp-", "HmacOtp-"].contains { key.utf8.starts(with: $0.utf8) }
    }

    private static func isAboutOneTimeCodes(_ key: String) -> Bool {
        ["TOTP", "TimeOtp", "HmacOtp"].contains { key.utf8.starts(with: $0.utf8) }
    }

    private mutating func attachment(_ attributes: Range<Int>) -> KeePassAttachments.Written {
        let isSealed = says("Protected", attributes)
        let isCompressed = says("Compressed", attributes)
        guard isSealed, secrets != nil else {
            return .init(text: text, isCompressed: isCompressed, isEncrypted: isSealed)
        }
        let content = text.decoded(reader.bytes).flatMap { secrets?.next($0) }
        return .init(text: text, isCompressed: isCompressed, isEncrypted: content == nil, content: content)
    }

    /// Reads an attachment of the entry, inline or by its number; false if it has no name.
    private mutating func takeAttachment(_ attributes: Range<Int>) -> Bool {
        guard entry != nil else { return true }
        guard let key else { return false }
        guard let number = attribute("Ref", attributes) else {
            take(attachments.take(attachment(attributes), reader.bytes), key)
            return true
        }
        if let outcome = attachments.take(number, secrets, reader.bytes) {
            take(outcome, key)
        } else {
            // Its entry's identifier may come later.
            awaited.append(key)
        }
        return true
    }

    private mutating func take(_ attachment: KeePassAttachments.Outcome, _ name: String) {
        switch attachment {
        case .content(let content): entry?.furtherSecrets.append(FurtherSecret(name, content, .attachment))
        case .lost(let reason): entry?.lostParts.append((name, reason))
        }
    }

    private mutating func finish() throws(ImportError) {
        for name in awaited {
            take(attachments.take(elsewhere: .init(entry: entry?.identifier ?? "", name: name)), name)
        }
        awaited = []
        guard var entry else { return }
        // Each becomes an item or a finding.
        guard whole.count < 2 * ImportLimits.mostItems else { throw .tooLarge }
        self.entry = nil
        let (path, isCut) = groups.path()
        entry.group = path
        if isCut { entry.repairs.append(.pathCut) }
        if let recycleBin { entry.isDiscarded = groups.contains(identifier: recycleBin) }
        for part in entry.left { left[part, default: 0] += 1 }
        whole.append(entry)
    }

    /// Leaves the entry out, and continues where the next entry or group begins or ends.
    private mutating func lose(at start: Int, _ report: inout ImportReport) throws(ImportError) {
        try drop(&report)
        if beginnings == nil { beginnings = XMLBeginnings(reader.bytes) }
        reader.jump(to: beginnings?.first(after: start) ?? reader.bytes.count)
    }

    /// Leaves the entry out, and returns to its group.
    private mutating func drop(_ report: inout ImportReport) throws(ImportError) {
        try report.skip(
            entry?.source ?? SourceLocation(file, item: entries > 0 ? entries : nil), entry?.title ?? "", .damaged)
        entry = nil
        awaited = []
        text = XMLText()
        secrets?.breakOff()
        let depth = min(groups.depth.map { $0 + 1 } ?? 0, stack.names.firstIndex(of: "Entry") ?? stack.count)
        while stack.count > depth { stack.removeLast() }
        groups.end(from: stack.count)
    }
}
