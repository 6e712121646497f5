// SPDX-License-Identifier: Apache-2.0

import TestPrompts

/// One of the pinentry programs that use a terminal.
enum RealPinentry: String, CaseIterable, Sendable {
    case tty
    case curses

    static let all = allCases

    var path: String { "/usr/bin/pinentry-" + rawValue }

    /// What the key sends, as each sets the terminal.
    var enter: String { self == .tty ? "\n" : "\r" }

    /// Waits for the question, types, and presses Enter.
    func answer(_ terminal: PseudoTerminal, _ secret: String, to prompt: String = "Passcode") throws {
        try terminal.wait(for: prompt)
        try terminal.wait(forEcho: false)
        try terminal.type(secret + enter)
    }
}
