// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
package import KeychainModel
internal import KeychainTools

/// How a text looks; whoever draws decides what that is on a terminal with or without colours.
package enum ScreenStyle: Sendable, CaseIterable {
    case plain
    case faint
    case strong
    /// The bar at the top.
    case title
    /// The line that keys are about.
    case selected
    case good
    case warning
    case danger
}

/// One picture of the screen: texts at their places, and secrets, which never become texts.
///
/// Everything that is put is safe to write: control characters, escape sequences and what turns the direction of writing round
/// are replaced here, so no name of an item can do anything to the terminal.
package struct ScreenFrame: Sendable {
    package struct Text: Sendable, Equatable {
        package let row: Int
        package let column: Int
        package let text: String
        package let style: ScreenStyle
    }

    /// A part of a secret: bytes that are text of so many columns.
    package struct SecretPart: Sendable {
        package let row: Int
        package let column: Int
        package let width: Int
        package let secret: SecretValue
        package let bytes: Range<Int>

        /// Whether it is the same part at the same place.
        package func isSame(as other: SecretPart) -> Bool {
            secret === other.secret && row == other.row && column == other.column && width == other.width
                && bytes == other.bytes
        }
    }

    package let columns: Int
    package let rows: Int
    package private(set) var texts: [Text] = []
    package private(set) var secrets: [SecretPart] = []
    /// Where a person types; nil for no cursor.
    package private(set) var cursor: Cursor?

    package struct Cursor: Sendable, Equatable {
        package let row: Int
        package let column: Int
    }

    private let isUnicode: Bool

    package init(columns: Int, rows: Int, isUnicode: Bool = true) {
        (self.columns, self.rows, self.isUnicode) = (columns, rows, isUnicode)
    }

    /// Puts a text, cut where its width or the row ends.
    mutating func put(
        _ text: String, _ row: Int, _ column: Int, width: Int = .max, _ style: ScreenStyle = .plain, fills: Bool = false
    ) {
        let room = min(width, columns - column)
        guard row >= 0, row < rows, column >= 0, room > 0 else { return }
        var shown = TextWidth.cut(ScreenFrame.safe(text, columns: room), to: room)
        if !isUnicode { shown = ScreenFrame.ascii(shown) }
        if fills { shown = TextWidth.padded(shown, to: room) }
        guard !shown.isEmpty else { return }
        texts.append(Text(row: row, column: column, text: shown, style: style))
    }

    /// Puts the lines of a secret that fit between two rows; says how many were left out.
    mutating func put(_ secret: SecretLayout, from top: Int = 0, rows: Range<Int>, _ column: Int) {
        for (line, row) in zip(secret.lines.dropFirst(top), rows) where row < self.rows {
            for part in line where column + part.column + part.width <= columns {
                secrets.append(
                    SecretPart(
                        row: row, column: column + part.column, width: part.width, secret: secret.secret,
                        bytes: part.bytes))
            }
        }
    }

    /// Takes away what is there, secrets too, for what is put over it.
    mutating func clear(rows: Range<Int>, columns: Range<Int>) {
        secrets.removeAll { rows.contains($0.row) }
        for row in rows {
            put(String(repeating: " ", count: columns.count), row, columns.lowerBound, width: columns.count)
        }
    }

    mutating func putCursor(_ row: Int, _ column: Int) {
        guard row >= 0, row < rows, column >= 0 else { return }
        cursor = Cursor(row: row, column: min(column, columns - 1))
    }

    /// The same columns in ASCII, for a terminal that has no more.
    private static func ascii(_ text: String) -> String {
        var ascii = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                ascii.unicodeScalars.append(scalar)
            } else {
                let letter = replacements[scalar] ?? "?"
                ascii += String(repeating: letter, count: TextWidth.of(String(Character(scalar))))
            }
        }
        return ascii
    }

    private static let replacements: [Unicode.Scalar: String] = [
        "─": "-", "•": "*", "·": "-", "█": "#", "░": ".", "↓": "v", "↑": "^", "…": ".", "└": "`",
    ]

    /// The text of one row, as a terminal shows it; secrets as bullets.
    package func line(_ row: Int) -> String {
        var cells = [String](repeating: " ", count: columns)
        func write(_ text: String, _ column: Int) {
            var place = column
            for scalar in text.unicodeScalars {
                let letter = String(Character(scalar))
                let width = TextWidth.of(letter)
                guard width > 0 else {
                    if place > column { cells[place - 1] += letter }
                    continue
                }
                guard place + width <= columns else { return }
                cells[place] = letter
                for next in place + 1..<max(place + width, place + 1) { cells[next] = "" }
                place += width
            }
        }
        for text in texts where text.row == row { write(text.text, text.column) }
        for text in secrets where text.row == row { write(String(repeating: "•", count: text.width), text.column) }
        var line = cells.joined()
        while line.last == " " { line.removeLast() }
        return line
    }

    /// A text in one line without what acts on a terminal, and without joiners and selectors: by those, terminals draw several
    /// letters in fewer columns than each of them has.
    static func safe(_ text: String, columns: Int) -> String {
        let bytes = text.utf8.prefix(columns + 1)
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(text.prefix(columns + 1)) }
        var kept = String.UnicodeScalarView()
        // A column has one letter and some marks at most.
        for scalar in text.unicodeScalars.prefix(8 * (columns + 1)) {
            switch scalar.value {
            case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: continue
            default: kept.append(scalar)
            }
        }
        return PlainText.shown(String(kept))
    }
}

