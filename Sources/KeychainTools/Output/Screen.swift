// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The properties of an output that matter for what is written to it.
package struct Screen: Sendable {
    package let isTerminal: Bool
    /// Columns; nil where lines are not cut.
    package let width: Int?
    /// Whether to use colours: on a terminal that has them, and never where NO_COLOR is set.
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

    /// The text in bold, where the terminal can show that.
    package func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// The text in faint letters, where the terminal can show that.
    package func faint(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}

/// A progress bar for operations longer than a second: on standard error, only on a terminal.
package struct ProgressBar {
    private let title: String
    private var total: Int
    private let start: Int64
    private var shownAt: Int64 = 0
    private let screen = Screen.complaints

    package init(_ title: String, of total: Int = 0) {
        (self.title, self.total) = (title, total)
        start = ProgressBar.now()
    }

    /// Shows the progress; `total` where that is known only now.
    package mutating func step(to done: Int, of total: Int? = nil) {
        self.total = total ?? self.total
        let total = self.total
        guard screen.isTerminal, total > 0 else { return }
        let now = ProgressBar.now()
        guard now - start > 1000, now - shownAt > 100 else { return }
        shownAt = now
        let room = max(10, min(40, (screen.width ?? 80) - title.utf8.count - 20))
        let full = min(room, room * done / total)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
        ProgressBar.write("\r\(title) [\(bar)] \(done)/\(total)")
    }

    /// Shows how many are done, where nobody knows of how many.
    package mutating func count(_ done: Int) {
        guard screen.isTerminal else { return }
        let now = ProgressBar.now()
        guard now - start > 1000, now - shownAt > 100 else { return }
        shownAt = now
        ProgressBar.write("\r\(title) \(done)")
    }

    /// Removes the bar.
    package func end() {
        if shownAt > 0 { ProgressBar.write("\r\u{1B}[K") }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Milliseconds of a monotonic clock.
    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
