// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainModel

/// What only a person may answer, and what a person is told; nothing of it is secret.
package enum PersonalAnswer {
    /// "yes" where a dialog was agreed to, on a terminal the line that was typed, and nil where the person refuses; fails
    /// at once where nobody can be asked, with `advice` behind it.
    package static func ask(
        _ description: String, prompt: String, otherwise advice: String
    ) throws(CommandError) -> String? {
        let question = SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, okTitle: "Yes", cancelTitle: "No",
            timeout: 300, cancellation: PromptCancellation())
        do throws(PromptError) { return try ConfirmationPrompt(surroundings).ask(question) } catch {
            if case .cancelled = error { return nil }
            throw failure(error, otherwise: advice)
        }
    }

    /// Shows a text, as long as the person lets it stand there, or until the process is told to end.
    package static func show(_ text: String) throws(CommandError) {
        let cancellation = PromptCancellation()
        // The dialog is a program of its own, which would stay: the signal that ends this process takes it along.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let ends = signals
        _ = PromptThread.start {
            var (signals, number) = (ends, Int32(0))
            unsafe sigwait(&signals, &number)
            cancellation.trip()
        }
        let notice = SecretQuestion(
            title: "Llavero", description: text, prompt: "", timeout: 300, cancellation: cancellation)
        do throws(PromptError) { try ConfirmationPrompt(surroundings).show(notice) } catch {
            switch error {
            case .cancelled, .timedOut: return
            case .notAvailable, .failed: throw failure(error, otherwise: "ssh wanted to say: \(text)")
            }
        }
    }

    static var surroundings: PromptEnvironment {
        PromptEnvironment(variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
    }

    /// Why there is no answer; `advice` says what else would do where nobody can be asked.
    static func failure(_ error: PromptError, otherwise advice: String) -> CommandError {
        switch error {
        case .cancelled: .failure("nothing was typed")
        case .timedOut: .failure("nobody answered in time")
        // What `security` ends with on a Mac, too, when nobody can be asked.
        case .notAvailable(let text):
            .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, "\(text) (\(advice))", subject: nil, code: nil, retryAfter: nil))
        case .failed(let text, let code): .failure(code == 0 ? "\(text)" : "\(text) (\(code))")
        }
    }
}
