// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An entry of another password manager, before references are resolved and its place is known.
internal struct StoreEntry {
    internal var title = ""
    internal var user = ""
    internal var url: ImportedBytes?
    internal var notes = ""
    /// The path of its groups, from the outermost on; all entries of a group share the text.
    internal var group = ""
    /// 32 upper-case hexadecimal digits, or empty.
    internal var identifier = ""
    internal var password: ImportedBytes?
    internal var tags: [String] = []
    /// As text: 2026-12-31T00:00:00Z.
    internal var expiry: String?
    /// What kind of thing it is, where it is no login.
    internal var kind: String?
    internal var attributes: [ImportedAttribute] = []
    internal var furtherSecrets: [FurtherSecret] = []
    /// The number of its earlier versions.
    internal var versions = 0
    /// Whether something in it is still encrypted.
    internal var isEncrypted = false
    internal var isDiscarded = false
    /// Parts that are not imported; not secret.
    internal var left: Set<SourcePart> = []
    /// Parts that cannot be imported, with names and reasons.
    internal var lostParts: [(name: String, reason: SkipReason)] = []
    internal var repairs: [ImportRepair] = []
    internal let source: SourceLocation

    internal init(source: SourceLocation) { self.source = source }

    /// Adds a further URL: as a secret if it has a password in it, or is not text.
    internal mutating func addFurther(url: ImportedBytes, named name: String) {
        if let text = url.text, ImportedURL(url, url.all)?.password == nil {
            attributes.append(ImportedAttribute(name, text))
        } else {
            furtherSecrets.append(FurtherSecret(name, url))
        }
    }

    /// Adds each entry to the report: as an item, or as a finding with the reason.
    ///
    /// References are resolved first, among all of them.
    internal static func finish(
        _ entries: [StoreEntry], _ options: ImportOptions, into report: inout ImportReport
    ) throws(ImportError) {
        var references = KeePassReferences(entries)
        for (index, entry) in entries.enumerated() {
            let reason: SkipReason? =
                entry.isDiscarded && !options.withRecycleBin ? .discarded : entry.isEncrypted ? .encrypted : nil
            if let reason {
                try entry.skip(reason, &report)
            } else if let resolved = references.resolving(index) {
                try resolved.add(to: &report)
            } else {
                try entry.skip(.reference, &report)
            }
        }
    }

    /// Leaves it out with all its parts, and reports each part.
    internal func skip(_ reason: SkipReason, _ report: inout ImportReport) throws(ImportError) {
        try report.skip(source, title, reason)
        for further in furtherSecrets { try report.skip(source, "\(title) (\(further.name))", reason) }
        for part in lostParts { try report.skip(source, "\(title) (\(part.name))", reason) }
        try report.leave(source, title, .earlierVersions, count: versions)
    }

    /// `earlier` is how an earlier version read it.
    internal func add(to report: inout ImportReport, earlier: StoreEntry? = nil) throws(ImportError) {
        var item = item(password: password ?? ImportedBytes(""))
        if let earlier { item.otherReading = [earlier.item(password: earlier.password ?? ImportedBytes(""))] }
        try report.add(item)
        for part in lostParts { try report.skip(source, "\(title) (\(part.name))", part.reason) }
        try report.leave(source, title, .earlierVersions, count: versions)
    }

    private func item(password: ImportedBytes) -> ImportedItem {
        var attributes = attributes
        var further = furtherSecrets
        var repairs = repairs
        var place: InternetPlace?
        var address = ""
        if let url, url.count > 0 {
            let parts = ImportedURL(url, url.all)
            place = parts?.place
            if parts?.password != nil {
                further.append(FurtherSecret("url", url))
            } else if let text = url.text {
                attributes.append(ImportedAttribute("url", text))
                address = text
            } else {
                repairs.append(.attributesLost)
            }
        }
        var tags = tags
        if !group.isEmpty { tags.insert(group, at: 0) }
        further = OneTimeFields.joined(further, &attributes)
        // The seed of one-time codes, whatever its field is called, and although it was shown.
        for seed in attributes where StoreEntry.isSeed(seed.value) {
            further.append(FurtherSecret(seed.name, ImportedBytes(seed.value), .oneTimeCode))
        }
        attributes.removeAll { StoreEntry.isSeed($0.value) }
        let service = title.isEmpty ? address : title
        var item = ImportedItem(
            place.map { .internet($0) } ?? .generic(service: service), account: user,
            label: title.isEmpty ? place?.server ?? address : title, comment: notes, secret: password,
            attributes: attributes, furtherSecrets: further, source: source, repairs: repairs)
        item.tags = tags
        item.expiry = expiry
        if let kind { item.native[.itemDescription] = .string(kind) }
        return item
    }

