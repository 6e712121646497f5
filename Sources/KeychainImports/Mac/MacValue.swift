// SPDX-License-Identifier: Apache-2.0

/// A value as `security` prints one: `<NULL>`, `"text"`, `0xHEX`, or `0xHEX  "text"` with octal escapes.
internal enum MacValue {
    /// The bytes it stands for; nil when it is damaged, and no bytes for `<NULL>` or nothing.
    internal static func bytes(_ source: ImportedBytes, _ range: Range<Int>) -> ImportedBytes? {
        let range = source.trimmed(range)
        if range.isEmpty || range.count == 6 && source.has("<NULL>", at: range.lowerBound) { return ImportedBytes("") }
        if source.has("0x", at: range.lowerBound) {
            let start = range.lowerBound + 2
            let end =
                (start..<max(start, range.upperBound)).first { ASCII.hexDigit(source[$0]) == nil } ?? range.upperBound
            // The text after the digits says the same, less exactly.
            guard end >= start, end == range.upperBound || ASCII.isBlank(source[end]) else { return nil }
            return source.decodingHexadecimal(start..<end)
        }
        guard range.count >= 2, source[range.lowerBound] == ASCII.quote, source[range.upperBound - 1] == ASCII.quote
        else { return nil }
        return unescaped(source, range.lowerBound + 1..<range.upperBound - 1)
    }

    // Quotes inside are not escaped: only the first and the last are none of the text.
    private static func unescaped(_ source: ImportedBytes, _ range: Range<Int>) -> ImportedBytes? {
        ImportedBytes(capacity: range.count) { output in
            var index = range.lowerBound
            while index < range.upperBound, let byte = source[index] {
                if byte == ASCII.backslash, index + 3 < range.upperBound, let value = octal(source, index + 1) {
                    output.append(value)
                    index += 4
                } else {
                    output.append(byte)
                    index += 1
                }
            }
            return true
        }
    }

    private static func octal(_ source: ImportedBytes, _ start: Int) -> UInt8? {
        var value = 0
        for index in start..<start + 3 {
            guard let digit = ASCII.digit(source[index]), digit < 8 else { return nil }
            value = value * 8 + digit
        }
        return UInt8(exactly: value)
    }
}
