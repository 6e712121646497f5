// SPDX-License-Identifier: Apache-2.0

/// A recovery key as a person keeps it: 16 bytes and the first 12 bits of their SHA-256 in 14 words of ten bits.
///
/// Of the wrong keys that are made of words of the list, the checksum lets one in 4096 pass.
package enum RecoveryWords {
    /// The first two bytes of the SHA-256 of the 16 bytes it is lent, or nil when it cannot be computed; it keeps no copy of
    /// them.
    ///
    /// The last four bits are not used.
    package typealias Checksum = (UnsafeRawBufferPointer) -> (UInt8, UInt8)?

    /// The words of the 16 bytes of `key`, as text to show: in lower case, with one space between them.
    ///
    /// Throws `abandoned` or `noChecksum`.
    package static func text(
        of key: borrowing SecretBytes, checksum: Checksum
    ) throws(RecoveryWordsError) -> SecretBytes {
        precondition(key.count == keySize, "a recovery key has another size")
        let code = try unsafe key.withUnsafeBytes { (key) throws(RecoveryWordsError) in
            guard key.count == keySize else { throw .abandoned }
            let sum = try unsafe self.sum(of: key, checksum)
            return unsafe SecretBytes(count: codeSize) { code in
                unsafe code.copyMemory(from: key)
                unsafe code[keySize] = sum.0
                unsafe code[keySize + 1] = sum.1
            }
        }
        return unsafe code.withUnsafeBytes { unsafe text(of: $0) }
    }

    /// The key whose words are `text`, as a person typed them.
    ///
    /// Any case; words whole or abbreviated to four letters or more; ASCII white space, hyphens and commas between them;
    /// numbers like `1.` in front of them. Nothing else is guessed. Throws all but `abandoned`.
    package static func key(
        from text: UnsafeRawBufferPointer, checksum: Checksum
    ) throws(RecoveryWordsError) -> SecretBytes {
        let code = try unsafe SecretBytes(count: codeSize) { (code) throws(RecoveryWordsError) in
            var reader = unsafe RecoveryWordReader(text)
            var count = 0
            while let typed = unsafe reader.next() {
                count += 1
                // What is too much is only counted, so that a text that goes on gets the error that helps.
                guard count <= wordCount else { continue }
                guard let word = unsafe RecoveryWord(typed), let index = RecoveryWordList.index(of: word) else {
                    throw .unknownWord(position: count)
                }
                unsafe write(index, at: count - 1, to: code)
            }
            guard count == wordCount else { throw .wrongCount(count) }
        }
        return try unsafe code.withUnsafeBytes { (code) throws(RecoveryWordsError) in
            let key = unsafe UnsafeRawBufferPointer(rebasing: code[..<keySize])
            let sum = try unsafe self.sum(of: key, checksum)
            guard unsafe sum == (code[keySize], code[keySize + 1]) else { throw .wrongChecksum }
            return unsafe SecretBytes(copying: key)
        }
    }

    /// The 12 bits of the checksum, four zeros behind them.
    private static func sum(
        of key: UnsafeRawBufferPointer, _ checksum: Checksum
    ) throws(RecoveryWordsError) -> (UInt8, UInt8) {
        guard let sum = unsafe checksum(key) else { throw .noChecksum }
        return (sum.0, sum.1 & 0xF0)
    }

    private static func text(of code: UnsafeRawBufferPointer) -> SecretBytes {
        // No array of the words in between: it would not be wiped.
        var size = wordCount - 1
        for position in 0..<wordCount { size += unsafe word(at: position, of: code).count }
        return unsafe SecretBytes(count: size) { text in
            var offset = 0
            for position in 0..<wordCount {
                if position > 0 {
                    unsafe text[offset] = UInt8(ascii: " ")
                    offset += 1
                }
                let word = unsafe word(at: position, of: code)
                for index in 0..<word.count {
                    unsafe text[offset] = word.letter(at: index)
                    offset += 1
                }
            }
        }
    }

    private static func word(at position: Int, of code: UnsafeRawBufferPointer) -> RecoveryWord {
        let (byte, shift) = place(of: position)
        let pair = unsafe UInt16(code[byte]) << 8 | UInt16(code[byte + 1])
        return RecoveryWordList.words[Int(pair >> shift & 0x3FF)]
    }

    /// Writes ten bits where there are zeros.
    private static func write(_ index: Int, at position: Int, to code: UnsafeMutableRawBufferPointer) {
        let (byte, shift) = place(of: position)
        let pair = UInt16(index) << shift
        unsafe code[byte] |= UInt8(pair >> 8)
        unsafe code[byte + 1] |= UInt8(truncatingIfNeeded: pair)
    }

    /// The first of the two bytes that a word's ten bits are in, and how many bits follow them there.
    private static func place(of position: Int) -> (byte: Int, shift: Int) {
        let bit = position * 10
        return (bit / 8, 6 - bit % 8)
    }

    package static let keySize = 16
    package static let wordCount = 14
    private static let codeSize = 18
}

/// Why a recovery key could not be written in words, or words are no recovery key.
///
/// It never carries a word.
package enum RecoveryWordsError: Error, Equatable {
    /// There are so many words, and not 14.
    case wrongCount(Int)
    /// The word at this position, counted from 1, is not in the list.
    case unknownWord(position: Int)
    /// Every word is in the list, but one or more are wrong, or in the wrong place.
    case wrongChecksum
    /// The key belongs to the process this one was forked from.
    case abandoned
    /// The checksum could not be computed, or no key be made.
    case noChecksum
}

/// Finds the words in what a person typed, skipping what stands between them and the numbers in front of them.
// Safe: its maker vouches for `text` as long as it is used, and making one and reading from it say `unsafe`.
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
