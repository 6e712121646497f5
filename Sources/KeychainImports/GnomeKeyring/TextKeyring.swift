// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An unencrypted keyring file: groups of lines, with secrets as they are, including newlines.
///
/// gnome-keyring itself cannot read such a file any more once a secret has a newline. But it always writes the same lines after a
/// secret, by which the secret's end is found.
internal struct TextKeyring {
    internal let lines: SourceLines
    internal let file: String
    private var drafts: [KeyringItem] = []
    /// The index in `drafts` of the last item with a number.
    private var places: [Int: Int] = [:]
    /// The names of each draft's attributes so far, as bytes.
    private var names: [Int: Set<[UInt8]>] = [:]
    /// Drafts with an unknown line.
    private var strange: Set<Int> = []
    /// Lines outside of any group.
    private var lost: [Int] = []

    private init(_ bytes: ImportedBytes, _ file: String) throws(ImportError) {
        lines = try SourceLines(bytes)
        self.file = file
    }

    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        bytes.has("[keyring]\n", at: 0) || bytes.has("[keyring]\r\n", at: 0)
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        guard
            (0..<min(bytes.count, 4096)).contains(where: { bytes.has("[keyring]", at: $0) || bytes.has("\n[", at: $0) })
        else { throw .notThisFormat }
        var keyring = try TextKeyring(bytes, file)
        try keyring.readGroups()
        for line in keyring.lost { try report.skip(SourceLocation(file, line: line + 1), "", .damaged) }
        for (index, draft) in keyring.drafts.enumerated() {
            // An item without a secret line has an empty secret; but an unreadable line may have been the secret.
            if draft.secret == nil, keyring.strange.contains(index) {
                try report.skip(draft.source, draft.label, .damaged)
            } else {
                try report.add(draft.item(secret: draft.secret ?? ImportedBytes("")))
                try report.leave(draft.source, draft.label, .programLists, count: draft.hasPrograms ? 1 : 0)
            }
        }
    }

    private mutating func readGroups() throws(ImportError) {
        var index = 0
        var isKnown = true
        while index < lines.count {
            switch KeyFileGroup(lines, index) {
            case .item(let number): (index, isKnown) = (try readItem(number, from: index), true)
            case .part(let number, let isAttribute):
                if !isAttribute, let place = places[number] { drafts[place].hasPrograms = true }
                index = isAttribute ? readAttribute(of: number, from: index) : next(after: index)
                isKnown = true
            case .other: (index, isKnown) = (next(after: index), true)
            case nil:
                if !lines.isBlank(index), !lines.has("#", at: index), isKnown {
                    lost.append(index)
                    isKnown = false
                }
                index += 1
            }
        }
    }

    /// Marks an item whose secret may end elsewhere.
    private mutating func doubt(_ place: Int) {
        guard drafts[place].secret != nil, !drafts[place].repairs.contains(.endGuessed) else { return }
        drafts[place].repairs.append(.endGuessed)
    }

    /// The line of the next group, or the end.
    private func next(after index: Int) -> Int {
        var index = index + 1
        while index < lines.count, KeyFileGroup(lines, index) == nil { index += 1 }
        return index
    }

    private mutating func readItem(_ number: Int, from start: Int) throws(ImportError) -> Int {
        guard drafts.count < ImportLimits.mostItems else { throw .tooLarge }
        var item = KeyringItem(source: SourceLocation(file, line: start + 1, item: number))
        var isStrange = false
        var index = start + 1
        while index < lines.count, KeyFileGroup(lines, index) == nil {
            let line = KeyFileLine(lines, index)
            index += 1
            switch line?.key {
            case "secret" where item.secret == nil:
                guard let line else { continue }
                let extent = KeyringSecret(lines, at: index - 1, of: number)
                item.secret = lines.bytes.part(line.rawValue.lowerBound..<extent.end)
                item.repairs += extent.repairs
                if KeyringSecret.isAmbiguous(lines.bytes, line.rawValue.lowerBound..<extent.end) {
                    item.repairs.append(.ambiguousBackslash)
                }
                index = extent.next
            case "binary-secret" where item.secret == nil:
                item.secret = line.flatMap { lines.bytes.decodingHexadecimal($0.value) }
                if item.secret == nil { isStrange = true }
            case "display-name":
                if let text = line?.text { item.label = text } else { item.repairs.append(.attributesLost) }
            case "item-type": item.type = line.flatMap { lines.bytes.number($0.value) } ?? 0
            case "mtime": item.modified = line.flatMap { lines.bytes.number($0.value) }.map { UInt64($0) }
            case "ctime": item.created = line.flatMap { lines.bytes.number($0.value) }.map { UInt64($0) }
            default: if !lines.isBlank(index - 1), !lines.has("#", at: index - 1) { isStrange = true }
            }
        }
        // gnome-keyring never uses a number twice: one of the groups may be part of a secret.
        if let first = places[number] {
            doubt(first)
            item.repairs.append(.endGuessed)
        }
        if let last = drafts.indices.last, isStrange { doubt(last) }
        places[number] = drafts.count
        if isStrange { strange.insert(drafts.count) }
        drafts.append(item)
        return index
    }

    /// Reads an attribute, and returns the line after it.
    private mutating func readAttribute(of number: Int, from start: Int) -> Int {
        var name: String?
        var value: String?
        var index = start + 1
        // It ends at an empty line: lines after that have lost their group's first line.
        while index < lines.count, KeyFileGroup(lines, index) == nil, !lines.isBlank(index) {
            let line = KeyFileLine(lines, index)
            switch line?.key {
            case "name": name = line?.text
            case "value": value = line?.text
            default: break
            }
            index += 1
        }
        guard let place = places[number] else { return index }
        // gnome-keyring writes an attribute once: a second one may be part of the secret.
        if let name, names[place]?.contains(Array(name.utf8)) == true { doubt(place) }
        if let name, let value {
            names[place, default: []].insert(Array(name.utf8))
            drafts[place].attributes.append(ImportedAttribute(name, value))
        } else if !drafts[place].repairs.contains(.attributesLost) {
            drafts[place].repairs.append(.attributesLost)
        }
        return index
    }
}

