// SPDX-License-Identifier: Apache-2.0

/// Bytes as text, four characters for three, with white space wherever somebody wanted it.
enum Base64Text {
    /// nil for anything but whole groups, padded as they have to be.
    static func bytes(_ text: String) -> [UInt8]? {
        let characters = text.utf8.filter { !XMLReader.isSpace($0) }
        guard characters.count % 4 == 0 else { return nil }
        let digits = characters.prefix { $0 != UInt8(ascii: "=") }
        let padding = characters.count - digits.count
        guard padding <= 2, characters.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        var bytes: [UInt8] = []
        var (bits, held): (UInt32, Int) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
