// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What somebody may have meant who wrote a word that there is not.
package enum Suggestion {
    /// `; did you mean add?`; nothing where nothing is near enough.
    package static func question(_ word: String, among words: [String]) -> String {
        let near = nearest(to: word, among: words)
        guard let last = near.last else { return "" }
        let others = near.dropLast().map(PlainText.shown).joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")\(PlainText.shown(last))?"
    }

    /// The words that differ from it by a letter or two, or begin with it; the nearest first, and three at most.
    package static func nearest(to word: String, among words: [String]) -> [String] {
        let wanted = letters(word)
        guard !wanted.isEmpty else { return [] }
        // A word of three letters has too many neighbours at two letters' distance.
        let most = wanted.count < 4 ? 1 : 2
        var near: [(distance: Int, word: String)] = []
        for candidate in words where !near.contains(where: { $0.word.hasSameBytes(as: candidate) }) {
            let letters = letters(candidate)
            if wanted.count >= 3, letters.starts(with: wanted) {
                near.append((most, candidate))
            } else if abs(letters.count - wanted.count) <= most {
                let distance = distance(wanted, letters)
                if distance <= most { near.append((distance, candidate)) }
            }
        }
        return near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(3).map(\.word)
    }

    private static func letters(_ word: String) -> [Character] { Array(word.lowercased().prefix(longest)) }

    /// How many letters have to be put in, taken away, changed or swapped with their neighbour.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                var best = min(
                    last[column] + (first[row] == second[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[second.count]
    }

    /// Longer words are compared by their beginning.
    private static let longest = 64
}
