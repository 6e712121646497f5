// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Asks with what is there at the moment of asking: a pinentry program, else the terminal, else nobody.
package struct SystemPrompt: SecretPrompt {
    private let environment: PromptEnvironment

    package init(_ environment: PromptEnvironment) {
        self.environment = environment
    }

    package func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        try choosing(question) { (program, question) throws(PromptError) in
            try program.ask(question)
        } onTerminal: { (terminal, question) throws(PromptError) in
            try terminal.ask(question)
        }
    }

    /// Asks by the program, and on the terminal where there is none or it is of no use.
    func choosing<Answer: ~Copyable>(
        _ question: SecretQuestion, byProgram: (PinentryPrompt, SecretQuestion) throws(PromptError) -> Answer,
        onTerminal: (TerminalPrompt, SecretQuestion) throws(PromptError) -> Answer
    ) throws(PromptError) -> Answer {
        let terminal = TerminalPrompt(path: environment.terminal)
        let end = Moment.now.adding(seconds: question.timeout)
        // Whoever has chosen a program wants no other way to ask: when it is unusable, this throws.
        let program = try PinentryProgram.find(environment)
        guard environment.hasDisplay || terminal.isAvailable else { throw .notAvailable(SystemPrompt.nowhere) }
        guard let program else {
            guard terminal.isAvailable else { throw .notAvailable(SystemPrompt.noProgram) }
            return try onTerminal(terminal, question)
        }
        do throws(PromptError) {
            return try byProgram(PinentryPrompt(program: program, environment), question)
        } catch {
            // It can be there and of no use: made for another kind of display, or a terminal it does not know.
            guard case .notAvailable = error, terminal.isAvailable else { throw error }
            var rest = question
            rest.timeout = UInt32(end.remainingSeconds)
            return try onTerminal(terminal, rest)
        }
    }

    private static let nowhere: StaticString = """
        nobody can be asked here: there is no display and no terminal in the foreground; run the program in a terminal
        """
    private static let noProgram: StaticString =
        "no pinentry program is installed that could ask on this display; install one, or run the program in a terminal"
}
