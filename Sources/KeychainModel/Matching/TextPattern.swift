// SPDX-License-Identifier: Apache-2.0

/// A text to look for, made ready once for many texts to look in.
///
/// An empty one is found nowhere, but as the whole of an empty text.
package struct TextPattern: Hashable, Sendable {
    package let position: TextMatching.Position
    package let matching: TextMatching
    private let pattern: [Character]

    package init(_ text: String, at position: TextMatching.Position, matching: TextMatching) {
        self.position = position
        self.matching = matching
        pattern = Array(matching.folded(text))
    }

    /// What is looked for, without what does not count.
    package var text: String { String(pattern) }

    package func matches(_ text: String) -> Bool {
        let characters = Array(matching.folded(text))
        if position == .whole { return characters == pattern }
        guard !pattern.isEmpty, pattern.count <= characters.count else { return false }
        switch position {
        case .start, .whole: return characters.starts(with: pattern)
        case .end: return characters.suffix(pattern.count).elementsEqual(pattern)
        case .anywhere:
            return (0...characters.count - pattern.count).contains { start in
                characters[start...].starts(with: pattern)
            }
        }
    }
}