    private static func isSeed(_ text: String) -> Bool { text.prefix(10).lowercased() == "otpauth://" }
}

/// References of KeePass from one entry to another, such as `{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}`: the first letter names
/// the text to insert, the second the text by which the other entry is searched.
///
/// A reference to no entry, in a circle, or to entries with different texts is not resolved.
internal struct KeePassReferences {
    private let entries: [StoreEntry]
    private var resolved: [Place: ImportedBytes] = [:]
    private var inProgress: Set<Place> = []
    /// The indices of entries by each of their texts, in lower case; built on first use.
    private var indexes: [Field: [String: [Int]]] = [:]
    /// The remaining budgets: bytes to look at, with some for every entry that is come to, and bytes to write.
    private var visits = 256 << 20
    private var room = ImportLimits.largestSum / 2

    private enum Field: UInt8 {
        case title = 0x54
        case user = 0x55
        case password = 0x50
        case address = 0x41
        case notes = 0x4E
        case identifier = 0x49
        case other = 0x4F
    }

    private struct Place: Hashable {
        let entry: Int
        let field: Field
    }

    internal init(_ entries: [StoreEntry]) { self.entries = entries }

    /// An entry with its references resolved; nil if one in a secret cannot be resolved.
    internal mutating func resolving(_ index: Int) -> StoreEntry? {
        var entry = entries[index]
        var isKept = false
        func isOne(_ bytes: ImportedBytes) -> Bool { KeePassReferences.next(in: bytes, from: 0) != nil }
        if let password = entry.password, isOne(password) {
            guard let value = text(of: Place(entry: index, field: .password)) else { return nil }
            entry.password = value
        }
        for (number, further) in entry.furtherSecrets.enumerated()
        where further.part != .attachment && isOne(further.value) {
            guard let value = resolve(further.value, for: index) else { return nil }
            entry.furtherSecrets[number] = FurtherSecret(further.name, value, further.part)
        }
        if let url = entry.url, isOne(url) {
            if let value = resolve(url, for: index) { entry.url = value } else { isKept = true }
        }
        func plain(_ text: String, _ references: inout KeePassReferences) -> String {
            guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
            let bytes = ImportedBytes(text)
            guard isOne(bytes) else { return text }
            if let value = references.resolve(bytes, for: index)?.text { return value }
            isKept = true
            return text
        }
        entry.title = plain(entry.title, &self)
        entry.user = plain(entry.user, &self)
        entry.notes = plain(entry.notes, &self)
        entry.attributes = entry.attributes.map { ImportedAttribute($0.name, plain($0.value, &self)) }
        if isKept { entry.repairs.append(.referenceKept) }
        return entry
    }

    /// A text of an entry, with its references resolved.
    private mutating func text(of place: Place) -> ImportedBytes? {
        if let known = resolved[place] { return known }
        guard inProgress.count < 16, inProgress.insert(place).inserted else { return nil }
        defer { inProgress.remove(place) }
        // What cannot be resolved is read anew for every reference to it.
        guard let raw = raw(place), spend(raw.count), let value = resolve(raw, for: place.entry) else { return nil }
        resolved[place] = value
        return value
    }

    private func raw(_ place: Place) -> ImportedBytes? {
        let entry = entries[place.entry]
        switch place.field {
        case .title: return ImportedBytes(entry.title)
        case .user: return ImportedBytes(entry.user)
        case .password: return entry.isEncrypted ? nil : entry.password ?? ImportedBytes("")
        case .address: return entry.url ?? ImportedBytes("")
        case .notes: return ImportedBytes(entry.notes)
        case .identifier: return entry.identifier.isEmpty ? nil : ImportedBytes(entry.identifier)
        case .other: return nil
        }
    }

    /// The bytes with every reference resolved; nil if one cannot be.
    private mutating func resolve(_ bytes: ImportedBytes, for entry: Int) -> ImportedBytes? {
        var parts: [ImportedBytes] = []
        var start = 0
        while let begin = KeePassReferences.next(in: bytes, from: start) {
            guard let end = bytes.index(of: UInt8(ascii: "}"), in: begin..<bytes.count),
                let value = target(bytes, begin + 5..<end, for: entry)
            else { return nil }
            parts += [bytes.part(start..<begin), value]
            start = end + 1
        }
        if parts.isEmpty { return bytes }
        parts.append(bytes.part(start..<bytes.count))
        let count = parts.reduce(0) { $0 + $1.count }
        room -= count
        guard count <= ImportLimits.longestText, room >= 0 else { return nil }
        return ImportedBytes(capacity: count) { output in
            for part in parts { output.append(part, part.all) }
            return true
        }
    }

