// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
package import KeychainModel
internal import KeychainSystem

/// Values as text that cannot control a terminal or end a field.
package enum PlainText {
    /// For a table.
    package static func shown(_ value: JSONText) -> String { shown(text(value)) }

    /// The same of each of its lines.
    package static func shownLines(_ value: JSONText) -> [String] {
        let lines = text(value).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { shown(String($0) ?? "") }
    }

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

    /// For a field between tabs: separators, control characters and characters that change the direction of text become
    /// backslash escapes.
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

/// A value that is printed as JSON, on one line and in the order of construction.
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
        // The usual case.
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"" + text + "\"" }
        var result = "\""
        for letter in text.unicodeScalars {
            switch letter {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            // Also characters that JSON allows: a terminal may act on them, or they change the direction of text.
            case _ where letter.actsUnseen: result += letter.escapedForJSON
            default: result.unicodeScalars.append(letter)
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    /// By its number, as every string in JSON may have it.
    package var escapedForJSON: String {
        var result = ""
        for unit in UTF16.encode(self) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return result
    }
}

extension UnsafeRawBufferPointer {
    /// The character that begins at `index`, and its number of bytes, where it acts unseen: on a terminal, or on the text around it.
    ///
    /// nil for any other one, within one, and for what is not UTF-8.
    package func unseenLetter(at index: Int) -> (letter: Unicode.Scalar, count: Int)? {
        guard index < count else { return nil }
        let byte = unsafe self[index]
        if byte < 0x80 {
            let letter = Unicode.Scalar(byte)
            return letter.actsUnseen ? (letter, 1) : nil
        }
        var decoder = Unicode.UTF8()
        var rest = unsafe self[index..<Swift.min(index + 4, count)].makeIterator()
        guard case .scalarValue(let letter) = unsafe decoder.decode(&rest), letter.actsUnseen else { return nil }
        return (letter, UTF8.width(letter))
    }
}

/// A name that identifies exactly one item: `id:` and the reference's bytes in hexadecimal digits.
extension PersistentReference {
    package var identifier: String { PersistentReference.identifierPrefix + Hexadecimal.digits(of: bytes) }

    /// nil for any other text.
    package init?(identifier: String) {
        guard let digits = identifier.behind(PersistentReference.identifierPrefix),
            let bytes = Hexadecimal.bytes(of: digits)
        else { return nil }
        self.init(bytes)
    }

    private static let identifierPrefix = "id:"
}

/// Words of shell commands in messages.
package enum ShellWord {
    /// Quoted so that a shell reads it as one word.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+:@%,".utf8.contains(byte)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacingScalars { $0 == "'" ? "'\\''" : nil } + "'"
    }

    /// The same at the end of a command, where one that begins with a dash is no option.
    package static func operand(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }
}
