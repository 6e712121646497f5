// SPDX-License-Identifier: Apache-2.0

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
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        wide.contains { $0.contains(value) }
    }

    /// What East Asian terminals give two columns.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
