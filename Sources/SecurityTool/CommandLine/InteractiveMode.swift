// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// `security -i`: reads subcommands from standard input, one a line, of any length.
struct InteractiveMode {
    private let session: Session
    private let prompt: String

    static let usualPrompt = "security> "

    init(_ session: Session, prompt: String) {
        self.session = session
        self.prompt = prompt
    }

    /// Runs all lines to the end; returns the exit code of the last one that failed.
    func run() -> Int32 {
        var code: Int32 = 0
        var source = LineSource()
        let isWatched = isatty(STDIN_FILENO) == 1
        while true {
            if isWatched {
                print(prompt, terminator: "")
                fflush(nil)
            }
            let line: SecretValue
            do throws(CommandError) {
                guard let next = try source.next() else { break }
                line = next
            } catch { return session.report(SecurityFailure(error, in: "read"), of: nil) }
            do throws(SecurityFailure) {
                // A remark, as on a Mac; an apostrophe in it opens no quotes.
                if InteractiveMode.isRemark(line) { continue }
                let words = try QuotedWords.split(line)
                if words.isEmpty { continue }
                if ["quit", "exit"].contains(words[0]), words.count == 1 { break }
                let result = session.execute(words[...])
                if result != 0 { code = result }
            } catch { code = session.report(error, of: nil) }
        }
        if isWatched { print("") }
        return code
    }

    private static func isRemark(_ line: SecretValue) -> Bool {
        unsafe line.withUnsafeBytes { unsafe $0.first == UInt8(ascii: "#") }
    }
}

/// The words of a line, split as by a shell: quotes of both kinds and backslashes, nothing else.
enum QuotedWords {
    /// The words are text; a line that is not UTF-8, or whose quotes do not end, is refused as a whole.
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
                    // Within double quotes a backslash is literal, except before a character that is special there.
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
            throw .usage("the line is not UTF-8; -X or --password-fd accepts a password of other bytes")
        }
        return text
    }

    private static let backslash: UInt8 = 0x5C
    private static let singleQuote: UInt8 = 0x27
    private static let doubleQuote: UInt8 = 0x22
}
