// SPDX-License-Identifier: Apache-2.0

/// Where a secret in a text keyring ends.
///
/// gnome-keyring writes it as it is, and after it always when the item was changed, when it was made, and an empty line
/// before the next group. That is looked for. Where it is damaged, the next thing that looks like the beginning of a
/// group ends the secret: so no item takes the next one along.
internal struct KeyringSecret {
    /// The index behind its last byte.
    internal private(set) var end: Int
    /// The line after it.
    internal private(set) var next: Int
    internal private(set) var repairs: [ImportRepair] = []

    internal init(_ lines: SourceLines, at start: Int, of number: Int) {
        end = lines.withoutReturn(start).upperBound
        next = start + 1
        var index = start + 1
        while index < lines.count {
            if let isSure = KeyringSecret.times(lines, index) {
                finish(lines, from: start, at: index)
                if !isSure, !repairs.isEmpty { repairs.append(.endGuessed) }
                return
            }
            if KeyringSecret.beginsGroup(lines, index, after: number) { break }
            index += 1
        }
        // What was to end it is damaged: two lines, and an empty one. Who edits by hand may put other lines there.
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

    /// Whether the lines from here on are those after a secret: nil when not, false when some of it is damaged.
    private static func times(_ lines: SourceLines, _ index: Int) -> Bool? {
        let isChanged = isTime("mtime=", lines, index)
        let isMade = isTime("ctime=", lines, index + 1)
        guard isChanged || isMade else { return nil }
        let isEnd =
            index + 2 >= lines.count
            || lines.isBlank(index + 2) && (index + 3 >= lines.count || KeyFileGroup(lines, index + 3) != nil)
        if isChanged, isMade { return isEnd }
        return isEnd ? false : nil
    }

    private static func isTime(_ key: String, _ lines: SourceLines, _ index: Int) -> Bool {
        guard lines.has(key, at: index) else { return false }
        let line = lines.withoutReturn(index)
        return lines.bytes.number(line.lowerBound + key.utf8.count..<line.upperBound) != nil
    }

    /// Whether another group begins here, judged by the lines that gnome-keyring writes first in one.
    private static func beginsGroup(_ lines: SourceLines, _ index: Int, after number: Int) -> Bool {
        let isApart = lines.isBlank(index - 1)
        // Two lines, because a secret may well have one of them in it; three where the empty line before is damaged too.
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

    /// Whether a line may be one of those after a secret, whatever has become of it.
    private static func looksLikeKey(_ lines: SourceLines, _ index: Int) -> Bool {
        switch KeyFileLine(lines, index)?.key {
        case "item-type", "display-name", "mtime", "ctime": true
        default:
            lines.has("mt", at: index) || lines.has("ct", at: index) || lines.has("time=", at: index)
                || ASCII.digit(lines.bytes[lines.withoutReturn(index).upperBound - 1]) != nil
        }
    }

    /// Whether gnome-keyring itself would read something else out of what it wrote there.
    internal static func isAmbiguous(_ bytes: ImportedBytes, _ range: Range<Int>) -> Bool {
        range.contains { index in
            bytes[index] == ASCII.backslash && index + 1 < range.upperBound
                && bytes[index + 1].map { KeyFileLine.escapes[$0] != nil } ?? false
        }
    }
}
