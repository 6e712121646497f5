// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

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
        let end = Instant.now.adding(seconds: question.timeout)
        if question.cancellation.isTripped { throw .cancelled }
        let terminal = try Terminal(path)
        guard terminal.isInForeground else {
            throw .notAvailable(
                "the program runs in the background of its terminal and cannot read an answer; bring it to the foreground"
            )
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

/// One question put on a terminal that shows nothing of what is typed.
struct TerminalConversation: ~Copyable {
    let terminal: Terminal
    let question: SecretQuestion
    private let deadline: Deadline

    init(_ terminal: Terminal, _ question: SecretQuestion, end: Instant) throws(PromptError) {
        self.terminal = terminal
        self.question = question
        deadline = try PromptError.translating { () throws(WaitFailure) in
            try Deadline(until: end, cancellation: question.cancellation)
        }
    }

    func secret() throws(PromptError) -> SecretBytes {
        if let words = question.line { return try secret(words, atMost: LineQuestion.repeatLimit) }
        for text in [question.title, question.description, question.error ?? ""] where !text.isEmpty {
            try write(text.shown(bytes: 2000, lines: 12) + "\n")
        }
        let words = LineQuestion(
            question.prompt, repetition: SecretQuestion.repeatPrompt, difference: SecretQuestion.repeatError)
        return try secret(words, atMost: SecretQuestion.repeatLimit)
    }

    private func secret(_ words: LineQuestion, atMost attempts: Int) throws(PromptError) -> SecretBytes {
        for _ in 0..<attempts {
            let first = try line(after: words.prompt)
            if !question.isToBeRepeated(first) { return first }
            let second = try line(after: words.repetition)
            if first.isEqualInConstantTime(to: second) { return first }
            try write(words.difference + "\n")
        }
        throw .neverTheSame
    }

    private func line(after prompt: String) throws(PromptError) -> SecretBytes {
        try write(prompt.shown(bytes: 2000) + " ")
        // The line ends on the screen too, however it ends.
        defer { try? write("\n") }
        var line = TypedLine(TypedLine.Keys(terminal))
        while true {
            switch line.take(try key()) {
            case .more: continue
            case .done: return line.secret.secret
            case .cancelled: throw .cancelled
            case .tooLong: throw .tooLong
            }
        }
    }

    func key() throws(PromptError) -> UInt8 {
        while true {
            let isReady = try PromptError.translating { () throws(WaitFailure) in
                try deadline.wait(for: terminal.file, POLLIN, until: Instant.now.adding(milliseconds: 1000))
            }
            // A shell that stopped and continued us may have set it as it likes.
            if !terminal.isHushed { try terminal.hush() }
            if !isReady { continue }
            // Never more than one: the rest of what is typed belongs to another program, or to the next question.
            var byte: UInt8 = 0
            let count = unsafe read(terminal.file, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            throw .failed("the terminal was closed", code: count < 0 ? errno : 0)
        }
    }

    func write(_ text: String) throws(PromptError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(terminal.file, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard count < 0, errno == EAGAIN || errno == EINTR else {
                    throw .failed("the terminal does not accept output", code: errno)
                }
                _ = try PromptError.translating { () throws(WaitFailure) in
                    try deadline.wait(for: terminal.file, POLLOUT)
                }
            }
        }
    }
}
