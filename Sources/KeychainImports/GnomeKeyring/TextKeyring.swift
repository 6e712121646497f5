// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A file of gnome-keyring's that no password seals: groups of lines, in which secrets stand as they are, newlines and all.
///
/// gnome-keyring cannot read its own file any more once a secret has a newline. But it always writes the same lines
/// after one, and so its end is found.
internal struct TextKeyring {
    internal let lines: SourceLines
    internal let file: String
    private var drafts: [KeyringItem] = []
    /// Where in `drafts` the last item of a number is.
    private var places: [Int: Int] = [:]
    /// Drafts with a line that says nothing one knows.
    private var strange: Set<Int> = []
    /// Lines that belong to no group.
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
            // Without a secret is what has an empty one; but a line that cannot be read may have been it.
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

    /// Says of an item that its secret may end elsewhere.
    private mutating func doubt(_ place: Int) {
        guard drafts[place].secret != nil, !drafts[place].repairs.contains(.endGuessed) else { return }
        drafts[place].repairs.append(.endGuessed)
    }

    /// The line of the next group, or behind the last line.
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
            case "mtime", "ctime": break
            default: if !lines.isBlank(index - 1), !lines.has("#", at: index - 1) { isStrange = true }
            }
        }
        // gnome-keyring gives no number twice: one of them may be a part of a secret.
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
        // It ends at an empty line: what stands after that has lost the line that says whose it is.
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
        // gnome-keyring writes an attribute once: what comes again may have been in the secret.
        if let name, drafts[place].attributes.contains(where: { $0.name.hasSameBytes(as: name) }) { doubt(place) }
        if let name, let value {
            drafts[place].attributes.append(ImportedAttribute(name, value))
        } else if !drafts[place].repairs.contains(.attributesLost) {
            drafts[place].repairs.append(.attributesLost)
        }
        return index
    }
}