/// Where a secret in a text keyring ends.
///
/// gnome-keyring writes it as it is, always followed by the times of change and creation, and an empty line before the next
/// group. A secret may contain such lines itself. So the next group is searched first, by the lines that gnome-keyring begins
/// one with. The secret ends at the times right before it; if those are damaged or missing, the longest possible secret is used,
/// and reported as a guess.
internal struct KeyringSecret {
    /// The index after its last byte.
    internal private(set) var end: Int
    /// The line after it.
    internal private(set) var next: Int
    internal private(set) var repairs: [ImportRepair] = []

    /// How certainly lines end a secret, from worst to best.
    private enum Ending: Int {
        /// One of the two times, and the lines that follow both.
        case damaged
        /// Both times.
        case times
        /// Both times, an empty line, and a possible first line of a group, or the end of the file.
        case whole
    }

    internal init(_ lines: SourceLines, at start: Int, of number: Int) {
        end = lines.withoutReturn(start).upperBound
        next = start + 1
        var best: (ending: Ending, index: Int)?
        var isSure = true
        var index = start + 1
        while index < lines.count, !KeyringSecret.beginsGroup(lines, index, after: number) {
            let isAfterEnd = best.map { $0.ending == .whole && $0.index + 3 == index } ?? false
            if isAfterEnd, KeyringSecret.mayBeginItem(lines, index) {
                isSure = false
                break
            }
            if let ending = KeyringSecret.ending(lines, index), ending.rawValue >= best?.ending.rawValue ?? 0 {
                best = (ending, index)
            }
            index += 1
        }
        if let best {
            finish(lines, from: start, at: best.index)
            // Two times, and an empty line if another group follows.
            let isNext = index < lines.count ? best.index + 3 == index : best.index + 3 >= index
            if !isSure || best.ending != .whole || !isNext { repairs.append(.endGuessed) }
            return
        }
        // The lines that should end it are damaged: two lines and an empty one. Manual edits may have put other lines there.
        var last = index
        if last > start + 1, lines.isBlank(last - 1) { last -= 1 }
        for _ in 0..<4 where last > start + 1 && KeyringSecret.looksLikeKey(lines, last - 1) { last -= 1 }
        finish(lines, from: start, at: last)
        repairs.append(.endGuessed)
    }

    /// Ends it before a line.
    private mutating func finish(_ lines: SourceLines, from start: Int, at index: Int) {
        next = index
        guard index > start + 1 else { return }
        end = lines[index - 1].upperBound
        repairs.append(.newlinesRestored)
    }

    /// How certainly the lines from here on end a secret; nil if they do not.
    private static func ending(_ lines: SourceLines, _ index: Int) -> Ending? {
        let isChanged = isTime("mtime=", lines, index)
        let isMade = isTime("ctime=", lines, index + 1)
        guard isChanged || isMade else { return nil }
        let isEnd =
            index + 2 >= lines.count
            || lines.isBlank(index + 2) && (index + 3 >= lines.count || KeyFileGroup(lines, index + 3) != nil)
        if isChanged, isMade { return isEnd ? .whole : .times }
        return isEnd ? .damaged : nil
    }

    /// Whether an item may begin here, although not with type and name as gnome-keyring writes it.
    private static func mayBeginItem(_ lines: SourceLines, _ index: Int) -> Bool {
        guard case .item = KeyFileGroup(lines, index) else { return false }
        return (1...3).contains { offset in
            switch KeyFileLine(lines, index + offset)?.key {
            case "item-type", "display-name", "secret", "binary-secret": true
            default: false
            }
        }
    }

