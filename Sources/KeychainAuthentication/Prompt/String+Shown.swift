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
        case .format where scalar.actsUnseen: return "?"
        default: return scalar
        }
    }
}

extension Unicode.Scalar {
    /// Whether it does something to a terminal or to the letters around it and is not seen itself: control characters, ends
    /// of lines, and formats but for those that join letters of some scripts and parts of pictures.
    package var actsUnseen: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: self != "\u{200C}" && self != "\u{200D}"
        default: false
        }
    }
}
