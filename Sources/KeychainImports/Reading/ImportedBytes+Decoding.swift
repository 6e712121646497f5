// SPDX-License-Identifier: Apache-2.0

extension ImportedBytes {
    /// The bytes that pairs of hexadecimal digits stand for; nil when a part is anything else.
    internal func decodingHexadecimal(_ range: Range<Int>) -> ImportedBytes? {
        guard range.count % 2 == 0 else { return nil }
        return ImportedBytes(capacity: range.count / 2) { output in
            for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
                guard let high = ASCII.hexDigit(self[index]), let low = ASCII.hexDigit(self[index + 1]) else {
                    return false
                }
                output.append(high << 4 | low)
            }
            return true
        }
    }

    /// The bytes of a part of a URL; nil when a per cent sign begins no pair of digits.
    internal func decodingPercent(_ range: Range<Int>) -> ImportedBytes? {
        ImportedBytes(capacity: range.count) { output in
            var index = range.lowerBound
            while index < range.upperBound, let byte = self[index] {
                guard byte == ASCII.percent else {
                    output.append(byte)
                    index += 1
                    continue
                }
                guard index + 2 < range.upperBound, let high = ASCII.hexDigit(self[index + 1]),
                    let low = ASCII.hexDigit(self[index + 2])
                else { return false }
                output.append(high << 4 | low)
                index += 3
            }
            return true
        }
    }

    /// The bytes of base64 without white space, padded as it has to be, with no bit set that means nothing.
    internal func decodingBase64(_ range: Range<Int>) -> ImportedBytes? {
        guard range.count % 4 == 0 else { return nil }
        let padding = range.suffix(2).reversed().prefix { self[$0] == ASCII.equals }.count
        let digits = range.lowerBound..<range.upperBound - padding
        return ImportedBytes(capacity: range.count / 4 * 3) { output in
            var (bits, held): (UInt32, UInt32) = (0, 0)
            for index in digits {
                guard let value = ASCII.base64Digit(self[index]) else { return false }
                bits = bits << 6 | UInt32(value)
                held += 6
                guard held >= 8 else { continue }
                held -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> held))
                bits &= (1 << held) - 1
            }
            return bits == 0
        }
    }

    /// A decimal number without sign; nil when there is none or something else stands with it.
    internal func number(_ range: Range<Int>) -> Int? {
        guard (1...15).contains(range.count) else { return nil }
        var value = 0
        for index in range {
            guard let digit = ASCII.digit(self[index]) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// A part without the blanks at its ends.
    internal func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while !range.isEmpty, ASCII.isSpace(self[range.lowerBound]) { range = range.lowerBound + 1..<range.upperBound }
        while !range.isEmpty, ASCII.isSpace(self[range.upperBound - 1]) {
            range = range.lowerBound..<range.upperBound - 1
        }
        return range
    }
}
