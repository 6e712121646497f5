// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// The password of a keychain, as a subcommand is given it: after a letter, from a descriptor, or by the person.
enum GivenPasscode {
    case none
    case passcode(Passcode)

    /// nil where none was given and nobody is to be asked; an empty one is `none`.
    static func read(
        _ options: SecurityOptions, _ letter: String, descriptor: String = "--password-fd", _ session: Session
    ) throws(SecurityFailure) -> GivenPasscode? {
        guard options.value(letter) == nil || options.value(descriptor) == nil else {
            throw .usage("one password at a time: -\(letter) or \(descriptor)")
        }
        let secret: SecretValue
        if let number = try options.number(descriptor, in: 0...Int32.max, "the number of a descriptor") {
            secret = try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: number, line: true)
            }
        } else if let text = options.value(letter) {
            if session.isOnCommandLine, !text.isEmpty {
                session.remark(
                    """
                    a password after -\(letter) is seen by every program of this machine while this runs; \
                    \(descriptor) N reads it from a descriptor
                    """)
            }
            secret = SecretValue(copying: Array(text.utf8))
        } else {
            return nil
        }
        return try of(secret)
    }

    /// What the person types; `confirms` where it is a new one, `descriptor` is the option that gives it instead.
    static func ask(
        _ words: String, confirms: Bool, descriptor: String = "--password-fd", call: String
    ) throws(SecurityFailure) -> GivenPasscode {
        do throws(CommandError) {
            return .passcode(try PasscodeInput.passcode(nil, words, confirms: confirms, option: descriptor))
        } catch {
            guard case .keychain(let cause) = error, cause.reason == .interactionNotAllowed else {
                throw SecurityFailure(error, in: call)
            }
            let why = "nobody can be asked for the password here; \(descriptor) N reads it from a descriptor"
            throw .status(.interactionNotAllowed, call: call, why: why)
        }
    }

    private static func of(_ secret: SecretValue) throws(SecurityFailure) -> GivenPasscode {
        if secret.count == 0 { return .none }
        guard let passcode = unsafe secret.withUnsafeBytes({ unsafe Passcode(copying: $0) }) else {
            throw .usage("the password of a keychain has at most \(Passcode.longest) bytes")
        }
        return .passcode(passcode)
    }
}
