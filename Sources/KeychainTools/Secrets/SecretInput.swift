// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel
internal import KeychainSystem

/// Reads secrets from a descriptor or from the person; never from the command line.
package enum SecretInput {
    /// All bytes from a descriptor, up to the largest secret that an item can have.
    ///
    /// With `line`, one line feed at the end is dropped.
    package static func all(from descriptor: Int32, line: Bool) throws(CommandError) -> SecretValue {
        var read = SecretValue(copying: [])
        var (count, isAtEnd) = (0, false)
        while !isAtEnd {
            let before = read
            guard before.count < most else { throw .failure("the secret is longer than \(most) bytes") }
            read = try unsafe SecretValue(count: max(4096, before.count * 4)) { (buffer) throws(CommandError) in
                unsafe before.withUnsafeBytes { old in
                    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<count]))
                }
                isAtEnd = try unsafe fill(buffer, after: &count, from: descriptor)
            }
        }
        return unsafe read.withUnsafeBytes { bytes in
            if line, unsafe count > 0 && bytes[count - 1] == UInt8(ascii: "\n" as Unicode.Scalar) { count -= 1 }
            return unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    /// Whether the end came before the buffer was full.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, after count: inout Int, from descriptor: Int32
    ) throws(CommandError) -> Bool {
        while count < buffer.count {
            let got = unsafe Glibc.read(
                descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .failure("descriptor \(descriptor) cannot be read (\(errno))") }
            if got == 0 { return true }
            count += got
        }
        return false
    }

    /// The person's input, on the terminal or the display; fails at once where neither exists.
    ///
    /// A command whose question on a terminal is known to scripts has a `line` for it.
    package static func ask(
        _ description: String, prompt: String, confirms: Bool, line: LineQuestion? = nil, otherwise advice: String
    ) throws(CommandError) -> SecretValue {
        let question = SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, confirms: confirms, line: line, timeout: 300,
            cancellation: Cancellation())
        do throws(PromptError) {
            return SecretValue(copying: try SystemPrompt(PersonalAnswer.surroundings).ask(question))
        } catch { throw PersonalAnswer.failure(error, otherwise: advice) }
    }

    private static let most = 1 << 26
}

/// Writes secrets straight to a descriptor, so that no buffer of this process keeps a copy.
package enum SecretOutput {
    /// Writes all of it, then `ending`.
    package static func write(
        _ secret: SecretValue, to descriptor: Int32, ending: String = ""
    ) throws(CommandError) {
        // Output that was printed before comes first.
        _ = llv_flush_output()
        // At once: what several processes write into one pipe stays apart.
        let whole = ending.isEmpty ? secret : SecretValue.joined([secret, SecretValue(copying: Array(ending.utf8))])
        try unsafe whole.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe write(bytes, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(CommandError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .failure("the secret cannot be written: \(unsafe String(cString: strerror(errno)))")
            }
            done += count
        }
    }
}

/// Questions that only a person may answer, and notices; both without secrets.
package enum PersonalAnswer {
    /// "yes" when a dialog was confirmed, the typed line on a terminal, and nil when the person refuses; fails at once where no
    /// prompt is possible, with `advice` in the message.
    package static func ask(
        _ description: String, prompt: String, otherwise advice: String
    ) throws(CommandError) -> String? {
        let question = SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, okTitle: "Yes", cancelTitle: "No",
            timeout: 300, cancellation: Cancellation())
        do throws(PromptError) { return try ConfirmationPrompt(surroundings).ask(question) } catch {
            if case .cancelled = error { return nil }
            throw failure(error, otherwise: advice)
        }
    }

    /// The number of one of `lines` that the person at the terminal chooses, from 0; nil where nobody can be asked.
    ///
    /// Only when input and errors are both on a terminal: what runs in a script fails as it always does.
    package static func choice(_ title: String, among lines: [String]) throws(CommandError) -> Int? {
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
        guard Screen.hasInput, Screen.complaints.isTerminal, surroundings.mayAsk else { return nil }
        let width = String(lines.count).count
        let list = lines.enumerated().map { index, line in
            let number = String(index + 1)
            return "\n" + String(repeating: " ", count: 2 + width - number.count) + "\(number)  \(line)"
        }
        Tool.say(title + list.joined())
        let question = SecretQuestion(
            title: "Llavero", description: "", prompt: "Which one? 1 to \(lines.count), or Enter for none:",
            timeout: 300,
            cancellation: Cancellation())
        let answer: String
        do throws(PromptError) { answer = try ConfirmationPrompt(surroundings).line(question) } catch {
            switch error {
            case .notAvailable: return nil
            case .cancelled: throw .ambiguous("none of them was chosen")
            case .timedOut, .failed: throw failure(error, otherwise: "")
            }
        }
        guard let number = Int(answer.filter { $0 != " " }), (1...lines.count).contains(number) else {
            throw .ambiguous("none of them was chosen")
        }
        return number - 1
    }

    /// Shows a text until the person closes it, or a signal ends the process.
    package static func show(_ text: String) throws(CommandError) {
        let cancellation = Cancellation()
        // The dialog is a separate program, which would stay: the signal that ends this process closes it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let ends = signals
        _ = NamedThread.start("stop-signals") {
            var (signals, number) = (ends, Int32(0))
            unsafe sigwait(&signals, &number)
            cancellation.trip()
        }
        let notice = SecretQuestion(
            title: "Llavero", description: text, prompt: "", timeout: 300, cancellation: cancellation)
        do throws(PromptError) { try ConfirmationPrompt(surroundings).show(notice) } catch {
            switch error {
            case .cancelled, .timedOut: return
            case .notAvailable, .failed: throw failure(error, otherwise: "the message from ssh was: \(text)")
            }
        }
    }

    /// Refuses where LLAVERO_NO_INPUT forbids to ask; `advice` names another way.
    package static func requireAllowed(otherwise advice: String) throws(CommandError) {
        guard !surroundings.mayAsk else { return }
        throw failure(.notAvailable("LLAVERO_NO_INPUT forbids questions"), otherwise: advice)
    }

    static var surroundings: PromptEnvironment {
        PromptEnvironment(variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
    }

    /// Why there is no answer; `advice` names another way where no prompt is possible.
    static func failure(_ error: PromptError, otherwise advice: String) -> CommandError {
        switch error {
        case .cancelled: .failure("no answer was given")
        case .timedOut: .failure("timed out waiting for an answer")
        // `security` on a Mac ends with this status, too, when no prompt is possible.
        case .notAvailable(let text):
            .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, "\(text) (\(advice))", subject: nil, code: nil, retryAfter: nil))
        case .failed(let text, let code): .failure(code == 0 ? "\(text)" : "\(text) (\(code))")
        }
    }
}
