// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// Asks with what is there at the moment of asking: a pinentry program, else the terminal; fails without both.
///
/// A question of a command that has words for its line is asked on the terminal, where there is one.
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
        try environment.requireQuestions()
        let terminal = TerminalPrompt(path: environment.terminal)
        if question.line != nil, terminal.isAvailable { return try onTerminal(terminal, question) }
        let end = Instant.now.adding(seconds: question.timeout)
        // A chosen program excludes other ways to ask: when it is unusable, this throws.
        let program = try PinentryProgram.find(environment)
        guard environment.hasDisplay || terminal.isAvailable else { throw .notAvailable(SystemPrompt.whyNowhere) }
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

    /// `su -c` runs its command in a session that has no terminal of its own, with the files of one.
    private static var whyNowhere: StaticString {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nowhere }
        let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal < 0 else {
            close(terminal)
            return nowhere
        }
        return detached
    }

    private static let detached: StaticString = """
        no prompt can be shown: this session has no terminal of its own, as under `su -c`; `su -P -c`, `runuser -u` and `sudo -u` leave it one
        """
    private static let nowhere: StaticString = """
        no prompt can be shown: there is no display and no terminal in the foreground; run the program in a terminal
        """
    private static let noProgram: StaticString =
        "no pinentry program is installed that can ask on this display; install one, or run the program in a terminal"
}

/// What there is to ask a person with: the caller reads it, as the environment of the process or something else.
package struct PromptEnvironment: Sendable {
    private let variables: [String: String]
    /// Whether the program has more rights than who started it, who then chooses no program for it.
    package let isPrivileged: Bool
    /// The terminal of the process.
    package let terminal: String

    /// `variables` may be the whole environment.
    package init(variables: [String: String], isPrivileged: Bool, terminal: String = "/dev/tty") {
        self.variables = variables
        self.isPrivileged = isPrivileged
        self.terminal = terminal
    }

    /// The same with other variables in the place of those that have one of `names`, at another terminal, or at none.
    package func with(
        _ others: [(String, String)], named names: [String], terminal: String?
    ) -> PromptEnvironment {
        var variables = variables
        for name in names { variables[name] = nil }
        for (name, value) in others { variables[name] = value }
        return PromptEnvironment(variables: variables, isPrivileged: isPrivileged, terminal: terminal ?? "")
    }

    /// A variable that is set to something.
    subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The variable by which a script makes sure that nobody is asked, whatever terminal or display it has.
    package static let refusal = "LLAVERO_NO_INPUT"

    package var mayAsk: Bool { self[PromptEnvironment.refusal] == nil }

    func requireQuestions() throws(PromptError) {
        if !mayAsk { throw .notAvailable("LLAVERO_NO_INPUT forbids questions") }
    }

    package var hasDisplay: Bool { self["DISPLAY"] != nil || self["WAYLAND_DISPLAY"] != nil }

    /// What a program that shows a dialog gets to know.
    ///
    /// The rest stays here: other secrets are often kept in the environment, and what makes the loader read other
    /// libraries (LD_PRELOAD) has no place in a program that sees a passcode.
    var forDialogs: [String] {
        var passed: [String] = []
        for name in PromptEnvironment.names {
            if name == "PATH" {
                passed.append("PATH=" + searchPath)
            } else if let value = self[name] {
                passed.append(name + "=" + value)
            }
        }
        return passed
    }

    /// Where programs are looked for.
    var searchPath: String {
        let usual = "/usr/local/bin:/usr/bin:/bin"
        return isPrivileged ? usual : self["PATH"] ?? usual
    }

    package static let names = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM",
        "TERMINFO", "TERMINFO_DIRS", "NO_COLOR", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "DBUS_SESSION_BUS_ADDRESS", "XMODIFIERS",
        "GTK_IM_MODULE", "GTK_THEME", "QT_IM_MODULE", "QT_QPA_PLATFORM", "QT_QPA_PLATFORMTHEME", "KDE_FULL_SESSION",
        "PINENTRY_USER_DATA", "INSIDE_EMACS", "TMUX",
    ]
}
