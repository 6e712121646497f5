// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Having the passcode shown, or a finger.
extension KeychainEngine {
    func showPasscode(_ asking: inout Asking) throws(KeychainError) {
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
                try withOpenedKeybag(.passcode(passcode), asking.work) { (opened, _) throws(KeychainError) in
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

    func showFinger(_ asking: inout Asking, hasOtherWay: Bool) throws(KeychainError) {
        let before = asking.currentFingers
        let reason = asking.words("wants to use the keychain")
        let authenticators = surroundings.authenticators
        let outcome = suspended {
            authenticators.finger(for: reason, at: asking.seat, asking.cancellation, timeout: KeychainEngine.patience)
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
        let reader = surroundings.authenticators.reader(nil)
        let outcome = suspended { () -> FingerprintState in
            (try? reader.state(PromptCancellation())) ?? .noReader
        }
        guard case .enrolled(let set) = outcome else { return nil }
        do throws(CryptoError) {
            return try unsafe set.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
        } catch { throw KeychainError(error) }
    }

    var hasReader: Bool {
        let reader = surroundings.authenticators.reader(nil)
        let state = suspended { (try? reader.state(PromptCancellation())) ?? .noReader }
        return state != .noReader
    }
}
