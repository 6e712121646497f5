// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Meeting what items demand: with what a context has, or by asking.
extension KeychainEngine {
    /// Runs an operation, and again with more shown, until nothing is demanded that was not shown.
    ///
    /// Nobody is asked inside the operation: its lane is given back, its transaction undone, and no lock is held.
    func meetingDemands<Result>(
        _ terms: AuthenticationTerms, of caller: Caller, bindingTo controls: [AccessControl] = [],
        _ body: (ShownFactors) throws(KeychainError) -> MetResult<Result>
    ) throws(KeychainError) -> Result {
        guard let id = terms.context ?? AuthenticationContextID.fresh(surroundings.randomWords) else {
            throw KeychainError(CryptoError.randomnessUnavailable)
        }
        if terms.context == nil { contexts.begin(id) }
        defer { if terms.context == nil { contexts.end(id) } }
        let cancellation = try contexts.enter(id, terms.request)
        defer { contexts.leave(id, cancellation) }
        var asking = Asking(terms, id, caller, cancellation)
        let rules = controls.compactMap(\.rules)
        if rules.contains(where: { $0.needsBinding || !$0.fingerSets.isEmpty }) {
            asking.currentFingers = try enrolledFingers()
            let current = asking.currentFingers
            guard rules.allSatisfy({ $0.canBeMet(with: current) }) else {
                throw KeychainError(
                    .authenticationFailed, "the access control is for other fingers than those that are enrolled",
                    subject: "accc")
            }
        }
        for round in 0...KeychainEngine.mostRounds {
            let currentFingers = asking.currentFingers
            let shown = ShownFactors(
                secrets: try contexts.read(id) { $0.secrets(enrolled: currentFingers) },
                currentFingers: currentFingers, passwordCost: surroundings.passcodeCost)
            switch try body(shown) {
            case .done(let result): return result
            case .demands(let demand):
                if demand.isPasswordWrong { try forgetTypedPassword(asking) }
                if round < KeychainEngine.mostRounds { try meet(demand, &asking) }
            }
        }
        throw KeychainError(.authenticationFailed, "whatever was shown, it was never enough", subject: "accc")
    }

    /// Apple's limit.
    private static let mostRounds = 20

