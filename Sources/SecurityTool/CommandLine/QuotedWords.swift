// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The words of a line as a shell would see them: quotes of both kinds, a backslash, and no more than that.
enum QuotedWords {
    /// What comes out is text; a line that is none, or whose quotes do not end, is refused as a whole.
    static func split(_ line: SecretValue) throws(SecurityFailure) -> [String] {
        try unsafe line.withUnsafeBytes { (bytes) throws(SecurityFailure) in
            var words: [String] = []
            var (word, isInWord): ([UInt8], Bool) = ([], false)
            var quote: UInt8?
            var index = 0
            while index < bytes.count {
                let byte = unsafe bytes[index]
                index += 1
                switch (byte, quote) {
                case (_, .some(let mark)) where byte == mark: quote = nil
                case (backslash, nil), (backslash, doubleQuote):
                    guard index < bytes.count else { throw .usage("the line ends with a backslash") }
                    let next = unsafe bytes[index]
                    index += 1
                    // Between double quotes a backslash is one, but in front of what would mean something there.
                    if quote != nil, next != doubleQuote, next != backslash { word.append(backslash) }
                    word.append(next)
                    isInWord = true
                case (_, .some): word.append(byte)
                case (singleQuote, nil), (doubleQuote, nil): (quote, isInWord) = (byte, true)
                case (0x20, nil), (0x09, nil), (0x0D, nil):
                    if isInWord { words.append(try text(word)) }
                    (word, isInWord) = ([], false)
                default:
                    word.append(byte)
                    isInWord = true
                }
            }
            guard quote == nil else { throw .usage("the line ends inside quotes") }
            if isInWord { words.append(try text(word)) }
            return words
        }
    }

    private static func text(_ bytes: [UInt8]) throws(SecurityFailure) -> String {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("the line is no UTF-8; -X takes a password of other bytes")
        }
        return text
    }

    private static let backslash: UInt8 = 0x5C
    private static let singleQuote: UInt8 = 0x27
    private static let doubleQuote: UInt8 = 0x22
}
