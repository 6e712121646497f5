// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem

/// What is going on with one request.
struct Asking {
    let terms: AuthenticationTerms
    /// Where the person is.
    let terminal: ClientTerminal?
    let id: AuthenticationContextID
    let cancellation: Cancellation
    let work: WorkOrder
    private let program: String?
    /// The fingers that are enrolled now, where that was looked at.
    var currentFingers: [UInt8]?
    var areFingersKnown = false
    /// What was wrong with the last answer.
    var complaint: String?
    /// Whether a finger was tried and did not do: the other way is gone from then on.
    var hasFingerFailed = false

    init(
        _ terms: AuthenticationTerms, _ id: AuthenticationContextID, _ caller: Caller,
        _ cancellation: Cancellation
    ) {
        self.cancellation = cancellation
        terminal = caller.terminal
        work = caller.work
        self.terms = terms
        self.id = id
        program = caller.program
    }

    /// Which program wants something, and what for: the first line is ours, the others are the program's own words.
    func words(_ wish: String) -> String {
        // The file may be named so that it looks like words of ours.
        "\(program?.shown(bytes: 300) ?? "A program") \(wish)." + (terms.reason.map { "\n\($0)" } ?? "")
    }
}

/// Asking a person for a passcode, a finger or a password.
extension DemandHandler {
    // MARK: Ways

    /// Has one of the ways gone: the passcode shown, a finger, or both.
    func meetWays(_ ways: [Set<AccessFactor>], _ asking: inout Asking) throws(KeychainError) {
        let knownFingers = asking.currentFingers
        try look(&asking)
        let fingers = asking.currentFingers
        // Other fingers are enrolled now than any of the ways is for: with that known, the operation does without the item
        // (decision D28). What demands them all the same is refused below.
        if let fingers, fingers != knownFingers, ways.allSatisfy({ $0.isForOtherFingers(than: fingers) }) { return }
        let keybag = try connections.keybag().keys
        let (shown, given) = try contexts.read(asking.id) {
            ($0.secrets(enrolled: fingers).valid(in: keybag), $0.given)
        }
        // What was shown before is enough, now that it is known to be of the fingers that are enrolled.
        if ways.contains(where: shown.meets) { return }
        let isPasscodeSet = keybag.header.passcode != nil
        // What is missing on each way that can be gone here; the easiest first, and a finger before typing.
        let open = ways.compactMap { way -> Set<AccessFactor>? in
            let missing = way.filter { !shown.meets([$0]) }
            let canBeMet = missing.allSatisfy { factor in
                switch factor {
                case .passcode: isPasscodeSet
                case .biometryAny: fingers != nil
                case .biometrySet(let set): set != nil && set == fingers
                case .presence, .companion: false
                }
            }
            return canBeMet ? missing : nil
        }
        let mayAsk = asking.terms.interaction == .allowed
        let usable = mayAsk ? open : open.filter { $0 == [.passcode] && given.contains(.passcode) }
        let (isGiven, hasFingerFailed) = (given.contains(.passcode), asking.hasFingerFailed)
        func trouble(_ factor: AccessFactor) -> Int {
            factor == .passcode ? (isGiven ? 0 : 3) : (hasFingerFailed ? 10 : 2)
        }
        func totalTrouble(_ way: Set<AccessFactor>) -> Int { way.reduce(0) { $0 + trouble($1) } }
        guard let way = usable.min(by: { totalTrouble($0) < totalTrouble($1) }) else {
            guard mayAsk else { throw DemandHandler.promptsForbidden }
            throw DemandHandler.unmeetable(ways, isPasscodeSet: isPasscodeSet, fingers: fingers)
        }
        for factor in way.sorted(by: { trouble($0) < trouble($1) }) {
            switch factor {
            case .passcode: try showPasscode(&asking)
            case .biometryAny, .biometrySet: try showFinger(&asking, hasOtherWay: open.contains([.passcode]))
            case .presence, .companion: break
            }
        }
    }

    private static let promptsForbidden = KeychainError(
        .interactionNotAllowed, "the item requires authentication, and the request does not allow prompts",
        subject: "accc")

    private static func unmeetable(
        _ ways: [Set<AccessFactor>], isPasscodeSet: Bool, fingers: [UInt8]?
    ) -> KeychainError {
        let factors = Set(ways.joined())
        if factors.contains(.passcode), !isPasscodeSet {
            return KeychainError(
                .authenticationFailed, "the item requires the passcode, and this keychain has none; set one",
                subject: "accc")
        }
        let isOfOtherFingers = factors.contains { if case .biometrySet = $0 { true } else { false } }
        if isOfOtherFingers, fingers != nil {
            return KeychainError(
                .authenticationFailed,
                "the item requires the fingers that were enrolled when it was stored, and others are enrolled now",
                subject: "accc")
        }
        return KeychainError(
            .authenticationFailed, "the item requires a fingerprint, and there is no reader with an enrolled finger",
            subject: "accc")
    }

    // MARK: The passcode and fingers

