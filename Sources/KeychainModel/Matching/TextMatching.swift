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
