// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication

/// Rows that a verb answers with: a table for people, lines or JSON for programs.
package struct Listing {
    /// What one column is called, in the table's head and in JSON.
    package struct Column: Sendable {
        package let title: String
        package let key: String

        package init(_ title: String, _ key: String) { (self.title, self.key) = (title, key) }
    }

    package let columns: [Column]
    package var rows: [[JSONText]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    package func print(_ form: OutputForm) {
        var text = ""
        switch form {
        case .json:
            let objects = rows.map { JSONText.object(Array(zip(columns.map(\.key), $0))).line }
            text = objects.isEmpty ? "[]\n" : "[" + objects.joined(separator: ",\n ") + "]\n"
        case .plain:
            for row in rows { text += row.map(PlainText.field).joined(separator: "\t") + "\n" }
        case .people: text = table(on: .output)
        }
        Swift.print(text, terminator: "")
    }

    /// Columns as wide as what is in them; what does not fit is taken from the widest.
    private func table(on screen: Screen) -> String {
        guard !rows.isEmpty else { return "" }
        let cells = rows.map { row in row.map { Cell(PlainText.shown($0)) } }
        let titles = columns.map { Cell($0.title) }
        var widths = titles.map(\.width)
        for row in cells {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
        }
        if let width = screen.width { Listing.fit(&widths, into: width - 2 * (widths.count - 1)) }
        var text = screen.bold(Listing.line(titles, widths)) + "\n"
        for row in cells {
            text += Listing.line(row, widths)
            text += "\n"
        }
        return text
    }

    private struct Cell {
        let text: String
        let width: Int

        init(_ text: String) { (self.text, width) = (text, TextWidth.of(text)) }
    }

    /// Nothing but what is to be seen: no spaces at its end.
    private static func line(_ cells: [Cell], _ widths: [Int]) -> String {
        var line = ""
        var spaces = 0
        for (cell, width) in zip(cells, widths) {
            let isCut = cell.width > width
            if cell.width > 0 {
                line += String(repeating: " ", count: spaces)
                line += isCut ? TextWidth.cut(cell.text, to: width) : cell.text
                spaces = 0
            }
            spaces += width - (isCut ? width : cell.width) + 2
        }
        return line
    }

    private static func fit(_ widths: inout [Int], into room: Int) {
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > 4,
            let index = widths.firstIndex(of: widest)
        {
            widths[index] -= 1
        }
    }
}

/// How a verb answers.
package enum OutputForm: Sendable {
    case people
    case plain
    case json

    /// By `--json` and `--plain`.
    package init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--json", "--plain"])
        self = options.has("--json") ? .json : options.has("--plain") ? .plain : .people
    }
}

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
