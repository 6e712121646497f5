// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

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
        try conversing(question) { (conversation, setup, deadline) throws(PromptError) in
            try conversation.secret(setup: setup, within: setupTime, deadline)
        }
    }

    /// Whether the person presses the button that says yes; one that says no is `cancelled`.
    func confirm(_ question: SecretQuestion, isNotice: Bool) throws(PromptError) {
        try conversing(question) { (conversation, setup, deadline) throws(PromptError) in
            try conversation.confirm(isNotice: isNotice, setup: setup, within: setupTime, deadline)
        }
    }

    /// Starts the program, and ends it when the conversation is over.
    private func conversing<Answer: ~Copyable>(
        _ question: SecretQuestion,
        _ body: (PinentryConversation, [AssuanText], borrowing Deadline) throws(PromptError) -> Answer
    ) throws(PromptError) -> Answer {
        let end = Instant.now.adding(seconds: question.timeout)
        // A pinentry that is told the time ends by itself, and tidies up.
        let deadline = try PromptError.translating { () throws(WaitFailure) in
            let deadline = try Deadline(until: end.adding(milliseconds: 2000), cancellation: question.cancellation)
            try deadline.check()
            if question.timeout == 0 { throw .timedOut }
            return deadline
        }
        let terminal = usableTerminal()
        guard terminal != nil || environment.hasDisplay else {
            throw .notAvailable("pinentry requires a display, or a terminal where the program runs in the foreground")
        }
        let process = try PinentryProcess(program, environment: environment)
        do throws(PromptError) {
            let answer = try body(PinentryConversation(process, question, end: end), options(terminal), deadline)
            process.end(within: 1000)
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
            AssuanText(option: "lc-ctype", PinentryLocale.letters(environment)),
            AssuanText(
                option: "lc-messages", environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]),
            AssuanText(option: "display", environment["DISPLAY"]),
        ]
        return options.compactMap { $0 }
    }
}

/// The locale in whose letters a pinentry writes to the terminal, and reads what is typed there.
enum PinentryLocale {
    /// The one that the environment names, or C.UTF-8 where that does not exist here, or has letters of ASCII alone.
    ///
    /// A pinentry refuses whatever has a letter that its locale lacks.
    static func letters(_ environment: PromptEnvironment) -> String? {
        let named = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"]
        if let named, let letters = codeset(of: named), letters != "ANSI_X3.4-1968" { return named }
        return codeset(of: "C.UTF-8") == nil ? named : "C.UTF-8"
    }

    /// nil for a locale that this machine does not have.
    private static func codeset(of name: String) -> String? {
        guard let locale = unsafe newlocale(LC_CTYPE_MASK, name, nil) else { return nil }
        defer { unsafe freelocale(locale) }
        guard let text = unsafe nl_langinfo_l(nl_item(CODESET), locale) else { return nil }
        return unsafe String(validatingCString: text)
    }
}

/// Which program shows the dialog.
enum PinentryProgram {
    /// The path of the one that $PINENTRY names, else of `pinentry` in $PATH; nil when there is none.
    ///
    /// A $PINENTRY that is not the path of a program is an error: the user who has set it wants that one.
    static func find(_ environment: PromptEnvironment) throws(PromptError) -> String? {
        if !environment.isPrivileged, let chosen = environment["PINENTRY"] {
            guard isUsable(chosen) else { throw .notAvailable(strange) }
            return chosen
        }
        for folder in environment.searchPath.parts(between: ":") {
            let path = folder + "/pinentry"
            if isUsable(String(path)) { return String(path) }
        }
        return nil
    }

    /// Whether it is an absolute path, of a file that we may execute, and that only we and root can put another
    /// in the place of.
    private static func isUsable(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < Int(PATH_MAX),
            path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return false }
        let folder = path.parts(between: "/").dropLast().joined(separator: "/")
        guard isOurs(path, S_IFREG), isOurs("/" + folder, S_IFDIR) else { return false }
        return unsafe access(path, X_OK) == 0
    }

    private static func isOurs(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == kind && status.st_mode & (S_IWOTH | S_IWGRP) == 0
            && (status.st_uid == 0 || status.st_uid == geteuid())
    }

    private static let strange: StaticString =
        "PINENTRY must be the absolute path of a program that only you or root can change; correct it, or unset it"
}