/// The lines that a secret takes on a screen: ranges of its bytes and their columns, so that no other copy of it is made.
package struct SecretLayout: Sendable {
    struct Part: Sendable, Equatable {
        let column: Int
        let width: Int
        let bytes: Range<Int>
    }

    /// What is shown: the secret itself, or its bytes in hexadecimal.
    let secret: SecretValue
    let isText: Bool
    private(set) var lines: [[Part]] = []

    /// The lines as text, for tests: no program calls this with a secret.
    package var texts: [String] {
        lines.map { line in
            var text = ""
            for part in line {
                text += String(repeating: " ", count: max(0, part.column - TextWidth.of(text)))
                unsafe secret.withUnsafeBytes { bytes in
                    text += unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[part.bytes]), as: UTF8.self)
                }
            }
            return text
        }
    }

    /// Anything but text that is safe to show becomes hexadecimal digits.
    package init(_ secret: SecretValue, columns: Int, isUnicode: Bool = true) {
        let room = max(columns, 4)
        let isASCII = unsafe secret.withUnsafeBytes { unsafe $0.allSatisfy { $0 < 0x80 } }
        if isUnicode || isASCII, let lines = SecretLayout.lines(of: secret, room) {
            (self.secret, isText, self.lines) = (secret, true, lines)
        } else {
            let digits = secret.hexadecimal()
            (self.secret, isText) = (digits, false)
            lines = SecretLayout.lines(of: digits, room) ?? []
        }
    }

    /// nil where it is not UTF-8, or has characters that do more than be seen.
    private static func lines(of secret: SecretValue, _ room: Int) -> [[Part]]? {
        unsafe secret.withUnsafeBytes { bytes -> [[Part]]? in
            var lines: [[Part]] = []
            var line: [Part] = []
            var (start, column, width, place) = (0, 0, 0, 0)
            func end(_ at: Int) {
                if width > 0 { line.append(Part(column: column, width: width, bytes: start..<at)) }
                (column, width) = (column + width, 0)
            }
            func wrap(_ at: Int) {
                end(at)
                lines.append(line)
                line = []
                column = 0
            }
            var decoder = Unicode.UTF8()
            var input = unsafe bytes.makeIterator()
            while true {
                let scalar: Unicode.Scalar
                switch unsafe decoder.decode(&input) {
                case .scalarValue(let value): scalar = value
                case .emptyInput:
                    end(place)
                    // A line feed at the very end begins no other line.
                    if !line.isEmpty || lines.isEmpty { lines.append(line) }
                    return lines
                case .error: return nil
                }
                let next = place + UTF8.width(scalar)
                switch scalar {
                case "\n":
                    wrap(place)
                    start = next
                case "\r" where unsafe next < bytes.count && bytes[next] == 0x0A:
                    end(place)
                    start = next
                case "\t":
                    end(place)
                    column = min(column + 4 - column % 4, room)
                    start = next
                default:
                    guard SecretLayout.isSafe(scalar) else { return nil }
                    let letter = TextWidth.of(String(Character(scalar)))
                    if column + width + letter > room {
                        wrap(place)
                        start = place
                    }
                    width += letter
                }
                place = next
            }
        }
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        if scalar.actsUnseen { return false }
        switch scalar.properties.generalCategory {
        case .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }
}

/// Text in lines of at most so many columns, broken between words where that is possible.
enum WrappedText {
    static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var width = 0
            for word in paragraph.split(separator: " ") {
                var rest = word
                var restWidth = TextWidth.of(String(word))
                if !line.isEmpty, width + 1 + restWidth <= columns {
                    line += " \(rest)"
                    width += 1 + restWidth
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                while restWidth > columns, !rest.dropFirst().isEmpty {
                    let part = String(rest.prefix(max(1, columns / 2)))
                    lines.append(part)
                    rest = rest.dropFirst(part.count)
                    restWidth -= TextWidth.of(part)
                }
                (line, width) = (String(rest), restWidth)
            }
            lines.append(line)
        }
        return lines
    }
}
