// SPDX-License-Identifier: Apache-2.0

/// The first line of a group in a text keyring: "[keyring]", "[7]", "[7:attribute0]" or "[7:acl0]".
internal enum KeyFileGroup: Equatable {
    case item(Int)
    case part(of: Int, isAttribute: Bool)
    case other

    /// Nil when a line begins no group.
    internal init?(_ lines: SourceLines, _ index: Int) {
        let bytes = lines.bytes
        let line = lines.withoutReturn(index)
        guard line.count > 2, bytes[line.lowerBound] == ASCII.openBracket,
            bytes[line.upperBound - 1] == ASCII.closeBracket
        else { return nil }
        let inside = line.lowerBound + 1..<line.upperBound - 1
        if let number = bytes.number(inside) {
            self = .item(number)
        } else if let colon = bytes.index(of: ASCII.colon, in: inside),
            let number = bytes.number(inside.lowerBound..<colon)
        {
            let isAttribute = bytes.has("attribute", at: colon + 1)
            self = isAttribute || bytes.has("acl", at: colon + 1) ? .part(of: number, isAttribute: isAttribute) : .other
        } else {
            self = .other
        }
    }
}

/// A line of a text keyring with a name and a value.
internal struct KeyFileLine {
    internal let key: String
    /// Everything after the sign of equality, but for the end of the line.
    internal let rawValue: Range<Int>
    /// The same without blanks before it.
    internal let value: Range<Int>
    private let bytes: ImportedBytes

    internal init?(_ lines: SourceLines, _ index: Int) {
        bytes = lines.bytes
        let line = lines.withoutReturn(index)
        guard let equals = bytes.index(of: ASCII.equals, in: line), equals - line.lowerBound <= 64,
            let key = bytes.text(bytes.trimmed(line.lowerBound..<equals))
        else { return nil }
        self.key = key
        var start = equals + 1
        // Who writes blanks before the sign, as gnome-keyring does not, writes them after it too.
        if ASCII.isBlank(bytes[equals - 1]) {
            while start < line.upperBound, ASCII.isBlank(bytes[start]) { start += 1 }
        }
        rawValue = start..<line.upperBound
        while start < line.upperBound, ASCII.isBlank(bytes[start]) { start += 1 }
        value = start..<line.upperBound
    }

    /// The text it stands for, of what is no secret; nil when an escape in it is none.
    internal var text: String? {
        let decoded = ImportedBytes(capacity: value.count) { output in
            var index = value.lowerBound
            while index < value.upperBound, let byte = bytes[index] {
                index += 1
                guard byte == ASCII.backslash else {
                    output.append(byte)
                    continue
                }
                guard index < value.upperBound, let letter = bytes[index], let plain = KeyFileLine.escapes[letter]
                else { return false }
                output.append(plain)
                index += 1
            }
            return true
        }
        return decoded?.text
    }

    internal static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "s"): ASCII.space, UInt8(ascii: "n"): ASCII.newline, UInt8(ascii: "t"): ASCII.tab,
        UInt8(ascii: "r"): ASCII.carriageReturn, ASCII.backslash: ASCII.backslash,
    ]
}
