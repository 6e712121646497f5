// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The rows of a verb's output: a table for people, lines or JSON for programs.
package struct Listing {
    /// The name of a column, in the table's head and in JSON.
    package struct Column: Sendable {
        package let title: String
        package let key: String

        /// Half of it says nothing, as of a time: others are cut before it.
        package let isWhole: Bool

        package init(_ title: String, _ key: String, isWhole: Bool = false) {
            (self.title, self.key, self.isWhole) = (title, key, isWhole)
        }
    }

    package let columns: [Column]
    package var rows: [[JSONText]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    package func print(_ form: OutputForm) {
        var writer = ListingWriter(columns, form)
        writer.put(rows)
        writer.end()
    }
}

/// Prints a listing part by part, for one that is too long to be in memory.
///
/// In a table the first part decides how wide the columns are. Where lines are not cut, a longer text of a later part moves
/// what stands behind it in its line.
package struct ListingWriter {
    private let columns: [Listing.Column]
    private let form: OutputForm
    private let screen: Screen
    private var isFirst = true
    /// Of the columns of a table, from the first part on.
    private var widths: [Int] = []

    package init(_ columns: [Listing.Column], _ form: OutputForm) {
        (self.columns, self.form, screen) = (columns, form, Screen.output)
    }

    package mutating func put(_ rows: [[JSONText]]) {
        guard !rows.isEmpty else { return }
        var text = ""
        switch form {
        case .json:
            let keys = columns.map(\.key)
            for row in rows {
                text += (isFirst ? "[" : ",\n ") + JSONText.object(Array(zip(keys, row))).line
                isFirst = false
            }
        case .plain:
            for row in rows { text += row.map(PlainText.field).joined(separator: "\t") + "\n" }
        case .people: text = table(rows)
        }
        isFirst = false
        Swift.print(text, terminator: "")
    }

    package func end() {
        if form == .json { Swift.print(isFirst ? "[]" : "]") }
    }

    /// Columns as wide as their contents; the widest are cut until all fit.
    private mutating func table(_ rows: [[JSONText]]) -> String {
        let cells = rows.map { row in row.map { Cell(PlainText.shown($0)) } }
        var text = ""
        if isFirst {
            let titles = columns.map { Cell($0.title) }
            widths = titles.map(\.width)
            for row in cells {
                for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
            }
            if let width = screen.width {
                let room = width - 2 * (widths.count - 1)
                ListingWriter.fit(&widths, columns.indices.filter { !columns[$0].isWhole }, into: room)
                ListingWriter.fit(&widths, Array(columns.indices), into: room)
            } else {
                // Nothing is cut where nobody looks, and one long text does not make every line as long.
                widths = widths.map { min($0, ListingWriter.widestUncut) }
            }
            text = screen.bold(line(titles)) + "\n"
        }
        for row in cells {
            text += line(row)
            text += "\n"
        }
        return text
    }

    private static let widestUncut = 60

    private struct Cell {
        let text: String
        let width: Int

        init(_ text: String) { (self.text, width) = (text, TextWidth.of(text)) }
    }

    /// Without spaces at the end.
    private func line(_ cells: [Cell]) -> String {
        var line = ""
        var spaces = 0
        for (cell, width) in zip(cells, widths) {
            let isCut = cell.width > width && screen.width != nil
            if cell.width > 0 {
                line += String(repeating: " ", count: spaces)
                line += isCut ? TextWidth.cut(cell.text, to: width) : cell.text
                spaces = 0
            }
            spaces += max(0, width - cell.width) + 2
        }
        return line
    }

    private static func fit(_ widths: inout [Int], _ columns: [Int], into room: Int) {
        while widths.reduce(0, +) > room, let widest = columns.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4
        {
            widths[widest] -= 1
        }
    }
}

/// The output format of a verb.
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

/// How many columns of a terminal a text takes.
package enum TextWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text, cut so that it takes at most so many columns, and then with an ellipsis at its end.
    package static func cut(_ text: String, to columns: Int) -> String {
        if of(text) <= columns { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var width = 1
        for scalar in text.unicodeScalars {
            width += of(scalar)
            if width > columns { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept + "…"
    }

    /// The text with spaces behind it.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : Int(llv_character_width(scalar.value))
    }
}
