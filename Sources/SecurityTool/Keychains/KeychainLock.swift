// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// Locks and unlocks one keychain, also for later programs.
enum KeychainLock {
    static func state(of keychain: ToolKeychain) throws(SecurityFailure) -> LockState {
        try SecurityFailure.translating(KeychainSearch.openCall(keychain.path)) { () throws(CommandError) in
            try keychain.state().lockState
        }
    }

    /// Makes the daemon unlock it, and starts one if none runs.
    static func unlock(_ keychain: ToolKeychain, _ given: GivenPasscode) throws(SecurityFailure) {
        let call = "SecKeychainUnlock \(keychain.path)"
        guard case .passcode(let passcode) = given else {
            throw .status(.authenticationFailed, call: call, why: nil)
        }
        if !keychain.hasDaemon {
            // Checked before a daemon is started for it.
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
            try SecurityFailure.translating(call) { () throws(CommandError) in
                try Agent(for: keychain.host.owner).start()
            }
        }
        try SecurityFailure.translating(call) { () throws(CommandError) in
            _ = try keychain.perform(.unlock(passcode))
        }
    }

    /// Leaves a new keychain unlocked, as a Mac does, where a daemon can keep it unlocked.
    static func leaveOpen(_ keychain: ToolKeychain, _ passcode: Passcode, _ session: Session) {
        do throws(CommandError) {
            if !keychain.hasDaemon { try Agent(for: keychain.host.owner).start() }
            _ = try keychain.perform(.unlock(passcode))
        } catch {
            session.remark("the keychain was created, but is locked: \(error.description)")
        }
    }

    /// Checks the password of a keychain; for a keychain without one the empty password is right.
    static func verify(_ keychain: ToolKeychain, _ given: GivenPasscode, call: String) throws(SecurityFailure) {
        switch (given, try state(of: keychain)) {
        case (.none, .noPasscode): return
        case (.none, _): throw .status(.authenticationFailed, call: call, why: nil)
        case (.passcode, .noPasscode): throw .status(.authenticationFailed, call: call, why: keychain.nothingLocksIt)
        case (.passcode(let passcode), _):
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
        }
    }
}

/// Operations that need an unlocked keychain: the person is asked for the passcode, if a prompt is possible.
enum Unlocking {
    /// Runs `body`; if it fails because the keychain is locked, unlocks it and runs `body` once more.
    static func retrying<Result>(
        _ keychain: ToolKeychain, _ call: String, _ body: () throws(CommandError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(CommandError) { return try body() } catch {
            guard isOfLock(error, keychain) else { throw SecurityFailure(error, in: call) }
            let question = AskedSecret.unlocking(keychain.path, "The keychain \(keychain.path) is locked.")
            let password: GivenPasscode
            do throws(SecurityFailure) { password = try .ask(question, call: call) } catch {
                guard case .status(.interactionNotAllowed, _, _) = error else { throw error }
                throw .status(
                    .interactionNotAllowed, call: call,
                    why: "the keychain \(keychain.path) is locked; `\(keychain.unlockCommand)` unlocks it")
            }
            guard case .passcode(let passcode) = password else {
                throw .status(.authenticationFailed, call: "SecKeychainUnlock", why: nil)
            }
            try SecurityFailure.translating("SecKeychainUnlock") { () throws(CommandError) in
                _ = try keychain.perform(.unlock(passcode))
            }
        }
        return try SecurityFailure.translating(call, body)
    }

    /// Fails for a locked keychain as what needs its keys does.
    static func requireOpen(_ keychain: ToolKeychain) throws(CommandError) {
        guard isLocked(try keychain.state().lockState) else { return }
        throw .keychain(KeychainError(.interactionNotAllowed, "the keychain is locked"))
    }

    /// Whether something failed because the keychain is locked.
    static func isOfLock(_ error: CommandError, _ keychain: ToolKeychain) -> Bool {
        guard case .keychain(let cause) = error, cause.reason == .interactionNotAllowed else { return false }
        return isLocked(keychain)
    }

    static func isLocked(_ keychain: ToolKeychain) -> Bool {
        guard let state = try? keychain.state() else { return false }
        return isLocked(state.lockState)
    }

    private static func isLocked(_ state: LockState) -> Bool { state == .locked || state == .beforeFirstUnlock }
}

/// The keychains that a search passed over, since they are locked and nobody can be asked for their passwords.
struct LockedKeychains {
    private var passed: [(keychain: ToolKeychain, failure: SecurityFailure)] = []

    /// What `search` finds in those keychains that are open, or that a person opens now.
    mutating func passing<Found>(
        _ keychains: [ToolKeychain], _ search: (ToolKeychain) throws(SecurityFailure) -> [Found]
    ) throws(SecurityFailure) -> [Found] {
        var found: [Found] = []
        for keychain in keychains {
            do throws(SecurityFailure) { found += try search(keychain) } catch {
                guard case .status(.interactionNotAllowed, _, _) = error, Unlocking.isLocked(keychain) else {
                    throw error
                }
                if !passed.contains(where: { $0.keychain.path == keychain.path }) { passed.append((keychain, error)) }
            }
        }
        return found
    }

    /// Why something that was not found may be there all the same; nil if no keychain was passed over.
    var failure: SecurityFailure? { passed.first?.failure }

    /// Names them: something was found, and there may be more.
    func tell(_ session: Session) {
        for one in passed { LockedKeychains.tell(of: one.keychain, session) }
    }

    static func tell(of keychain: ToolKeychain, _ session: Session) {
        session.warn(
            "the keychain \(keychain.path) is locked and was passed over; `\(keychain.unlockCommand)` unlocks it")
    }
}

/// The password of a keychain: after a letter, from a descriptor, or from the person.
enum GivenPasscode {
    case none
    case passcode(Passcode)

    /// nil if none was given; an empty one is `none`.
    static func read(
        _ options: SecurityOptions, _ letter: String, descriptor: String = "--password-fd", _ session: Session
    ) throws(SecurityFailure) -> GivenPasscode? {
        guard options.value(letter) == nil || options.value(descriptor) == nil else {
            throw .usage("-\(letter) and \(descriptor) cannot be used together")
        }
        let secret: SecretValue
        if let number = try options.descriptor(descriptor) {
            secret = try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: number, line: true)
            }
        } else if let text = options.value(letter) {
            if session.isOnCommandLine, !text.isEmpty {
                session.remark(
                    """
                    a password after -\(letter) is visible to every program on this machine while this command runs; \
                    \(descriptor) N reads it from a descriptor
                    """)
            }
            secret = SecretValue(copying: Array(text.utf8))
        } else {
            return nil
        }
        return try of(secret)
    }

    /// Asks the person; `descriptor` is the option that gives it instead.
    static func ask(
        _ question: AskedSecret, descriptor: String = "--password-fd", call: String
    ) throws(SecurityFailure) -> GivenPasscode {
        try of(try question.ask(option: descriptor, call: call))
    }

    private static func of(_ secret: SecretValue) throws(SecurityFailure) -> GivenPasscode {
        if secret.count == 0 { return .none }
        guard let passcode = unsafe secret.withUnsafeBytes({ unsafe Passcode(copying: $0) }) else {
            throw .usage("the password is longer than \(Passcode.longest) bytes")
        }
        return .passcode(passcode)
    }
}
