// SPDX-License-Identifier: Apache-2.0

/// How two texts are compared in a search: which differences do not count.
///
/// Characters are compared, not code points: two spellings of one character ("é" composed or not) are equal with no
/// option at all, and "e" is not found inside an "é" unless marks are ignored. No locale is asked.
package struct TextMatching: Hashable, Sendable {
    /// Differences that do not count.
    package struct Ignored: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let letterCase = Ignored(rawValue: 1)
        package static let diacritics = Ignored(rawValue: 2)
        package static let width = Ignored(rawValue: 4)
    }

    /// Where in a text the pattern has to be.
    package enum Position: Hashable, Sendable, CaseIterable {
        case anywhere
        case start
        case end
        case whole
    }

    package let ignored: Ignored

    package init(ignoring ignored: Ignored = []) {
        self.ignored = ignored
    }

    /// Whether the two differ in nothing that counts.
    package func isEqual(_ left: String, _ right: String) -> Bool {
        folded(left) == folded(right)
    }

    /// A text of which `==` says what `isEqual` says: for comparing one with many.
    package func folded(_ text: String) -> String {
        ignored.isEmpty ? text : TextFolding.fold(text, ignoring: ignored)
    }
}

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

/// What of a text is left when differences that do not count are taken away.
///
/// Case: every code point is mapped to lower, upper and again lower case, which is Unicode's full case folding but for
/// the dotless i, that stays another letter, as it does there.
/// Marks: the combining marks above, below and through a letter (class 1 and 200 to 240), and the points of Hebrew and
/// Arabic (10 to 36), go; a letter composed with them becomes the bare letter. What writes another letter than the bare
/// one in its script stays: the voicing of kana, nuktas, viramas, vowel signs; and so do letters that no mark composes
/// ("ø", "ł").
/// Width: full-width and half-width forms become the ordinary ones, the ideographic space a space.
internal enum TextFolding {
    internal static func fold(_ text: String, ignoring ignored: TextMatching.Ignored) -> String {
        var folded = text
        // First: a half-width sound mark joins the kana before it, and full-width letters have case.
        if ignored.contains(.width) { folded = mapped(folded, ordinaryWidth) }
        if ignored.contains(.diacritics) { folded = mapped(folded, bareLetter) }
        if ignored.contains(.letterCase) { folded = caseless(folded) }
        return folded
    }

    private static func mapped(_ text: String, _ map: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let mapped = map(scalar) { result.append(mapped) }
        }
        return String(result)
    }

    private static func ordinaryWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x3000, 0xFF5F...0xFFEE: WidthForms.ordinary[scalar.value].flatMap { Unicode.Scalar($0) } ?? scalar
        default: scalar
        }
    }

    /// nil when the code point is itself a mark.
    private static func bareLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar }
        if let base = MarkedLetters.bases[scalar.value] { return Unicode.Scalar(base) }
        return isMark(scalar) ? nil : scalar
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...240: return true
        default: return false
        }
    }

    private static func caseless(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let isUpper = scalar.value >= 0x41 && scalar.value <= 0x5A
                result.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
            } else if scalar == dotlessI {
                result.unicodeScalars.append(scalar)
            } else {
                // Lower case first, for the capital sharp s: its upper case is itself, that of the small one is "SS".
                for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                    for upper in lower.properties.uppercaseMapping.unicodeScalars {
                        result += upper.properties.lowercaseMapping
                    }
                }
            }
        }
        return result
    }

    private static let dotlessI: Unicode.Scalar = "\u{131}"
}
