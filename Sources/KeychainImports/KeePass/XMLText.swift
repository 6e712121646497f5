// SPDX-License-Identifier: Apache-2.0

/// The text of an element, in the parts that a reader finds.
internal struct XMLText {
    private var parts: [(range: Range<Int>, isVerbatim: Bool)] = []

    internal mutating func append(_ range: Range<Int>, isVerbatim: Bool) {
        guard !range.isEmpty else { return }
        parts.append((range, isVerbatim))
    }

    /// What it says, with its references resolved; nil when one of them is none.
    internal func decoded(_ bytes: ImportedBytes) -> ImportedBytes? {
        ImportedBytes(capacity: parts.reduce(0) { $0 + $1.range.count }) { output in
            for part in parts {
                guard XMLText.decode(bytes, part.range, part.isVerbatim, &output) else { return false }
            }
            return true
        }
    }

    private static func decode(
        _ bytes: ImportedBytes, _ range: Range<Int>, _ isVerbatim: Bool, _ output: inout SecretOutput
    ) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, let byte = bytes[index] {
            if byte == ASCII.ampersand, !isVerbatim {
                guard let end = bytes.index(of: ASCII.semicolon, in: index..<min(index + 12, range.upperBound)),
                    reference(bytes, index + 1..<end, &output)
                else { return false }
                index = end + 1
                continue
            }
            // A reader of XML sees one newline, whatever is in the file.
            let isReturn = byte == ASCII.carriageReturn
            if !isReturn || bytes[index + 1] != ASCII.newline { output.append(isReturn ? ASCII.newline : byte) }
            index += 1
        }
        return true
    }

    /// Writes the character that a reference names.
    private static func reference(_ bytes: ImportedBytes, _ range: Range<Int>, _ output: inout SecretOutput) -> Bool {
        for (name, byte) in names where name.utf8.count == range.count && bytes.has(name, at: range.lowerBound) {
            output.append(byte)
            return true
        }
        guard bytes[range.lowerBound] == ASCII.number, range.count > 1 else { return false }
        let isHexadecimal = bytes[range.lowerBound + 1] == UInt8(ascii: "x")
        let digits = range.lowerBound + (isHexadecimal ? 2 : 1)..<range.upperBound
        guard (1...7).contains(digits.count) else { return false }
        var value: UInt32 = 0
        for index in digits {
            guard let digit = ASCII.hexDigit(bytes[index]), isHexadecimal || digit < 10 else { return false }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
        }
        guard value > 0, let scalar = Unicode.Scalar(value) else { return false }
        for byte in UTF8.encode(scalar) ?? .init() { output.append(byte) }
        return true
    }

    private static let names: [(String, UInt8)] = [
        ("lt", ASCII.less), ("gt", ASCII.greater), ("amp", ASCII.ampersand), ("quot", ASCII.quote),
        ("apos", UInt8(ascii: "'")),
    ]
}
