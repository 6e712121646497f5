// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication

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
