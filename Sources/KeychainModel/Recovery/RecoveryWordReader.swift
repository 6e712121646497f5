// SPDX-License-Identifier: Apache-2.0

/// Finds the words in what a person typed, skipping what stands between them and the numbers in front of them.
// Safe: whoever makes one vouches for `text` as long as it is used, and making one and reading from it say `unsafe`.
@safe
internal struct RecoveryWordReader {
    private let text: UnsafeRawBufferPointer
    private var offset = 0

    /// A reader of UTF-8 that stays in memory as long as the reader is used.
    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = text
    }

    /// The bytes of the next word, which need not be letters; nil at the end.
    mutating func next() -> UnsafeRawBufferPointer? {
        while unsafe offset < text.count {
            let start = offset
            while unsafe offset < text.count, unsafe !Self.isSeparator(text[offset]) { offset += 1 }
            let wordStart = endOfNumber(from: start, to: offset)
            let end = offset
            offset += 1
            if wordStart < end { return unsafe UnsafeRawBufferPointer(rebasing: text[wordStart..<end]) }
        }
        return nil
    }

    /// Where the word behind a number like `1`, `1.` or `1)` starts; `start` when there is no number.
    ///
    /// The number is not compared with the word's place: a word in the wrong place is for the checksum to find.
    private func endOfNumber(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, unsafe Self.isDigit(text[index]) { index += 1 }
        guard index > start, index < end else { return index }
        // Digits that run on into letters are a slip of the finger, not a number.
        return unsafe Self.isNumberMark(text[index]) ? index + 1 : start
    }

    /// Whether `byte` is a space, a tab, the end of a line or page, a hyphen or a comma.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), 0x09...0x0D, UInt8(ascii: "-"), UInt8(ascii: ","): true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isNumberMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")")
    }
}