    /// The start of the next reference.
    private static func next(in bytes: ImportedBytes, from start: Int) -> Int? {
        var start = start
        while let brace = bytes.index(of: UInt8(ascii: "{"), in: start..<bytes.count) {
            if bytes.text(brace..<min(brace + 5, bytes.count))?.uppercased() == "{REF:" { return brace }
            start = brace + 1
        }
        return nil
    }

    /// Resolves a reference: `P@I:…`.
    private mutating func target(_ bytes: ImportedBytes, _ range: Range<Int>, for entry: Int) -> ImportedBytes? {
        guard range.count > 4, bytes[range.lowerBound + 1] == ASCII.at, bytes[range.lowerBound + 3] == ASCII.colon,
            let wanted = KeePassReferences.field(bytes[range.lowerBound]), wanted != .other,
            let key = KeePassReferences.field(bytes[range.lowerBound + 2]),
            let text = bytes.text(range.lowerBound + 4..<range.upperBound)
        else { return nil }
        var value: ImportedBytes?
        for other in candidates(key, text, but: entry) {
            guard let found = self.text(of: Place(entry: other, field: wanted)) else { return nil }
            if let value, !value.bytes.isEqualInConstantTime(to: found.bytes) { return nil }
            value = found
        }
        return value
    }

    private static func field(_ letter: UInt8?) -> Field? {
        letter.flatMap { Field(rawValue: $0 & ~0x20) }
    }

    /// The entries whose text equals it, or else contains it.
    private mutating func candidates(_ field: Field, _ text: String, but entry: Int) -> [Int] {
        if field == .identifier {
            let digits = text.lowercased().filter { $0 != "-" }
            let found = index(of: .identifier)[digits] ?? []
            // So many entries of one identifier are nobody's database.
            guard found.count <= KeePassReferences.mostCandidates, spend(found.count * KeePassReferences.entryCost)
            else {
                return []
            }
            return found
        }
        if field == .password { return passwords(ImportedBytes(text), but: entry) }
        let wanted = text.lowercased()
        // One more, in case that the entry itself is among them.
        let equal = (index(of: field)[wanted] ?? []).prefix(KeePassReferences.mostCandidates + 1)
        guard spend(equal.count * KeePassReferences.entryCost) else { return [] }
        let exact = equal.filter { $0 != entry }.prefix(KeePassReferences.mostCandidates)
        if !exact.isEmpty || wanted.isEmpty { return Array(exact) }
        let part = Array(wanted.utf8)
        return scan(but: entry) { other in
            let texts = KeePassReferences.texts(field, other)
            let isFound = texts.contains { KeePassReferences.contains(Array($0.lowercased().utf8), part) }
            return (isFound, texts.reduce(0) { $0 + $1.utf8.count })
        }
    }

    private mutating func passwords(_ wanted: ImportedBytes, but entry: Int) -> [Int] {
        scan(but: entry) { other in
            (other.password?.bytes.isEqualInConstantTime(to: wanted.bytes) ?? false, other.password?.count ?? 0)
        }
    }

    // Every entry is searched, so all searches share a budget.
    /// The entries that a linear search finds; empty once the budget is used up.
    ///
    /// The second number is the cost of a search.
    private mutating func scan(but entry: Int, _ look: (StoreEntry) -> (Bool, Int)) -> [Int] {
        var found: [Int] = []
        guard visits > 0 else { return [] }
        for other in entries.indices where other != entry && found.count < KeePassReferences.mostCandidates {
            let (isFound, cost) = look(entries[other])
            guard spend(cost + KeePassReferences.entryCost) else { return [] }
            if isFound { found.append(other) }
        }
        return found
    }

    /// False once the budget is used up.
    private mutating func spend(_ cost: Int) -> Bool {
        visits -= cost
        return visits > 0
    }

    private static let mostCandidates = 64
    private static let entryCost = 64

    private mutating func index(of field: Field) -> [String: [Int]] {
        if let known = indexes[field] { return known }
        var index: [String: [Int]] = [:]
        for entry in entries.indices {
            for text in KeePassReferences.texts(field, entries[entry]) {
                index[text.lowercased(), default: []].append(entry)
            }
        }
        indexes[field] = index
        return index
    }

    private static func texts(_ field: Field, _ entry: StoreEntry) -> [String] {
        switch field {
        case .title: return [entry.title]
        case .user: return [entry.user]
        case .address: return [entry.url?.text ?? ""]
        case .notes: return [entry.notes]
        case .identifier: return entry.identifier.isEmpty ? [] : [entry.identifier]
        case .other: return entry.attributes.map(\.value)
        case .password: return []
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
        }
    }
}
