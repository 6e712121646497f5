// SPDX-License-Identifier: Apache-2.0

/// A word of a .netrc file.
internal struct NetrcToken {
    /// What it says, without quotes.
    internal let value: ImportedBytes
    internal let isQuoted: Bool
    /// Counted from one.
    internal let line: Int

    internal var keyword: NetrcKeyword? { isQuoted ? nil : value.text.flatMap(NetrcKeyword.init) }
}

internal enum NetrcKeyword: String {
    case machine, `default`, login, user, password, passwd, account, macdef
}

/// The words of a .netrc file, one after the other.
internal struct NetrcTokens {
    private let bytes: ImportedBytes
    private var position = 0
    private var line = 1

    internal enum Word {
        case token(NetrcToken)
        /// A quote that has no end in its line; the rest of the line is gone. The line, counted from one.
        case damaged(Int)
        case end
    }

    internal init(_ bytes: ImportedBytes) { self.bytes = bytes }

    /// The next word; where a keyword may stand, what begins with a number sign is a comment.
    internal mutating func next(allowingComment: Bool) -> Word {
        while let byte = bytes[position] {
            if ASCII.isSpace(byte) {
                if byte == ASCII.newline { line += 1 }
                position += 1
            } else if byte == ASCII.number, allowingComment {
                endLine()
            } else {
                return byte == ASCII.quote ? quoted() : plain()
            }
        }
        return .end
    }

    private mutating func plain() -> Word {
        let start = position
        while let byte = bytes[position], !ASCII.isSpace(byte) { position += 1 }
        return .token(NetrcToken(value: bytes.part(start..<position), isQuoted: false, line: line))
    }

    private mutating func quoted() -> Word {
        var end = position + 1
        while let byte = bytes[end], byte != ASCII.quote, byte != ASCII.newline {
            end += byte == ASCII.backslash && bytes[end + 1] != ASCII.newline ? 2 : 1
        }
        guard bytes[end] == ASCII.quote else {
            endLine()
            return .damaged(line)
        }
        let inside = position + 1..<end
        let value = ImportedBytes(capacity: inside.count) { output in
            var index = inside.lowerBound
            while index < inside.upperBound, let byte = bytes[index] {
                index += 1
                if byte == ASCII.backslash, index < inside.upperBound, let letter = bytes[index] {
                    output.append(NetrcTokens.escapes[letter] ?? letter)
                    index += 1
                } else {
                    output.append(byte)
                }
            }
            return true
        }
        position = end + 1
        // What stands right after a closing quote belongs to nothing.
        guard let value, bytes[position] == nil || ASCII.isSpace(bytes[position]) else {
            endLine()
            return .damaged(line)
        }
        return .token(NetrcToken(value: value, isQuoted: true, line: line))
    }

    /// Leaves the rest of the line out.
    private mutating func endLine() {
        position = bytes.index(of: ASCII.newline, in: position..<bytes.count) ?? bytes.count
    }

    /// Leaves out a macro: all lines up to an empty one, or to one that no macro has.
    internal mutating func skipMacro() {
        endLine()
        while bytes[position] == ASCII.newline {
            let end = bytes.index(of: ASCII.newline, in: position + 1..<bytes.count) ?? bytes.count
            let text = bytes.trimmed(position + 1..<end)
            if text.isEmpty || bytes.has("machine ", at: text.lowerBound) || bytes.has("default ", at: text.lowerBound)
            {
                return
            }
            position = end
            line += 1
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): ASCII.newline, UInt8(ascii: "r"): ASCII.carriageReturn, UInt8(ascii: "t"): ASCII.tab,
    ]
}
