// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// One question put to a pinentry that runs.
struct PinentryConversation {
    private let process: PinentryProcess
    private let question: SecretQuestion
    private let end: Moment

    init(_ process: PinentryProcess, _ question: SecretQuestion, end: Moment) {
        self.process = process
        self.question = question
        self.end = end
    }

    /// Asks until there is an answer; says good-bye after it.
    func secret(
        setup: [AssuanText], within seconds: UInt32, _ patience: borrowing Patience
    ) throws(PromptError) -> SecretBytes {
        try prepare(setup, within: seconds, patience)
        let secret = try confirmed(patience)
        try process.send(AssuanText("BYE"), patience, until: patience.end)
        return secret
    }

    /// Returns when the person agrees, or has read what there is only to be read; anything else is thrown.
    func confirm(
        isNotice: Bool, setup: [AssuanText], within seconds: UInt32, _ patience: borrowing Patience
    ) throws(PromptError) {
        try prepare(setup, within: seconds, patience)
        let ready = min(Moment.now.adding(seconds: 10), patience.end)
        try tell(AssuanText("SETTIMEOUT", String(max(1, end.remainingSeconds))), patience, until: ready)
        try process.send(AssuanText(isNotice ? "CONFIRM --one-button" : "CONFIRM"), patience, until: patience.end)
        var nothing = SecretBuffer(capacity: 0)
        do throws(PromptError) {
            if case .error(let code) = try process.reply(into: &nothing, patience, until: patience.end) {
                throw PinentryConversation.refusal(code)
            }
        } catch { throw wasInterrupted ? .cancelled : error }
        try process.send(AssuanText("BYE"), patience, until: patience.end)
    }

    /// Tells it everything that stays the same, however often it asks.
    private func prepare(
        _ setup: [AssuanText], within seconds: UInt32, _ patience: borrowing Patience
    ) throws(PromptError) {
        let ready = Moment.now.adding(seconds: seconds)
        try greet(patience, until: ready)
        for option in setup { try tell(option, patience, until: ready) }
        if let title = question.okTitle { try tell(AssuanText("SETOK", button: title), patience, until: ready) }
        if let title = question.cancelTitle { try tell(AssuanText("SETCANCEL", button: title), patience, until: ready) }
        try tell(AssuanText("SETTITLE", question.title), patience, until: ready)
        try tell(AssuanText("SETDESC", question.description, lines: 12), patience, until: ready)
    }

    private func confirmed(_ patience: borrowing Patience) throws(PromptError) -> SecretBytes {
        var error = question.error
        for _ in 0..<SecretQuestion.repeatLimit {
            let first = try answer(to: question.prompt, error, confirms: question.confirms, patience)
            if !question.confirms || first.isRepeated { return first.secret.secret }
            // This one cannot ask twice by itself, as pinentry-curses.
            let second = try answer(to: SecretQuestion.repeatPrompt, nil, confirms: false, patience)
            let secret = first.secret.secret
            if secret.isEqualInConstantTime(to: second.secret.secret) { return secret }
            error = SecretQuestion.repeatError
        }
        throw .neverTheSame
    }

    private struct Answer: ~Copyable {
        var secret = SecretBuffer(capacity: SecretQuestion.longestAnswer)
        var isRepeated = false
    }

    private func answer(
        to prompt: String, _ error: String?, confirms: Bool, _ patience: borrowing Patience
    ) throws(PromptError) -> Answer {
        let ready = min(Moment.now.adding(seconds: 10), patience.end)
        try tell(AssuanText("SETPROMPT", prompt), patience, until: ready)
        if let error { try tell(AssuanText("SETERROR", error), patience, until: ready) }
        if confirms {
            try tell(AssuanText("SETREPEAT", SecretQuestion.repeatPrompt), patience, until: ready)
            try tell(AssuanText("SETREPEATERROR", SecretQuestion.repeatError), patience, until: ready)
        }
        try tell(AssuanText("SETTIMEOUT", String(max(1, end.remainingSeconds))), patience, until: ready)
        try process.send(AssuanText("GETPIN"), patience, until: patience.end)
        var answer = Answer()
        do throws(PromptError) {
            switch try process.reply(into: &answer.secret, patience, until: patience.end) {
            case .ok(let isRepeated): answer.isRepeated = isRepeated
            case .error(let code): throw PinentryConversation.refusal(code)
            }
        } catch { throw wasInterrupted ? .cancelled : error }
        return answer
    }

    /// Whether the person ended the dialog by ending the program.
    ///
    /// pinentry-curses, interrupted at the terminal, puts the screen back and ends with 1, without a word.
    private var wasInterrupted: Bool {
        guard let ending = process.ending else { return false }
        return ending.exit_code == 1 || ending.signal == SIGINT || ending.signal == SIGHUP
    }

    private func greet(_ patience: borrowing Patience, until moment: Moment) throws(PromptError) {
        var nothing = SecretBuffer(capacity: 0)
        do throws(PromptError) {
            if case .ok = try process.reply(into: &nothing, patience, until: moment) { return }
        } catch {
            // Nobody has seen a dialog yet, so nobody has refused anything, and something else may ask.
            if case .cancelled = error, question.cancellation.isTripped { throw error }
        }
        throw .notAvailable("the pinentry program does not work here; see what it says when it is started by hand")
    }

    /// Sends what is nice to have: a pinentry that does not know a command does without.
    private func tell(_ text: AssuanText, _ patience: borrowing Patience, until moment: Moment) throws(PromptError) {
        var nothing = SecretBuffer(capacity: 0)
        try process.send(text, patience, until: moment)
        _ = try process.reply(into: &nothing, patience, until: moment)
    }

    /// What an error of libgpg-error's means; its number is in the lower half, what raised it in the upper.
    private static func refusal(_ code: UInt32) -> PromptError {
        switch code & 0xFFFF {
        case 99, 114, 198: .cancelled  // cancelled, not confirmed, fully cancelled
        case 62: .timedOut
        // No pinentry, a screen that is too small or that it does not know, and errors of the system, such as ENOTTY.
        case 85, 301, 0x8000...0xFFFF:
            .notAvailable("pinentry can show nothing here; check DISPLAY and TERM, or make the terminal larger")
        case let number: .failed("pinentry refuses to ask", code: Int32(number))
        }
    }
}
