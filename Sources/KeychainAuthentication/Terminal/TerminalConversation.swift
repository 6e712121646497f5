// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// One question put on a terminal that shows nothing of what is typed.
struct TerminalConversation: ~Copyable {
    let terminal: Terminal
    let question: SecretQuestion
    private let patience: Patience

    init(_ terminal: Terminal, _ question: SecretQuestion, end: Moment) throws(PromptError) {
        self.terminal = terminal
        self.question = question
        do throws(BrokenWait) { patience = try Patience(until: end, cancellation: question.cancellation) } catch {
            throw PromptError(error)
        }
    }

    func secret() throws(PromptError) -> SecretBytes {
        for text in [question.title, question.description] where !text.isEmpty {
            try write(text.shown(bytes: 2000, lines: 12) + "\n")
        }
        var error = question.error
        for _ in 0..<SecretQuestion.repeatLimit {
            if let error { try write(error.shown(bytes: 500) + "\n") }
            let first = try line(after: question.prompt)
            if !question.confirms { return first }
            let second = try line(after: SecretQuestion.repeatPrompt)
            if first.isEqualInConstantTime(to: second) { return first }
            error = SecretQuestion.repeatError
        }
        throw .neverTheSame
    }

    private func line(after prompt: String) throws(PromptError) -> SecretBytes {
        try write(prompt.shown(bytes: 200) + " ")
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
            let isReady = try PromptError.translating { () throws(BrokenWait) in
                try patience.wait(for: terminal.file, POLLIN, until: Moment.now.adding(milliseconds: 1000))
            }
            // A shell that stopped and continued us may have set it as it likes.
            if !terminal.isHushed { try terminal.hush() }
            if !isReady { continue }
            // Never more than one: the rest of what is typed belongs to somebody else, or to the next question.
            var byte: UInt8 = 0
            let count = unsafe read(terminal.file, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            throw .failed("the terminal has gone", code: count < 0 ? errno : 0)
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
                    throw .failed("the terminal takes no text", code: errno)
                }
                _ = try PromptError.translating { () throws(BrokenWait) in
                    try patience.wait(for: terminal.file, POLLOUT)
                }
            }
        }
    }
}
