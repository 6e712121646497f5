// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct RecoveryWordsErrorTests {
    private static let text =
        "mixer tulip both regular apology wagon engage borrow bring science newborn talent canyon glove"
    private static let words = text.split(separator: " ").map(String.init)

    private func decode(_ words: [String]) throws(RecoveryWordsError) -> [UInt8] {
        try recoveryKey(from: words.joined(separator: " "), checksum: { _ in (0x18, 0xE9) })
    }

    @Test("another number of words than 14 is counted", arguments: Array(0...13) + [15, 16, 1000])
    func wrongCount(count: Int) {
        let words = (0..<count).map { Self.words[$0 % 14] }
        #expect(throws: RecoveryWordsError.wrongCount(count)) { try decode(words) }
    }

    @Test("what is behind the fourteenth word is counted, not looked up")
    func tooMany() {
        #expect(throws: RecoveryWordsError.wrongCount(16)) { try decode(Self.words + ["that", "is_it!"]) }
    }

    @Test("separators and numbers alone are no words", arguments: ["", " ", "\n", "- , -", "1. 2. 3", "14)"])
    func nothing(text: String) {
        #expect(throws: RecoveryWordsError.wrongCount(0)) { try recoveryKey(from: text) }
    }

    @Test(
        "a word that is not in the list is named by its place",
        arguments: [
            "qwerty", "mix", "mixers", "mixxer", "mixre", "mixer.", "mixer;tulip", "mixér", "mixer\u{A0}", "3mixer",
            "1.2.mixer", ".mixer",
            "1.)mixer", "(1)mixer", "mixer\0", "mi\u{AD}xer", "mixerabsent",
        ])
    func unknown(typed: String) {
        for position in 1...14 {
            var words = Self.words
            words[position - 1] = typed
            #expect(throws: RecoveryWordsError.unknownWord(position: position)) { try decode(words) }
            // Of two the first, and before a wrong count.
            #expect(throws: RecoveryWordsError.unknownWord(position: position)) {
                try decode(Array(words[..<position]) + ["qwerty"])
            }
        }
    }

    @Test(
        "bytes that are no UTF-8 are an unknown word", arguments: [[0x80], [0xFF, 0xFE], [0x6D, 0xC3], [0, 0, 0, 0]])
    func noText(bytes: [UInt8]) {
        #expect(throws: RecoveryWordsError.unknownWord(position: 1)) { try recoveryKey(from: bytes) }
    }

    @Test("each of the twelve bits of the checksum counts, and the four behind them do not")
    func checksumBits() throws {
        for bit in 0..<16 {
            let flipped = 0x18E9 as UInt16 ^ 1 << bit
            let checksum: RecoveryWords.Checksum = { _ in
                (UInt8(flipped >> 8), UInt8(truncatingIfNeeded: flipped))
            }
            if bit < 4 {
                #expect(try recoveryKey(from: Self.text, checksum: checksum).count == 16)
            } else {
                #expect(throws: RecoveryWordsError.wrongChecksum) {
                    try recoveryKey(from: Self.text, checksum: checksum)
                }
            }
        }
    }

    @Test("a checksum that fails gives its own error, writing and reading")
    func noChecksum() {
        let checksum: RecoveryWords.Checksum = { _ in nil }
        let key = SecretBytes(count: 16) { _ in }
        do {
            let text = try RecoveryWords.text(of: key, checksum: checksum)
            Issue.record("made words of \(text.count) bytes")
        } catch {
            #expect(error == .noChecksum)
        }
        let bytes = Array(Self.text.utf8)
        let span = bytes.span
        do {
            let key = try span.bytes.withUnsafeBytes { (bytes) throws(RecoveryWordsError) in
                try RecoveryWords.key(from: bytes, checksum: checksum)
            }
            Issue.record("made a key of \(key.count) bytes")
        } catch {
            #expect(error == .noChecksum)
        }
    }

    @Test("the checksum is asked only of words that are all in the list")
    func order() {
        let asked: RecoveryWords.Checksum = { _ in
            Issue.record("was asked")
            return (0, 0)
        }
        #expect(throws: RecoveryWordsError.wrongCount(13)) {
            try recoveryKey(from: Self.words.dropLast().joined(separator: " "), checksum: asked)
        }
    }
}
