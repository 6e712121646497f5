// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel

/// Passcodes for the verbs: from a descriptor that an option names, else from the person at the terminal or the display.
///
/// Never from the command line, which every program of the machine may read.
package enum PasscodeInput {
    /// `what` is what the person is asked for; with `confirms` it has to be typed twice.
    ///
    /// `option` is the one that names the descriptor, for who has to be told of it.
    package static func passcode(
        _ descriptor: Int32?, _ what: String, confirms: Bool = false, option: String = "--fd"
    ) throws(CommandError) -> Passcode {
        if let descriptor {
            return try ToolKeychain.translating { () throws(KeychainError) in
                try PasscodeSource.read(from: descriptor)
            }
        }
        let question = SecretQuestion(
            title: "Llavero", description: what, prompt: "Passcode:", confirms: confirms, timeout: patience,
            cancellation: PromptCancellation())
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
        let answer: SecretBytes
        do throws(PromptError) { answer = try SystemPrompt(surroundings).ask(question) } catch {
            guard case .notAvailable = error else { throw .failure(words(for: error, option)) }
            throw .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, words(for: error, option), subject: nil, code: nil,
                    retryAfter: nil))
        }
        guard let passcode = unsafe answer.withUnsafeBytes({ unsafe Passcode(copying: $0) }) else {
            throw .failure("a passcode has between 1 and 1000 bytes")
        }
        return passcode
    }

    /// Has the passcode given, and used: one from a descriptor once; a person has three attempts, as far as the counter admits
    /// them at once.
    ///
    /// `use` says by `authenticationFailed` that it was wrong.
    package static func using<Result>(
        _ descriptor: Int32?, _ what: String, option: String = "--fd",
        _ use: (Passcode) throws(CommandError) -> Result
    ) throws(CommandError) -> Result {
        var words = what
        var attempt = 1
        while true {
            let passcode = try passcode(descriptor, words, option: option)
            do throws(CommandError) { return try use(passcode) } catch {
                guard descriptor == nil, attempt < mostAttempts, case .keychain(let cause) = error,
                    cause.reason == .authenticationFailed, cause.retryAfter == nil
                else { throw error }
            }
            attempt += 1
            words = "That passcode is wrong; attempt \(attempt) of \(mostAttempts). \(what)"
        }
    }

    private static let mostAttempts = 3

    /// The descriptor that an option names, or that of standard input where `--stdin` is given.
    package static func descriptorOrInput(
        _ options: Options, _ name: String = "--fd"
    ) throws(CommandError) -> Int32? {
        try options.requireOne(of: ["--stdin", name])
        guard options.has("--stdin") else { return try descriptor(options, name) }
        if Screen.hasInput {
            throw .usage("--stdin reads what is redirected to it; without it the passcode is asked for, unseen")
        }
        return 0
    }

    /// The descriptor that an option names.
    package static func descriptor(_ options: Options, _ name: String) throws(CommandError) -> Int32? {
        try options.number(name, in: 0...Int32.max, "the number of a descriptor")
    }

    private static func words(for error: PromptError, _ option: String) -> String {
        switch error {
        case .cancelled: "no passcode was given"
        case .timedOut: "nobody answered in time"
        case .notAvailable(let text): "\(text) (\(option) N reads it from a descriptor)"
        case .failed(let text, let code): code == 0 ? "\(text)" : "\(text) (\(code))"
        }
    }

    /// Seconds that a person has.
    private static let patience: UInt32 = 300
}
