// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// What was shown to each context, while it lives.
///
/// A lock of the keychain, or a fork, ends what the passcode opened.
final class AuthenticationContexts: Sendable {
    /// What one context has.
    struct Context: Sendable {
        var passcode: PasscodeFactor?
        /// The application password as it was given, and what it became.
        var password: SecretValue?
        var passwordFactor: PasswordFactor?
        /// A passcode that the program gave in the person's place, until it is used.
        var givenPasscode: SecretValue?
        /// The fingers one of which was shown, as they were enrolled then.
        var fingers: [UInt8]?
        /// Tripped when the context ends.
        var cancellation = PromptCancellation()

        var secrets: FactorSecrets {
            FactorSecrets(passcode: passcode, password: passwordFactor, fingers: fingers)
        }
    }

    private let contexts = ForkSafeMutex<[AuthenticationContextID: Context]>([:])

    func read<Result: Sendable>(_ id: AuthenticationContextID, _ body: (Context) -> Result) -> Result {
        contexts.withLock { body($0[id] ?? Context()) }
    }

    func change(_ id: AuthenticationContextID, _ body: (inout Context) -> Void) {
        contexts.withLock { contexts in
            var context = contexts[id] ?? Context()
            body(&context)
            contexts[id] = context
        }
    }

    /// Takes back what is asked for a context, be it before it is asked.
    func takeBack(_ id: AuthenticationContextID) {
        change(id) { _ in }
        read(id) { $0.cancellation }.trip()
    }

    /// Forgets a context, and takes back what is asked for it.
    func end(_ id: AuthenticationContextID) {
        let ended = contexts.withLock { $0.removeValue(forKey: id) }
        ended?.cancellation.trip()
    }

    /// Forgets what the passcode opened, everywhere.
    func forgetPasscode() {
        contexts.withLock { contexts in
            for id in contexts.keys { contexts[id]?.passcode = nil }
        }
    }
}