    /// Mends the passcode's factors: makes one where there is none, and gives up what is damaged.
    func mendPasscodeFactors(_ passcode: Passcode) throws(KeychainError) {
        try withOpenedKeybag(.passcode(passcode)) { (opened, turn) throws(KeychainError) in
            if opened.keys.hasWholeFactors { return }
            let next: UnlockedKeybag
            do throws(CryptoError) { next = try opened.keys.withWholeFactors() } catch { throw KeychainError(error) }
            var replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(next)) } catch {
                throw KeychainError(error)
            }
            replacement.keepsOld = opened.keys.header.passcodeFactors != opened.keys.passcodeFactors.map(\.publicKey)
            try store(replacement, next, after: opened, turn)
        }
    }

    /// What is going on with one request.
    struct Asking {
        let terms: AuthenticationTerms
        let id: AuthenticationContextID
        let cancellation: PromptCancellation
        private let program: String?
        var currentFingers: [UInt8]?
        /// What was wrong with the last answer.
        var complaint: String?
        /// Whether a finger was tried and did not do: the other way is gone from then on.
        var hasFingerFailed = false

        init(
            _ terms: AuthenticationTerms, _ id: AuthenticationContextID, _ caller: Caller,
            _ cancellation: PromptCancellation
        ) {
            self.cancellation = cancellation
            self.terms = terms
            self.id = id
            // The file may be named so that it looks like words of ours.
            program = caller.program?.shown(bytes: 300)
        }

        /// Who wants something, and what for: the first line is ours, the others are the program's own words.
        func words(_ wish: String) -> String {
            "\(program ?? "A program") \(wish)." + (terms.reason.map { "\n\($0)" } ?? "")
        }
    }

    private func meet(_ demand: Demand, _ asking: inout Asking) throws(KeychainError) {
        if let cost = demand.password {
            try meetPassword(cost, demand, &asking)
            return
        }
        try meetWays(demand.ways, &asking)
    }

    // MARK: The item's own password.

    /// A context keeps what opened something, and what a program gave it; what a person mistyped it does not.
    private func forgetTypedPassword(_ asking: Asking) throws(KeychainError) {
        guard try contexts.read(asking.id, { $0.isPasswordTyped }) else {
            throw KeychainError(.authenticationFailed, "the application password is not the item's", subject: "accc")
        }
        contexts.change(asking.id) { context in
            context.password = nil
            context.passwordFactors = []
        }
    }

    private func meetPassword(
        _ cost: PasscodeCost, _ demand: Demand, _ asking: inout Asking
    ) throws(KeychainError) {
        let given = try contexts.read(asking.id) { $0.password }
        let password: SecretValue
        if let given {
            password = given
        } else {
            if demand.isPasswordWrong { asking.complaint = "This is not the password." }
            password = try ask(
                SecretWish(
                    title: "Application password", description: asking.words("asks for the password of an item"),
                    prompt: "Password:", confirms: demand.isPasswordNew,
                    subject: demand.seal.map { .password(ofSeal: $0) } ?? .newPassword(asking.id)), asking
            ).secret
        }
        let keybag = try keybag()
        do throws(CryptoError) {
            let secret = unsafe password.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
            guard secret.count > 0 else { throw CryptoError.invalidLength }
            let factor = try PasswordFactor(
                secret, of: keybag.keychain, pepper: try keybag.keys.passwordPepper(), cost: cost)
            contexts.change(asking.id) { context in
                context.password = password
                if given == nil { context.isPasswordTyped = true }
                context.passwordFactors.append(factor)
            }
        } catch {
            if error == .invalidLength {
                throw KeychainError(.authenticationFailed, "an empty password guards nothing", subject: "accc")
            }
            throw KeychainError(error)
        }
    }

    // MARK: Passcode and finger.

    private func meetWays(_ ways: [Set<AccessFactor>], _ asking: inout Asking) throws(KeychainError) {
        let fingers = try enrolledFingers()
        asking.currentFingers = fingers
        let keybag = try keybag().keys
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
            guard mayAsk else { throw KeychainEngine.nobodyMayBeAsked }
            throw KeychainEngine.unmeetable(ways, isPasscodeSet: isPasscodeSet, fingers: fingers)
        }
        for factor in way.sorted(by: { trouble($0) < trouble($1) }) {
            switch factor {
            case .passcode: try showPasscode(&asking)
            case .biometryAny, .biometrySet: try showFinger(&asking, hasOtherWay: open.contains([.passcode]))
            case .presence, .companion: break
            }
        }
    }

    private static let nobodyMayBeAsked = KeychainError(
        .interactionNotAllowed, "the item demands somebody, and the request lets nobody be asked", subject: "accc")

    private static func unmeetable(
        _ ways: [Set<AccessFactor>], isPasscodeSet: Bool, fingers: [UInt8]?
    ) -> KeychainError {
        let factors = Set(ways.joined())
        if factors.contains(.passcode), !isPasscodeSet {
            return KeychainError(
                .authenticationFailed, "the item demands the passcode, and this keychain has none; set one",
                subject: "accc")
        }
        let isOfOtherFingers = factors.contains { if case .biometrySet = $0 { true } else { false } }
        if isOfOtherFingers, fingers != nil {
            return KeychainError(
                .authenticationFailed, "the enrolled fingers are not those the item was stored for", subject: "accc")
        }
        return KeychainError(
            .authenticationFailed, "the item demands a finger, and no reader with an enrolled one is here",
            subject: "accc")
    }

    private func showPasscode(_ asking: inout Asking) throws(KeychainError) {
        let (given, isWrong) = try contexts.read(asking.id) { ($0.givenPasscode, $0.isGivenPasscodeWrong) }
        if isWrong {
            throw KeychainError(
                .authenticationFailed, "the passcode that was given was wrong before; give another", subject: "accc")
        }
        // From before the question: what is answered after a lock was meant for the time before it.
        let locks = contexts.locks
        let header = try keybag().keys.header
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
            asking.complaint = "This is no passcode."
            return
        }
        do throws(KeychainError) {
            let opened = try answer.opened { () throws(KeychainError) in
                try withOpenedKeybag(.passcode(passcode)) { (opened, _) throws(KeychainError) in
                    TypedAnswer.Opened(factors: opened.keys.passcodeFactors, passcode: opened.keys.header.passcode)
                }
            }
            guard !opened.factors.isEmpty else {
                throw KeychainError(.notAvailable, "the keychain has no factor for its passcode; unlock it once")
            }
            contexts.keep(opened.factors, openedBy: opened.passcode, after: locks, asking.id)
            asking.complaint = nil
        } catch {
            // Wrong ones are counted by the enclave; one that a program gave is neither asked for nor tried again.
            if error.reason == .authenticationFailed, given != nil {
                contexts.change(asking.id) { $0.isGivenPasscodeWrong = true }
            }
            guard error.reason == .authenticationFailed, error.retryAfter == nil, given == nil else { throw error }
            asking.complaint = "This is not the passcode."
            if header.eraseAfterAttempts > 0 {
                asking.complaint? += " \(header.eraseAfterAttempts) wrong ones in a row erase what it protects."
            }
        }
    }

    private func showFinger(_ asking: inout Asking, hasOtherWay: Bool) throws(KeychainError) {
        let before = asking.currentFingers
        let reason = asking.words("wants to use the keychain")
        let authenticators = surroundings.authenticators
        let outcome = suspended {
            authenticators.finger(for: reason, asking.cancellation, timeout: KeychainEngine.patience)
        }
        switch outcome {
        case .success:
            // A finger of a set that changed while it was read: nobody knows of which of the two.
            guard let fingers = try enrolledFingers(), fingers == before else {
                throw KeychainError(.authenticationFailed, "the enrolled fingers changed just now", subject: "accc")
            }
            contexts.change(asking.id) { $0.fingers = fingers }
        case .failure(let error):
            // Typing is a way too: it is asked for in its own right, in the next round.
            let wasRefused = if case .cancelled = error { true } else { false }
            guard hasOtherWay, !wasRefused, !asking.hasFingerFailed else { throw KeychainError(error) }
            asking.hasFingerFailed = true
        }
    }

    /// The digest of what is enrolled; nil when there is no reader or no finger.
    func enrolledFingers() throws(KeychainError) -> [UInt8]? {
        let reader = surroundings.authenticators.fingers
        let outcome = suspended { () -> FingerprintState in
            (try? reader.state(PromptCancellation())) ?? .noReader
        }
        guard case .enrolled(let set) = outcome else { return nil }
        do throws(CryptoError) {
            return try unsafe set.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
        } catch { throw KeychainError(error) }
    }

    var hasReader: Bool {
        let reader = surroundings.authenticators.fingers
        let state = suspended { (try? reader.state(PromptCancellation())) ?? .noReader }
        return state != .noReader
    }

    // MARK: Asking.

    struct SecretWish {
        let title: String
        let description: String
        let prompt: String
        let confirms: Bool
        let subject: QuestionSubject
    }

    private func ask(_ wish: SecretWish, _ asking: Asking) throws(KeychainError) -> TypedAnswer {
        guard asking.terms.interaction == .allowed else { throw KeychainEngine.nobodyMayBeAsked }
        let question = SecretQuestion(
            title: wish.title, description: wish.description, prompt: wish.prompt, error: asking.complaint,
            confirms: wish.confirms, cancelTitle: asking.terms.cancelTitle, timeout: KeychainEngine.patience,
            cancellation: asking.cancellation)
        let authenticators = surroundings.authenticators
        let outcome = suspended { authenticators.answer(to: question, about: wish.subject) }
        switch outcome {
        case .success(let answer): return answer
        case .failure(let error): throw KeychainError(error)
        }
    }

    /// How long a person has, in seconds.
    private static let patience: UInt32 = 120

    /// Runs what waits for a person outside of every operation.
    private func suspended<Result>(_ body: () -> Result) -> Result {
        let operations = llv_operation_suspend()
        defer { llv_operation_resume(operations) }
        return body()
    }
}

/// How an operation that may demand something ended.
enum MetResult<Success> {
    case done(Success)
    case demands(Demand)
}

extension MetResult {
    /// One of the two is there.
    init(_ success: Success?, _ demand: Demand?) throws(KeychainError) {
        if let success {
            self = .done(success)
        } else if let demand {
            self = .demands(demand)
        } else {
            throw KeychainError(.internalError, "an operation ended without a result")
        }
    }
}

extension AuthenticationContextID {
    static func fresh(_ randomWords: Moment.RandomWords) -> AuthenticationContextID? {
        randomWords().map { AuthenticationContextID(high: $0.0, low: $0.1) }
    }
}
