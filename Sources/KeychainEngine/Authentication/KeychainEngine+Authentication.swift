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
        _ terms: AuthenticationTerms, bindingTo control: AccessControl? = nil,
        _ body: (ShownFactors) throws(KeychainError) -> MetResult<Result>
    ) throws(KeychainError) -> Result {
        guard let id = terms.context ?? AuthenticationContextID.fresh(surroundings.randomWords) else {
            throw KeychainError(CryptoError.randomnessUnavailable)
        }
        defer { if terms.context == nil { contexts.end(id) } }
        var asking = Asking(terms, id)
        if control?.rules?.needsBinding == true { asking.currentFingers = try enrolledFingers() }
        for _ in 0..<KeychainEngine.mostRounds {
            let shown = ShownFactors(
                secrets: contexts.read(id) { $0.secrets }, currentFingers: asking.currentFingers,
                passwordCost: surroundings.passcodeCost)
            switch try body(shown) {
            case .done(let result): return result
            case .demands(let demand): try meet(demand, &asking)
            }
        }
        throw KeychainError(.authenticationFailed, "whatever was shown, it was never enough", subject: "accc")
    }

    /// Apple's limit.
    private static let mostRounds = 20

    /// Makes sure that something can be sealed under the passcode, if that is what an access control demands.
    ///
    /// A keybag that was last changed by earlier software has no factor for it.
    func prepare(_ control: AccessControl?) throws(KeychainError) {
        guard let rules = control?.rules, rules.isDemanding,
            rules.waysToSecret.contains(where: { $0.contains(.passcode) }),
            try keybag().keys.header.passcodeFactor == nil
        else { return }
        guard try keybag().keys.header.passcode == nil else {
            throw KeychainError(
                .notAvailable, "the passcode was set with earlier software; unlock with it once, and try again",
                subject: "accc")
        }
        try addPasscodeFactor(.unlocked)
    }

    /// Gives the keybag a factor for its passcode, if it has none.
    func addPasscodeFactor(_ authorization: KeybagAuthorization) throws(KeychainError) {
        try withOpenedKeybag(authorization) { (opened, turn) throws(KeychainError) in
            guard opened.keys.header.passcodeFactor == nil else { return }
            let next: UnlockedKeybag
            do throws(CryptoError) { next = try opened.keys.withPasscodeFactor() } catch { throw KeychainError(error) }
            let sealed: LockedKeybag
            do throws(KeybagError) { sealed = try opened.sealed(next) } catch { throw KeychainError(error) }
            try store(KeybagReplacement(sealed), next, after: opened, turn)
        }
    }

    /// What is going on with one request.
    struct Asking {
        let terms: AuthenticationTerms
        let id: AuthenticationContextID
        var currentFingers: [UInt8]?
        /// What was wrong with the last answer.
        var complaint: String?
        /// Whether the password was typed for this request; a program's own is not asked for again.
        var hasTypedPassword = false

        init(_ terms: AuthenticationTerms, _ id: AuthenticationContextID) {
            self.terms = terms
            self.id = id
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

    private func meetPassword(
        _ cost: PasscodeCost, _ demand: Demand, _ asking: inout Asking
    ) throws(KeychainError) {
        let isWrong = demand.isPasswordWrong
        if isWrong, !asking.hasTypedPassword {
            throw KeychainError(.authenticationFailed, "the application password is not the item's", subject: "accc")
        }
        let given = contexts.read(asking.id) { $0.password }
        if isWrong || given == nil {
            if isWrong { asking.complaint = "This is not the password." }
            let typed = try ask(
                SecretWish(
                    title: "Application password",
                    description: asking.terms.reason ?? "A program asks for an item's password.",
                    prompt: "Password:", confirms: demand.isPasswordNew), asking)
            asking.hasTypedPassword = true
            contexts.change(asking.id) { $0.password = typed }
        }
        guard let password = contexts.read(asking.id, { $0.password }) else { return }
        let keybag = try keybag()
        do throws(CryptoError) {
            let secret = unsafe password.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
            guard secret.count > 0 else { throw CryptoError.invalidLength }
            let factor = try PasswordFactor(
                secret, of: keybag.keychain, pepper: try keybag.keys.passwordPepper(), cost: cost)
            contexts.change(asking.id) { $0.passwordFactor = factor }
        } catch {
            if error == .invalidLength {
                throw KeychainError(.authenticationFailed, "an empty password guards nothing", subject: "accc")
            }
            throw KeychainError(error)
        }
    }

    // MARK: Passcode and finger.

    private func meetWays(_ ways: [Set<AccessFactor>], _ asking: inout Asking) throws(KeychainError) {
        let shown = contexts.read(asking.id) { $0.secrets }
        let fingers = try enrolledFingers()
        asking.currentFingers = fingers
        let isPasscodeSet = try keybag().keys.header.passcode != nil
        // What is missing on each way that can be gone here; the shortest first, and a finger before typing.
        let open = ways.compactMap { way -> [AccessFactor]? in
            let missing = way.filter { !shown.meets([$0]) }
            let canBeMet = missing.allSatisfy { factor in
                switch factor {
                case .passcode: isPasscodeSet
                case .biometryAny: fingers != nil
                case .biometrySet(let set): set != nil && set == fingers
                case .presence, .companion: false
                }
            }
            return canBeMet ? Array(missing) : nil
        }
        guard let way = open.min(by: { Self.trouble($0) < Self.trouble($1) }) else {
            throw KeychainEngine.unmeetable(ways, isPasscodeSet: isPasscodeSet, fingers: fingers)
        }
        guard asking.terms.interaction == .allowed || canMeetSilently(way, asking.id) else {
            throw KeychainError(
                .interactionNotAllowed, "the item demands somebody, and the request lets nobody be asked",
                subject: "accc")
        }
        // A finger first: who cannot show one may still type, where that is a way.
        for factor in way.sorted(by: { Self.trouble([$0]) < Self.trouble([$1]) }) {
            switch factor {
            case .passcode: try showPasscode(&asking)
            case .biometryAny, .biometrySet: try showFinger(asking, orPasscodeIfAmong: open)
            case .presence, .companion: break
            }
        }
    }

    private static func trouble(_ factors: [AccessFactor]) -> Int {
        factors.reduce(0) { sum, factor in sum + (factor == .passcode ? 3 : 2) }
    }

    private func canMeetSilently(_ way: [AccessFactor], _ id: AuthenticationContextID) -> Bool {
        way == [.passcode] && contexts.read(id) { $0.givenPasscode != nil }
    }

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
        let given = contexts.read(asking.id) { $0.givenPasscode }
        let typed: SecretValue
        if let given {
            typed = given
        } else {
            typed = try ask(
                SecretWish(
                    title: "Keychain passcode",
                    description: asking.terms.reason ?? "A program wants to use the keychain.",
                    prompt: "Passcode:", confirms: false), asking)
        }
        guard let passcode = unsafe typed.withUnsafeBytes({ bytes in unsafe Passcode(copying: bytes) }) else {
            asking.complaint = "This is no passcode."
            return
        }
        do throws(KeychainError) {
            let factor = try withOpenedKeybag(.passcode(passcode)) { (opened, _) throws(KeychainError) in
                opened.keys.passcodeFactor
            }
            guard let factor else {
                throw KeychainError(.notAvailable, "the keychain has no factor for its passcode; unlock it once")
            }
            contexts.change(asking.id) { $0.passcode = factor }
            asking.complaint = nil
        } catch {
            // Wrong ones are counted by the enclave; one that a program gave is not asked for again.
            guard error.reason == .authenticationFailed, error.retryAfter == nil, given == nil else { throw error }
            asking.complaint = "This is not the passcode."
        }
    }

    private func showFinger(_ asking: Asking, orPasscodeIfAmong ways: [[AccessFactor]]) throws(KeychainError) {
        let reason = asking.terms.reason ?? "A program wants to use the keychain."
        let cancellation = contexts.read(asking.id) { $0.cancellation }
        let reader = surroundings.authenticators.fingers
        let outcome = suspended { () -> Result<Void, FingerprintError> in
            do throws(FingerprintError) {
                try reader.verify(reason, cancellation, timeout: KeychainEngine.patience)
                return .success(())
            } catch { return .failure(error) }
        }
        switch outcome {
        case .success:
            let fingers = try enrolledFingers()
            contexts.change(asking.id) { $0.fingers = fingers }
        case .failure(let error):
            // Typing is a way too: it is asked for in its own right.
            let wasRefused = if case .cancelled = error { true } else { false }
            if ways.contains([.passcode]), !wasRefused {
                var asking = asking
                return try showPasscode(&asking)
            }
            throw KeychainError(error)
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
    }

    private func ask(_ wish: SecretWish, _ asking: Asking) throws(KeychainError) -> SecretValue {
        guard asking.terms.interaction == .allowed else {
            throw KeychainError(
                .interactionNotAllowed, "the item demands somebody, and the request lets nobody be asked",
                subject: "accc")
        }
        let question = SecretQuestion(
            title: wish.title, description: wish.description, prompt: wish.prompt, error: asking.complaint,
            confirms: wish.confirms, timeout: KeychainEngine.patience,
            cancellation: contexts.read(asking.id) { $0.cancellation })
        let authenticators = surroundings.authenticators
        let outcome = suspended { authenticators.answer(to: question) }
        switch outcome {
        case .success(let secret): return secret
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
