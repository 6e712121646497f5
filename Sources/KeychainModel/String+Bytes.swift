// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether two strings are the same bytes; Swift's own equality also holds for two spellings of one character.
    package func hasSameBytes(as other: String) -> Bool {
        let mine = utf8.span
        let theirs = other.utf8.span
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    package func contains(byte: UInt8) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] == byte { return true }
        return false
    }

    package var isASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 { return false }
        return true
    }

    /// Up to eight bytes as one number; 0 for longer strings, and for those that begin with NUL.
    ///
    /// No two others have the same.
    package var packed: UInt64 {
        let bytes = utf8.span
        guard 1...8 ~= bytes.count, bytes[0] != 0 else { return 0 }
        var packed: UInt64 = 0
        for index in bytes.indices { packed = packed << 8 | UInt64(bytes[index]) }
        return packed
    }
}

/// Looking through text from outside.
///
/// Swift's `Character` is what a reader takes for one letter, of any number of code points: a mark that follows a quotation mark, a
/// newline or a slash hides it, and "\r\n" is neither "\r" nor "\n". And its `==` and `hasPrefix` take two spellings of a letter
/// for one. A shell, SQL, HTML, a path and a protocol know bytes and code points only, so what is written for them or read as they do
/// goes through these, `utf8` or `unicodeScalars`.
extension StringProtocol where SubSequence == Substring {
    package func begins(with start: some StringProtocol) -> Bool { utf8.starts(with: start.utf8) }

    package func ends(with end: some StringProtocol) -> Bool { utf8.reversed().starts(with: end.utf8.reversed()) }

    /// What follows a beginning; nil for text that begins otherwise.
    package func behind(_ start: some StringProtocol) -> Substring? {
        begins(with: start) ? self[utf8.index(startIndex, offsetBy: start.utf8.count)...] : nil
    }

    /// What stands before an end; nil for text that ends otherwise.
    package func before(_ end: some StringProtocol) -> Substring? {
        ends(with: end) ? self[..<utf8.index(endIndex, offsetBy: -end.utf8.count)] : nil
    }

    /// What stands before the first, or the last, of a code point, and what behind; nil for text without it.
    package func halves(at separator: Unicode.Scalar, last: Bool = false) -> (Substring, Substring)? {
        let place = last ? unicodeScalars.lastIndex(of: separator) : unicodeScalars.firstIndex(of: separator)
        return place.map { (self[..<$0], self[unicodeScalars.index(after: $0)...]) }
    }

    /// The parts between a code point; at most so many cuts, and the empty ones too if so said.
    package func parts(
        between separator: Unicode.Scalar, cuts: Int = .max, andEmpty keepsEmpty: Bool = false
    ) -> [Substring] {
        unicodeScalars.split(separator: separator, maxSplits: cuts, omittingEmptySubsequences: !keepsEmpty)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Each code point replaced by a text, or as it is where there is nil.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if let text = replacement(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// With another text before each of these code points.
    package func marking(_ marked: String, with mark: String) -> String {
        replacingScalars { marked.unicodeScalars.contains($0) ? mark + String($0) : nil }
    }
}
