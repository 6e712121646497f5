// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel
internal import KeychainSystem

/// Passcodes for the verbs: from a descriptor that an option names, else from the person at the terminal or the display.
///
/// Never from the command line, which every program on the machine can read.
package enum PasscodeInput {
    /// `what` is the prompt; with `confirms` the passcode has to be typed twice, unless it has fewer characters than `least`, for
    /// then the caller refuses it.
    ///
    /// `option` is the option that names the descriptor, and `secret` what it is to give, for messages; `prompt` stands before what
    /// is typed.
    package static func passcode(
        _ descriptor: Int32?, _ what: String, confirms: Bool = false, least: Int = 0, option: String = "--fd",
        secret: String = "it", prompt: String = "Passcode:"
    ) throws(CommandError) -> Passcode {
        if let descriptor {
            return try ToolKeychain.translating { () throws(KeychainError) in
                try PasscodeSource.read(from: descriptor)
            }
        }
        var question = SecretQuestion(
            title: "Llavero", description: what, prompt: prompt, confirms: confirms, timeout: patience,
            cancellation: Cancellation())
        question.leastCharacters = least
        let surroundings = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
        let answer: SecretBytes
        do throws(PromptError) { answer = try SystemPrompt(surroundings).ask(question) } catch {
            guard case .notAvailable = error else { throw .failure(words(for: error, option, secret)) }
            throw .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, words(for: error, option, secret), subject: nil, code: nil,
                    retryAfter: nil))
        }
        guard let passcode = unsafe answer.withUnsafeBytes({ unsafe Passcode(copying: $0) }) else {
            throw .failure(answer.count == 0 ? "nothing was typed" : "a passcode has between 1 and 1000 bytes")
        }
        return passcode
    }

    /// Reads the passcode and uses it: once from a descriptor; a person has three attempts, as long as the attempt counter
    /// allows them without a delay.
    ///
    /// `use` says by `authenticationFailed` that it was wrong.
    package static func using<Result>(
        _ descriptor: Int32?, _ what: String, option: String = "--fd", secret: String = "it",
        _ use: (Passcode) throws(CommandError) -> Result
    ) throws(CommandError) -> Result {
        var words = what
        var attempt = 1
        while true {
            let passcode = try passcode(descriptor, words, option: option, secret: secret)
            do throws(CommandError) { return try use(passcode) } catch {
                guard descriptor == nil, attempt < mostAttempts, case .keychain(let cause) = error,
                    cause.reason == .authenticationFailed, cause.retryAfter == nil
                else { throw error }
            }
            attempt += 1
            words = "Wrong passcode; attempt \(attempt) of \(mostAttempts). \(what)"
        }
    }

    /// The same for the password of a file: `use` returns nil where it was wrong, and `wrong` is the error after the last one.
    package static func opening<Result>(
        _ descriptor: Int32?, _ what: String, secret: String = "it", prompt: String, wrong: CommandError,
        _ use: (Passcode) throws(CommandError) -> Result?
    ) throws(CommandError) -> Result {
        for attempt in 1...(descriptor == nil ? mostAttempts : 1) {
            let words = attempt == 1 ? what : "That was not it; attempt \(attempt) of \(mostAttempts). \(what)"
            if let result = try use(try passcode(descriptor, words, secret: secret, prompt: prompt)) { return result }
        }
        throw wrong
    }

    private static let mostAttempts = 3

    /// The descriptor that an option names, or that of standard input where `--stdin` is given.
    package static func descriptorOrInput(
        _ options: Options, _ name: String = "--fd"
    ) throws(CommandError) -> Int32? {
        try options.requireOne(of: ["--stdin", name])
        guard options.has("--stdin") else { return try descriptor(options, name) }
        if Screen.hasInput {
            throw .usage("--stdin requires redirected input; without it the passcode is asked for, without echo")
        }
        return 0
    }

    /// The descriptor that an option names: one that this program was started with.
    ///
    /// Without its redirection the number is soon that of a file of ours, a keychain's or the daemon's socket, which would be read for
    /// a secret. What the shell hands over stays open when a program begins; what we open is marked to be closed then.
    package static func descriptor(_ options: Options, _ name: String) throws(CommandError) -> Int32? {
        guard let number = try options.number(name, in: 0...Int32.max, "a descriptor number") else { return nil }
        try requireHandedOver(number, name)
        return number
    }

    package static func requireHandedOver(_ number: Int32, _ option: String) throws(CommandError) {
        let flags = fcntl(number, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else {
            throw .failure(
                "descriptor \(number) of \(option) is not open; a redirection such as \(number)< FILE opens it")
        }
    }

    private static func words(for error: PromptError, _ option: String, _ secret: String) -> String {
        switch error {
        case .cancelled: "no passcode was given"
        case .timedOut: "timed out waiting for an answer"
        case .notAvailable(let text): "\(text) (or use \(option) N to read \(secret) from a descriptor)"
        case .failed(let text, let code): code == 0 ? "\(text)" : "\(text) (\(code))"
        }
    }

    /// Seconds that a person has.
    private static let patience: UInt32 = 300
}
