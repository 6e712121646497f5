// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
package import KeychainModel

/// Values as words: nothing in them acts on a terminal, or ends a field.
package enum PlainText {
    /// For a table.
    package static func shown(_ value: JSONText) -> String { shown(text(value)) }

    /// For a sentence.
    package static func shown(_ text: String) -> String {
        if text.utf8.count <= most, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.shown(bytes: most)
    }

    /// For several lines, of any length.
    package static func lines(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return text }
        return text.shown(bytes: .max, lines: .max)
    }

    /// For a field between tabs: what would end it, and what a terminal might act on or writing might be turned round by, as
    /// backslashes write it.
    package static func field(_ value: JSONText) -> String {
        let text = text(value)
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) { return text }
        var field = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": field += "\\\\"
            case "\t": field += "\\t"
            case "\n": field += "\\n"
            case "\r": field += "\\r"
            case _ where scalar.actsUnseen:
                field += "\\u{\(String(scalar.value, radix: 16))}"
            default: field.unicodeScalars.append(scalar)
            }
        }
        return field
    }

    private static func text(_ value: JSONText) -> String {
        switch value {
        case .text(let text): text
        case .boolean(let value): value ? "yes" : "no"
        case .null: ""
        case .number, .list, .object: value.line
        }
    }

    private static let most = 2000
}

/// A value that is printed as JSON, on one line and in the order it was put together.
package indirect enum JSONText {
    case text(String)
    case number(Int64)
    case boolean(Bool)
    case null
    case list([JSONText])
    case object([(String, JSONText)])

    package static func optional(_ text: String?) -> JSONText { text.map { .text($0) } ?? .null }
    package static func optional(_ number: Int64?) -> JSONText { number.map { .number($0) } ?? .null }

    package var line: String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .number(let number): String(number)
        case .boolean(let value): value ? "true" : "false"
        case .null: "null"
        case .list(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.0) + ":" + $0.1.line }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        // What nearly every text is.
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"" + text + "\"" }
        var result = "\""
        for letter in text.unicodeScalars {
            switch letter {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            // Also those that JSON would let through: a terminal may act on them, or turn the writing round.
            case _ where letter.actsUnseen:
                for unit in UTF16.encode(letter) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(letter)
            }
        }
        return result + "\""
    }
}

/// Bytes in hexadecimal digits.
package enum HexText {
    /// Not for secrets, which stay in memory that is wiped.
    package static func digits(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes { text += [digit(byte >> 4, uppercase), digit(byte & 15, uppercase)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that digits in letters of either case stand for; nil where they stand for none.
    package static func bytes(of digits: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.utf8.count / 2)
        var high: UInt8?
        for digit in digits.utf8 {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x41...0x46: value = digit - 0x41 + 10
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ value: UInt8, _ uppercase: Bool) -> UInt8 {
        value < 10 ? 0x30 + value : value - 10 + (uppercase ? 0x41 : 0x61)
    }
}

/// The name by which a person means one item and no other: `id:` and the reference's bytes in hexadecimal digits.
extension PersistentReference {
    package var identifier: String { PersistentReference.identifierPrefix + HexText.digits(of: bytes) }

    /// nil of text that is no such name.
    package init?(identifier: String) {
        let prefix = PersistentReference.identifierPrefix
        guard identifier.hasPrefix(prefix), let bytes = HexText.bytes(of: identifier.dropFirst(prefix.count)) else {
            return nil
        }
        self.init(bytes)
    }

    private static let identifierPrefix = "id:"
}

/// Words of commands that people are told to type.
package enum ShellWord {
    /// As a shell reads it as one word.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+:@%,".utf8.contains(byte)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
