// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// Locking and unlocking of one keychain, so that it counts for the programs that come after.
enum KeychainLock {
    static func state(of keychain: ToolKeychain) throws(SecurityFailure) -> LockState {
        try SecurityFailure.translating(Keychains.openCall(keychain.path)) { () throws(CommandError) in
            try keychain.state().lockState
        }
    }

    /// Has the daemon unlock it; where none runs, one is started.
    static func unlock(_ keychain: ToolKeychain, _ given: GivenPasscode) throws(SecurityFailure) {
        let call = "SecKeychainUnlock \(keychain.path)"
        guard case .passcode(let passcode) = given else {
            throw .status(.authenticationFailed, call: call, why: nil)
        }
        if !keychain.hasDaemon {
            // Before anything is started for it.
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
            try SecurityFailure.translating(call) { () throws(CommandError) in
                try Agent(for: keychain.host).start()
            }
        }
        try SecurityFailure.translating(call) { () throws(CommandError) in
            _ = try keychain.perform(.unlock(passcode))
        }
    }

    /// Leaves a new keychain open, as a Mac does, where a daemon can keep it so.
    static func leaveOpen(_ keychain: ToolKeychain, _ passcode: Passcode, _ session: Session) {
        do throws(CommandError) {
            if !keychain.hasDaemon { try Agent(for: keychain.host).start() }
            _ = try keychain.perform(.unlock(passcode))
        } catch {
            session.remark("the keychain is made, and locked: \(error.description)")
        }
    }

    /// Checks the password of a keychain, which an empty one is of every keychain without.
    static func verify(_ keychain: ToolKeychain, _ given: GivenPasscode, call: String) throws(SecurityFailure) {
        switch (given, try state(of: keychain)) {
        case (.none, .noPasscode): return
        case (.none, _), (.passcode, .noPasscode):
            throw .status(.authenticationFailed, call: call, why: nil)
        case (.passcode(let passcode), _):
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
        }
    }
}

/// What needs an unlocked keychain: the person is asked for the passcode, where there is one to ask.
enum Unlocking {
    /// Does `body`; when that fails because the keychain is locked, once more after it was unlocked.
    static func retrying<Result>(
        _ keychain: ToolKeychain, _ call: String, _ body: () throws(CommandError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(CommandError) { return try body() } catch {
            guard case .keychain(let cause) = error, cause.reason == .interactionNotAllowed,
                let state = try? keychain.state(), isLocked(state.lockState)
            else { throw SecurityFailure(error, in: call) }
            let words = "The keychain \(keychain.path) is locked."
            let passcode: Passcode
            do throws(CommandError) { passcode = try PasscodeInput.passcode(nil, words) } catch {
                throw .status(
                    .interactionNotAllowed, call: call,
                    why: "the keychain \(keychain.path) is locked; \(keychain.unlockCommand) unlocks it")
            }
            try SecurityFailure.translating("SecKeychainUnlock") { () throws(CommandError) in
                _ = try keychain.perform(.unlock(passcode))
            }
        }
        return try SecurityFailure.translating(call, body)
    }

    static func isLocked(_ state: LockState) -> Bool { state == .locked || state == .beforeFirstUnlock }
}

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