    private static func isTime(_ key: String, _ lines: SourceLines, _ index: Int) -> Bool {
        guard lines.has(key, at: index) else { return false }
        let line = lines.withoutReturn(index)
        return lines.bytes.number(line.lowerBound + key.utf8.count..<line.upperBound) != nil
    }

    /// Whether another group begins here, judged by the first lines that gnome-keyring writes in one.
    private static func beginsGroup(_ lines: SourceLines, _ index: Int, after number: Int) -> Bool {
        let isApart = lines.isBlank(index - 1)
        // Two lines, since a secret may contain one of them; three if the empty line before is damaged too.
        let keys = (1...3).compactMap { KeyFileLine(lines, index + $0)?.key }
        switch KeyFileGroup(lines, index) {
        case .item:
            return keys.contains("item-type") && keys.contains("display-name") && (isApart || keys.contains("secret"))
        case .part(let owner, let isAttribute):
            guard isApart, owner == number else { return false }
            return isAttribute
                ? keys.contains("name") && (keys.contains("type") || keys.contains("value"))
                : keys.contains("display-name") && keys.contains("path")
        case .other, nil:
            return false
        }
    }

    /// Whether a line may be one of those after a secret, even if damaged.
    private static func looksLikeKey(_ lines: SourceLines, _ index: Int) -> Bool {
        switch KeyFileLine(lines, index)?.key {
        case "item-type", "display-name", "mtime", "ctime": true
        default:
            lines.has("mt", at: index) || lines.has("ct", at: index) || lines.has("time=", at: index)
                || ASCII.digit(lines.bytes[lines.withoutReturn(index).upperBound - 1]) != nil
        }
    }

    /// Whether gnome-keyring itself would read another secret than it wrote.
    internal static func isAmbiguous(_ bytes: ImportedBytes, _ range: Range<Int>) -> Bool {
        range.contains { index in
            bytes[index] == ASCII.backslash && index + 1 < range.upperBound
                && bytes[index + 1].map { KeyFileLine.escapes[$0] != nil } ?? false
        }
    }
}

/// The first line of a group in a text keyring: "[keyring]", "[7]", "[7:attribute0]" or "[7:acl0]".
internal enum KeyFileGroup: Equatable {
    case item(Int)
    case part(of: Int, isAttribute: Bool)
    case other

    /// Nil if a line does not begin a group.
    internal init?(_ lines: SourceLines, _ index: Int) {
        let bytes = lines.bytes
        let line = lines.withoutReturn(index)
        guard line.count > 2, bytes[line.lowerBound] == ASCII.openBracket,
            bytes[line.upperBound - 1] == ASCII.closeBracket
        else { return nil }
        let inside = line.lowerBound + 1..<line.upperBound - 1
        if let number = bytes.number(inside) {
            self = .item(number)
        } else if let colon = bytes.index(of: ASCII.colon, in: inside),
            let number = bytes.number(inside.lowerBound..<colon)
        {
            let isAttribute = bytes.has("attribute", at: colon + 1)
            self = isAttribute || bytes.has("acl", at: colon + 1) ? .part(of: number, isAttribute: isAttribute) : .other
        } else {
            self = .other
        }
    }
}

/// A line of a text keyring with a name and a value.
internal struct KeyFileLine {
    internal let key: String
    /// Everything after the equals sign, without the line end.
    internal let rawValue: Range<Int>
    /// The same without leading blanks.
    internal let value: Range<Int>
    private let bytes: ImportedBytes

    internal init?(_ lines: SourceLines, _ index: Int) {
        bytes = lines.bytes
        let line = lines.withoutReturn(index)
        guard let equals = bytes.index(of: ASCII.equals, in: line), equals - line.lowerBound <= 64,
            let key = bytes.text(bytes.trimmed(line.lowerBound..<equals))
        else { return nil }
        self.key = key
        var start = equals + 1
        // Blanks before the sign are from another program, which also writes them after it.
        if ASCII.isBlank(bytes[equals - 1]) {
            while start < line.upperBound, ASCII.isBlank(bytes[start]) { start += 1 }
        }
        rawValue = start..<line.upperBound
        while start < line.upperBound, ASCII.isBlank(bytes[start]) { start += 1 }
        value = start..<line.upperBound
    }

    /// The text of a value that is not secret; nil if an escape in it is invalid.
    internal var text: String? {
        let decoded = ImportedBytes(capacity: value.count) { output in
            var index = value.lowerBound
            while index < value.upperBound, let byte = bytes[index] {
                index += 1
                guard byte == ASCII.backslash else {
                    output.append(byte)
                    continue
                }
                guard index < value.upperBound, let letter = bytes[index], let plain = KeyFileLine.escapes[letter]
                else { return false }
                output.append(plain)
                index += 1
            }
            return true
        }
        return decoded?.text
    }

    internal static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "s"): ASCII.space, UInt8(ascii: "n"): ASCII.newline, UInt8(ascii: "t"): ASCII.tab,
        UInt8(ascii: "r"): ASCII.carriageReturn, ASCII.backslash: ASCII.backslash,
    ]
}
