// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Asks a person what only a person may answer by yes or no, of which nothing is secret.
package struct ConfirmationPrompt: Sendable {
    private let environment: PromptEnvironment

    package init(_ environment: PromptEnvironment) { self.environment = environment }

    /// The answer: "yes" where a dialog was agreed to, and on a terminal what was typed there.
    ///
    /// Who presses a dialog's other button, or Ctrl-C on the terminal, has `cancelled` it.
    package func ask(_ question: SecretQuestion) throws(PromptError) -> String {
        try SystemPrompt(environment).choosing(question) { (program, question) throws(PromptError) in
            try program.confirm(question, isNotice: false)
            return "yes"
        } onTerminal: { (terminal, question) throws(PromptError) in
            try terminal.conversing(question) { conversation throws(PromptError) in
                try conversation.visibleLine()
            }
        }
    }

    /// A line that is typed on the terminal, and never by a dialog; it is shown while it is typed.
    package func line(_ question: SecretQuestion) throws(PromptError) -> String {
        try environment.requireQuestions()
        return try TerminalPrompt(path: environment.terminal).conversing(question) { conversation throws(PromptError) in
            try conversation.visibleLine()
        }
    }

    /// Shows what is only to be read.
    ///
    /// A line on the terminal is there at once; a dialog stays until the person closes it, or until it is taken back.
    package func show(_ notice: SecretQuestion) throws(PromptError) {
        // First, unlike a question: a dialog in a terminal would have to be closed by a key.
        if let terminal = try? Terminal(environment.terminal), terminal.isInForeground {
            let line = Array((notice.description.shown(bytes: 2000, lines: 12) + "\n").utf8)
            // A terminal that does not accept output now has no reader.
            _ = unsafe line.withUnsafeBytes { bytes in unsafe write(terminal.file, bytes.baseAddress, bytes.count) }
            return
        }
        guard environment.hasDisplay, let program = try PinentryProgram.find(environment) else {
            throw .notAvailable(
                "the text cannot be shown: there is no terminal in the foreground, and no display with a pinentry program"
            )
        }
        try PinentryPrompt(program: program, environment).confirm(notice, isNotice: true)
    }
}

extension TerminalConversation {
    /// Asks for a line that is shown while it is typed.
    func visibleLine() throws(PromptError) -> String {
        for text in [question.description, question.prompt] where !text.isEmpty {
            try write(text.shown(bytes: 2000, lines: 12) + " ")
        }
        // The line ends on the screen too, however it ends.
        defer { try? write("\n") }
        let keys = TypedLine.Keys(terminal)
        var line = ""
        while true {
            let byte = try key()
            switch byte {
            case keys.interrupt, keys.quit: throw .cancelled
            case keys.endOfFile where line.isEmpty: throw .cancelled
            case keys.endOfFile, UInt8(ascii: "\n"), UInt8(ascii: "\r"): return line
            case keys.erase, 0x08, 0x7F:
                if line.popLast() != nil { try write("\u{8} \u{8}") }
            case keys.kill:
                try write(String(repeating: "\u{8} \u{8}", count: line.utf8.count))
                line = ""
            // Words and fingerprints have no other letters, and none is this long.
            case 0x20..<0x7F where line.utf8.count < 200:
                line.unicodeScalars.append(Unicode.Scalar(byte))
                try write(String(Unicode.Scalar(byte)))
            default: break
            }
        }
    }
}
