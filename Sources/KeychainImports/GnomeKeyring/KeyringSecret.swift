// SPDX-License-Identifier: Apache-2.0

/// Where a secret in a text keyring ends.
///
/// gnome-keyring writes it as it is, and after it always when the item was changed, when it was made, and an empty line
/// before the next group. A secret may have such lines itself. So what follows is looked for first: the next lines that
/// begin a group as gnome-keyring writes it. The secret ends with the lines right before them; where those are damaged, or
/// are not there, the longest secret is taken that they allow, and called a guess.
internal struct KeyringSecret {
    /// The index behind its last byte.
    internal private(set) var end: Int
    /// The line after it.
    internal private(set) var next: Int
    internal private(set) var repairs: [ImportRepair] = []

    /// How well lines end a secret, from worst to best.
    private enum Ending: Int {
        /// One of the two times, and what follows both.
        case damaged
        /// Both times.
        case times
        /// Both times, an empty line, and something that may be the first line of a group; or the end of the file.
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
            // Two times, and an empty line where there is a next group.
            let isNext = index < lines.count ? best.index + 3 == index : best.index + 3 >= index
            if !isSure || best.ending != .whole || !isNext { repairs.append(.endGuessed) }
            return
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

    /// How well the lines from here on end a secret; nil when they do not.
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

    /// Whether the next item may begin here though it is not as gnome-keyring writes one, with a type and a name.
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
