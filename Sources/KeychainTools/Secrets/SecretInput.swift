// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel

/// Secrets that a tool is given: from a descriptor, or from the person; never from the command line unless it is asked to.
package enum SecretInput {
    /// Everything that comes from a descriptor, of any bytes, up to the largest that an item can have.
    ///
    /// With `line` one line feed at the end does not count.
    package static func all(from descriptor: Int32, line: Bool) throws(CommandError) -> SecretValue {
        var read = SecretValue(copying: [])
        var (count, isAtEnd) = (0, false)
        while !isAtEnd {
            let before = read
            guard before.count < most else { throw .failure("a secret has at most \(most) bytes") }
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
            guard got >= 0 else { throw .failure("nothing can be read from descriptor \(descriptor) (\(errno))") }
            if got == 0 { return true }
            count += got
        }
        return false
    }

    /// What the person types, at the terminal or the display; fails at once where there is neither.
    package static func ask(
        _ description: String, prompt: String, confirms: Bool, otherwise advice: String
    ) throws(CommandError) -> SecretValue {
        let question = SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, confirms: confirms, timeout: 300,
            cancellation: PromptCancellation())
        do throws(PromptError) {
            return SecretValue(copying: try SystemPrompt(PersonalAnswer.surroundings).ask(question))
        } catch { throw PersonalAnswer.failure(error, otherwise: advice) }
    }

    private static let most = 1 << 26
}

/// Secrets that a tool hands out: straight to a descriptor, so that nothing of ours keeps a copy.
package enum SecretOutput {
    /// Writes all of it, and what belongs behind it.
    package static func write(
        _ secret: SecretValue, to descriptor: Int32, ending: String = ""
    ) throws(CommandError) {
        // What was printed before comes before.
        fflush(nil)
        try unsafe secret.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe write(bytes, to: descriptor) }
        let end = SecretValue(copying: Array(ending.utf8))
        try unsafe end.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe write(bytes, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(CommandError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failure("the secret cannot be written (\(errno))") }
            done += count
        }
    }
}

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
