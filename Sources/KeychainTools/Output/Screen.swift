// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What a descriptor leads to, as far as it matters to what is written there.
package struct Screen: Sendable {
    package let isTerminal: Bool
    /// Columns; nil where nothing has to be cut.
    package let width: Int?
    /// Whether colours are wanted: on a terminal that has them, and never where NO_COLOR is set.
    package let hasColours: Bool

    package init(of descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        if isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            width = Int(size.ws_col)
        } else {
            width = isTerminal ? 80 : nil
        }
        hasColours =
            isTerminal && (Screen.variable("NO_COLOR") ?? "").isEmpty
            && !["", "dumb"].contains(Screen.variable("TERM") ?? "")
    }

    package static let output = Screen(of: STDOUT_FILENO)
    package static let complaints = Screen(of: STDERR_FILENO)
    package static var hasInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// The text in bold letters, where there are any.
    package func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// The text in faint letters, where there are any.
    package func faint(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