    private func showPasscode(_ asking: inout Asking) throws(KeychainError) {
        let (given, isWrong) = try contexts.read(asking.id) { ($0.givenPasscode, $0.isGivenPasscodeWrong) }
        if isWrong {
            throw KeychainError(
                .authenticationFailed, "the given passcode was already rejected; give another one", subject: "accc")
        }
        // From before the question: what is answered after a lock was meant for the time before it.
        let locks = contexts.locks
        let header = try connections.keybag().keys.header
        let answer: TypedAnswer
        if let given {
            answer = TypedAnswer(given)
        } else {
            answer = try ask(
                SecretWish(
                    title: "Keychain passcode", description: asking.words("wants to use the keychain"),
                    prompt: "Passcode:", confirms: false, subject: .passcode(header.keychain.bytes)), asking)
        }
        guard let passcode = unsafe answer.secret.withUnsafeBytes({ bytes in unsafe Passcode(copying: bytes) }) else {
            asking.complaint = "A passcode has between 1 and 1000 bytes."
            return
        }
        do throws(KeychainError) {
            let opened = try answer.opened { () throws(KeychainError) in
                try storage.withOpenedKeybag(.passcode(passcode), asking.work) { (opened, _) throws(KeychainError) in
                    TypedAnswer.Opened(factors: opened.keys.passcodeFactors, passcode: opened.keys.header.passcode)
                }
            }
            guard !opened.factors.isEmpty else {
                throw KeychainError(
                    .notAvailable, "the keychain has no factor for its passcode yet; unlock it once with the passcode")
            }
            contexts.keep(opened.factors, openedBy: opened.passcode, after: locks, asking.id)
            asking.complaint = nil
        } catch {
            // Wrong ones are counted by the enclave; one that a program gave is neither asked for nor tried again.
            if error.reason == .authenticationFailed, given != nil {
                contexts.change(asking.id) { $0.isGivenPasscodeWrong = true }
            }
            guard error.reason == .authenticationFailed, error.retryAfter == nil, given == nil else { throw error }
            asking.complaint = "Wrong passcode."
            if header.eraseAfterAttempts > 0 {
                asking.complaint? += " \(header.eraseAfterAttempts) wrong passcodes in a row erase what it protects."
            }
        }
    }

    private func showFinger(_ asking: inout Asking, hasOtherWay: Bool) throws(KeychainError) {
        let before = asking.currentFingers
        let outcome = authenticators.finger(
            for: asking.words("wants to use the keychain"), at: asking.terminal, asking.cancellation,
            timeout: DemandHandler.patience)
        switch outcome {
        case .success:
            // If the set changed while the finger was read, it is not known of which of the two sets the finger is.
            guard let fingers = try authenticators.enrolledFingers(), fingers == before else {
                throw KeychainError(
                    .authenticationFailed, "the enrolled fingers changed during the scan; try again", subject: "accc")
            }
            contexts.change(asking.id) { $0.fingers = fingers }
        case .failure(let error):
            // Typing is a way too: it is asked for in its own right, in the next round.
            let wasRefused = if case .cancelled = error { true } else { false }
            guard hasOtherWay, !wasRefused, !asking.hasFingerFailed else { throw KeychainError(error) }
            asking.hasFingerFailed = true
        }
    }

    // MARK: Passwords that items have of their own

    /// Forgets a password that a person mistyped; one that a program gave is wrong for good.
    func forgetTypedPassword(_ asking: Asking) throws(KeychainError) {
        guard try contexts.read(asking.id, { $0.isPasswordTyped }) else {
            throw KeychainError(.authenticationFailed, "wrong application password for the item", subject: "accc")
        }
        contexts.change(asking.id) { context in
            context.password = nil
            context.passwordFactors = []
        }
    }

    /// Stretches the context's password as the demand has it; asks for one where the context has none.
    func meetPassword(_ cost: PasscodeCost, _ demand: Demand, _ asking: inout Asking) throws(KeychainError) {
        let given = try contexts.read(asking.id) { $0.password }
        let password: SecretValue
        if let given {
            password = given
        } else {
            if demand.isPasswordWrong { asking.complaint = "Wrong password." }
            password = try ask(
                SecretWish(
                    title: "Application password", description: asking.words("asks for the password of an item"),
                    prompt: "Password:", confirms: demand.isPasswordNew,
                    subject: demand.seal.map { .password(ofSeal: $0) } ?? .newPassword(asking.id)), asking
            ).secret
        }
        let keybag = try connections.keybag()
        let factor = try work.passcodes.perform(asking.work, refused: KeychainError.init) {
            (_) throws(KeychainError) in
            guard password.count > 0 else {
                throw KeychainError(.authenticationFailed, "an application password cannot be empty", subject: "accc")
            }
            return try translating { () throws(CryptoError) in
                let secret = unsafe password.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
                return try PasswordFactor(
                    secret, of: keybag.keychain, pepper: try keybag.keys.passwordPepper(), cost: cost)
            }
        }
        contexts.change(asking.id) { context in
            context.password = password
            if given == nil { context.isPasswordTyped = true }
            context.passwordFactors.append(factor)
        }
    }

    // MARK: Asking

    private struct SecretWish {
        let title: String
        let description: String
        let prompt: String
        let confirms: Bool
        let subject: QuestionSubject
    }

    private func ask(_ wish: SecretWish, _ asking: Asking) throws(KeychainError) -> TypedAnswer {
        guard asking.terms.interaction == .allowed else { throw DemandHandler.promptsForbidden }
        let question = SecretQuestion(
            title: wish.title, description: wish.description, prompt: wish.prompt, error: asking.complaint,
            confirms: wish.confirms, cancelTitle: asking.terms.cancelTitle, timeout: DemandHandler.patience,
            cancellation: asking.cancellation)
        switch authenticators.answer(to: question, about: wish.subject, at: asking.terminal) {
        case .success(let answer): return answer
        case .failure(let error): throw KeychainError(error)
        }
    }

    /// How long a person has, in seconds.
    private static let patience: UInt32 = 120
}
