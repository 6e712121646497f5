// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Asks through a pinentry program: the dialog that GnuPG uses, for terminals and every desktop.
///
/// A new one is started for each question.
package struct PinentryPrompt: SecretPrompt {
    private let program: String
    private let environment: PromptEnvironment
    private let setupTime: UInt32

    /// `program` is an absolute path; it has `setupTime` seconds until it is ready to ask.
    package init(program: String, _ environment: PromptEnvironment, setupTime: UInt32 = 20) {
        self.program = program
        self.environment = environment
        self.setupTime = setupTime
    }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        try conversing(question) { (conversation, setup, patience) throws(PromptError) in
            try conversation.secret(setup: setup, within: setupTime, patience)
        }
    }

    /// Whether the person presses the button that says yes; one that says no is `cancelled`.
    func confirm(_ question: SecretQuestion, isNotice: Bool) throws(PromptError) {
        try conversing(question) { (conversation, setup, patience) throws(PromptError) in
            try conversation.confirm(isNotice: isNotice, setup: setup, within: setupTime, patience)
        }
    }

    /// Starts the program, and ends it when the conversation is over.
    private func conversing<Answer: ~Copyable>(
        _ question: SecretQuestion,
        _ body: (PinentryConversation, [AssuanText], borrowing Patience) throws(PromptError) -> Answer
    ) throws(PromptError) -> Answer {
        let end = Moment.now.adding(seconds: question.timeout)
        // A pinentry that is told the time ends by itself, and tidies up.
        let patience = try PromptError.translating { () throws(BrokenWait) in
            let patience = try Patience(until: end.adding(milliseconds: 2000), cancellation: question.cancellation)
            try patience.check()
            if question.timeout == 0 { throw .timedOut }
            return patience
        }
        let terminal = usableTerminal()
        guard terminal != nil || environment.hasDisplay else {
            throw .notAvailable("a pinentry needs a display, or a terminal in whose foreground the program runs")
        }
        let process = try PinentryProcess(program, environment: environment)
        do throws(PromptError) {
            let answer = try body(PinentryConversation(process, question, end: end), options(terminal), patience)
            process.end(patience: 1000)
            return answer
        } catch {
            process.end()
            // One that was killed leaves the terminal without echo.
            terminal?.restore()
            throw error
        }
    }

    private func usableTerminal() -> Terminal? {
        guard let terminal = try? Terminal(environment.terminal), terminal.isInForeground else { return nil }
        return terminal
    }

    private func options(_ terminal: Terminal?) -> [AssuanText] {
        let options = [
            AssuanText(option: "ttyname", terminal?.path),
            AssuanText(option: "ttytype", terminal == nil ? nil : environment["TERM"]),
            AssuanText(option: "lc-ctype", environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"]),
            AssuanText(
                option: "lc-messages", environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]),
            AssuanText(option: "display", environment["DISPLAY"]),
        ]
        return options.compactMap { $0 }
    }
}
