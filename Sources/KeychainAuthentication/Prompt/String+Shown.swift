// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text without what does more than be read: control characters, and marks that turn the writing round.
    ///
    /// At most so many bytes, and so many lines, or the words that matter could be pushed off
    /// the screen by others.
    package func shown(bytes limit: Int, lines: Int = 1) -> String {
        var shown = ""
        var (size, breaks) = (0, 0)
        // By scalars and not by characters: one character can consist of any number of them.
        for scalar in unicodeScalars {
            var scalar = String.visible(scalar)
            if scalar == "\n" {
                breaks += 1
                if lines == 1 { scalar = " " } else if breaks >= lines { break }
            }
            size += UTF8.width(scalar)
            if size > limit { break }
            shown.unicodeScalars.append(scalar)
        }
        return shown
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return "\n"
        case .control where scalar == "\n": return "\n"
        case .control where scalar == "\t": return " "
        case .control, .surrogate, .privateUse, .unassigned: return "?"
        case .format where isTurning(scalar.value): return "?"
        default: return scalar
        }
    }

    /// Embeddings, overrides and isolates.
    private static func isTurning(_ value: UInt32) -> Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
