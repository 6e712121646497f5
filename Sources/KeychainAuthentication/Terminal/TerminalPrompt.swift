// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Asks on the terminal, which shows nothing of the answer.
///
/// Ctrl-C refuses the question and does not reach the program; Ctrl-Z does nothing. The terminal is put back on every
/// way out but the end of the whole process.
package struct TerminalPrompt: SecretPrompt {
    private let path: String

    package init(path: String = "/dev/tty") {
        self.path = path
    }

    /// Whether there is one whose foreground we are in.
    package var isAvailable: Bool { (try? Terminal(path))?.isInForeground == true }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        try conversing(question) { conversation throws(PromptError) in try conversation.secret() }
    }

    /// Puts a question to the person, while the terminal shows nothing of itself and is put back afterwards.
    func conversing<Answer: ~Copyable>(
        _ question: SecretQuestion, _ body: (borrowing TerminalConversation) throws(PromptError) -> Answer
    ) throws(PromptError) -> Answer {
        let end = Moment.now.adding(seconds: question.timeout)
        if question.cancellation.isTripped { throw .cancelled }
        let terminal = try Terminal(path)
        guard terminal.isInForeground else {
            throw .notAvailable("the program runs in the background of its terminal, where it cannot be answered")
        }
        return try StopSignals.blocked { () throws(PromptError) in
            defer { terminal.restore() }
            try terminal.hush()
            // What was typed before the question was no answer to it, and what is left over is no command to a shell.
            terminal.forgetInput()
            defer { terminal.forgetInput() }
            return try body(try TerminalConversation(terminal, question, end: end))
        }
    }
}
