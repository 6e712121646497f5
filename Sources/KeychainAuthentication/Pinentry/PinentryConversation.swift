// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// One question put to a pinentry that runs.
struct PinentryConversation {
    private let process: PinentryProcess
    private let question: SecretQuestion
    private let end: Instant

    init(_ process: PinentryProcess, _ question: SecretQuestion, end: Instant) {
        self.process = process
        self.question = question
        self.end = end
    }

    /// Asks until there is an answer; says good-bye after it.
    func secret(
        setup: [AssuanText], within seconds: UInt32, _ deadline: borrowing Deadline
    ) throws(PromptError) -> SecretBytes {
        try prepare(setup, within: seconds, deadline)
        let secret = try confirmed(deadline)
        try process.send(AssuanText("BYE"), deadline, until: deadline.end)
        return secret
    }

    /// Returns when the person agrees, or has read what there is only to be read; anything else is thrown.
    func confirm(
        isNotice: Bool, setup: [AssuanText], within seconds: UInt32, _ deadline: borrowing Deadline
    ) throws(PromptError) {
        try prepare(setup, within: seconds, deadline)
        let ready = min(Instant.now.adding(seconds: 10), deadline.end)
        try tell(AssuanText("SETTIMEOUT", String(max(1, end.remainingSeconds))), deadline, until: ready)
        try process.send(AssuanText(isNotice ? "CONFIRM --one-button" : "CONFIRM"), deadline, until: deadline.end)
        var nothing = SecretBuffer(capacity: 0)
        do throws(PromptError) {
            if case .error(let code) = try process.reply(into: &nothing, deadline, until: deadline.end) {
                throw PinentryConversation.refusal(code)
            }
        } catch { throw wasInterrupted ? .cancelled : error }
        try process.send(AssuanText("BYE"), deadline, until: deadline.end)
    }

    /// Tells it everything that stays the same, however often it asks.
    private func prepare(
        _ setup: [AssuanText], within seconds: UInt32, _ deadline: borrowing Deadline
    ) throws(PromptError) {
        let ready = Instant.now.adding(seconds: seconds)
        try greet(deadline, until: ready)
        for option in setup { try tell(option, deadline, until: ready) }
        if let title = question.okTitle { try tell(AssuanText("SETOK", button: title), deadline, until: ready) }
        if let title = question.cancelTitle { try tell(AssuanText("SETCANCEL", button: title), deadline, until: ready) }
        try tell(AssuanText("SETTITLE", question.title), deadline, until: ready)
        try tell(AssuanText("SETDESC", question.description, lines: 12), deadline, until: ready)
    }

    private func confirmed(_ deadline: borrowing Deadline) throws(PromptError) -> SecretBytes {
        var error = question.error
        for _ in 0..<SecretQuestion.repeatLimit {
            let first = try answer(to: question.prompt, error, confirms: question.confirms, deadline)
            let isRepeated = first.isRepeated
            let secret = first.secret.secret
            if isRepeated || !question.isToBeRepeated(secret) { return secret }
            // This one cannot ask twice by itself, as pinentry-curses.
            let second = try answer(to: SecretQuestion.repeatPrompt, nil, confirms: false, deadline)
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
        to prompt: String, _ error: String?, confirms: Bool, _ deadline: borrowing Deadline
    ) throws(PromptError) -> Answer {
        let ready = min(Instant.now.adding(seconds: 10), deadline.end)
        try tell(AssuanText("SETPROMPT", prompt), deadline, until: ready)
        if let error { try tell(AssuanText("SETERROR", error), deadline, until: ready) }
        if confirms {
            try tell(AssuanText("SETREPEAT", SecretQuestion.repeatPrompt), deadline, until: ready)
            try tell(AssuanText("SETREPEATERROR", SecretQuestion.repeatError), deadline, until: ready)
        }
        try tell(AssuanText("SETTIMEOUT", String(max(1, end.remainingSeconds))), deadline, until: ready)
        try process.send(AssuanText("GETPIN"), deadline, until: deadline.end)
        var answer = Answer()
        do throws(PromptError) {
            switch try process.reply(into: &answer.secret, deadline, until: deadline.end) {
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
        return ending.code == 1 || ending.signal == SIGINT || ending.signal == SIGHUP
    }

    private func greet(_ deadline: borrowing Deadline, until moment: Instant) throws(PromptError) {
        var nothing = SecretBuffer(capacity: 0)
        do throws(PromptError) {
            if case .ok = try process.reply(into: &nothing, deadline, until: moment) { return }
        } catch {
            // No dialog was shown yet, so the person has not refused, and another prompt may ask.
            if case .cancelled = error, question.cancellation.isTripped { throw error }
        }
        throw .notAvailable(
            "the pinentry program failed before it showed a dialog; start it by hand to see its message")
    }

    /// Sends what is nice to have: a pinentry that does not know a command does without.
    private func tell(_ text: AssuanText, _ deadline: borrowing Deadline, until moment: Instant) throws(PromptError) {
        var nothing = SecretBuffer(capacity: 0)
        try process.send(text, deadline, until: moment)
        _ = try process.reply(into: &nothing, deadline, until: moment)
    }

    /// What an error of libgpg-error's means; its number is in the lower half, what raised it in the upper.
    private static func refusal(_ code: UInt32) -> PromptError {
        switch code & 0xFFFF {
        case 99, 114, 198: .cancelled  // cancelled, not confirmed, fully cancelled
        case 62: .timedOut
        // No pinentry, a screen that is too small or that it does not know, and errors of the system, such as ENOTTY.
        case 85, 301, 0x8000...0xFFFF:
            .notAvailable("pinentry cannot show a dialog; check DISPLAY and TERM, or make the terminal larger")
        case 166: .notAvailable("pinentry cannot show the text in this locale; set LC_ALL=C.UTF-8")
        case let number: .failed("pinentry refused to show the dialog", code: Int32(number))
        }
    }
}
