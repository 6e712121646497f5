// SPDX-License-Identifier: Apache-2.0

/// A line being typed.
struct LineInput: Sendable {
    private(set) var letters: [Character] = []
    private(set) var cursor = 0

    init(_ text: String = "") {
        letters = Array(text)
        cursor = letters.count
    }

    var text: String { String(letters) }
    var beforeCursor: String { String(letters[..<cursor]) }

    /// Whether the key was one of a line's.
    mutating func press(_ key: BrowserKey) -> Bool {
        switch key {
        case .character(let scalar):
            guard scalar.value >= 0x20, scalar.value != 0x7F, letters.count < LineInput.longest else { return true }
            // A mark joins the letter before it.
            let before = String(letters[..<cursor]) + String(Character(scalar))
            letters = Array(before) + letters[cursor...]
            cursor = Array(before).count
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            letters.remove(at: cursor)
        case .control("u"):
            letters.removeSubrange(..<cursor)
            cursor = 0
        case .control("w"):
            let before = letters[..<cursor]
            var end = before.endIndex
            while end > 0, before[end - 1] == " " { end -= 1 }
            while end > 0, before[end - 1] != " " { end -= 1 }
            letters.removeSubrange(end..<cursor)
            cursor = end
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(letters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = letters.count
        default: return false
        }
        return true
    }

    private static let longest = 1000
}
