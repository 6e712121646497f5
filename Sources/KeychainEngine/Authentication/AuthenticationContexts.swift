// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem

/// What was shown to each context, from its beginning to its end.
///
/// A context that has ended, or began in another keychain, is not there, and nothing makes it come back. A lock of the
/// keychain, or a fork, ends what the passcode opened.
final class AuthenticationContexts: Sendable {
    /// What one context has.
    struct Context: Sendable {
        var passcode: [PasscodeFactor] = []
        /// The passcode that opened them.
        var opener: PasscodeParameters?
        /// The application password as it was given, and what it became.
        var password: SecretValue?
        /// Whether a person typed it; a program's own that is wrong is not asked for again.
        var isPasswordTyped = false
        var passwordFactors: [PasswordFactor] = []
        /// A passcode that the program gave in the person's place, until it has opened something.
        var givenPasscode: SecretValue?
        /// Whether it opened nothing: each try counts, up to erasing, so there is no second one.
        var isGivenPasscodeWrong = false
        /// The fingers one of which was shown, as they were enrolled then.
        var fingers: [UInt8]?
        /// What was opened with all this; made anew whenever any of it changes.
        fileprivate var seals = OpenedSeals()
        /// Tripped when the context ends: one for each request that is under way.
        fileprivate var cancellations: [Cancellation] = []

        /// What opens seals; `enrolled` are the fingers that are enrolled now, where that was looked at.
        func secrets(enrolled: [UInt8]?) -> FactorSecrets {
            FactorSecrets(
                passcode: passcode, openedBy: opener, password: nil,
                stretchedAlso: passwordFactors, hasFinger: fingers != nil,
                fingers: fingers == enrolled ? enrolled : nil, enrolled: enrolled, seals: seals)
        }

        /// What was given; a password that opened nothing of the kind yet is for the query to find out.
        var given: GivenCredentials {
            var given: GivenCredentials = []
            if password != nil { given.insert(.password) }
            if givenPasscode != nil { given.insert(.passcode) }
            return given
        }
    }

    private struct State: Sendable {
        var contexts: [AuthenticationContextID: Context] = [:]
        /// Requests that may be taken back by themselves.
        var expected: [AuthenticationRequestID: Cancellation] = [:]
        var locks = 0
    }

    private let state = ForkSafeMutex(State())

    /// Knows a context from now on, if it does not yet.
    func begin(_ id: AuthenticationContextID) {
        state.withLock { if $0.contexts[id] == nil { $0.contexts[id] = Context() } }
    }

    /// Whether no program has one, or is about to ask.
    var areNone: Bool { state.withLock { $0.contexts.isEmpty && $0.expected.isEmpty } }

    /// Throws when there is no such context.
    func read<Result: Sendable>(
        _ id: AuthenticationContextID, _ body: (Context) -> Result
    ) throws(KeychainError) -> Result {
        guard let result = state.withLock({ $0.contexts[id].map(body) }) else { throw AuthenticationContexts.ended }
        return result
    }

    /// Changes a context, unless it has ended meanwhile.
    func change(_ id: AuthenticationContextID, _ body: (inout Context) -> Void) {
        state.withLock { state in
            guard var context = state.contexts[id] else { return }
            body(&context)
            context.seals = OpenedSeals()
            state.contexts[id] = context
        }
    }

    /// How often the keychain was locked so far.
    var locks: Int { state.withLock { $0.locks } }

    /// Keeps what the passcode opened, unless the keychain was locked meanwhile.
    func keep(
        _ passcode: [PasscodeFactor], openedBy opener: PasscodeParameters?, after locks: Int,
        _ id: AuthenticationContextID
    ) {
        state.withLock { state in
            guard state.locks == locks else { return }
            state.contexts[id]?.passcode = passcode
            state.contexts[id]?.opener = opener
            state.contexts[id]?.seals = OpenedSeals()
            // From now on the factors do what it did.
            state.contexts[id]?.givenPasscode = nil
        }
    }

    /// What takes a request's questions back, for as long as it is under way: the end of its context, or `takeBack`.
    func enter(
        _ id: AuthenticationContextID, _ request: AuthenticationRequestID?
    ) throws(KeychainError) -> Cancellation {
        let entered = state.withLock { state -> Cancellation? in
            guard state.contexts[id] != nil else { return nil }
            let cancellation = request.flatMap { state.expected[$0] } ?? Cancellation()
            state.contexts[id]?.cancellations.append(cancellation)
            return cancellation
        }
        guard let entered else { throw AuthenticationContexts.ended }
        return entered
    }

    func leave(_ id: AuthenticationContextID, _ cancellation: Cancellation) {
        state.withLock { $0.contexts[id]?.cancellations.removeAll { $0 === cancellation } }
    }

    /// A request comes that may be taken back, be it before it is here.
    func expect(_ request: AuthenticationRequestID) {
        state.withLock { $0.expected[request] = Cancellation() }
    }

    /// It is over.
    func forget(_ request: AuthenticationRequestID) {
        _ = state.withLock { $0.expected.removeValue(forKey: request) }
    }

    func takeBack(_ request: AuthenticationRequestID) { state.withLock { $0.expected[request] }?.trip() }

    /// Forgets a context, and takes back what is asked for it.
    func end(_ id: AuthenticationContextID) {
        let ended = state.withLock { $0.contexts.removeValue(forKey: id) }
        for cancellation in ended?.cancellations ?? [] { cancellation.trip() }
    }

    /// Forgets the passcode and what it opened, everywhere.
    func forgetPasscode() {
        state.withLock { state in
            state.locks += 1
            for id in state.contexts.keys {
                state.contexts[id]?.passcode = []
                state.contexts[id]?.seals = OpenedSeals()
                state.contexts[id]?.givenPasscode = nil
                state.contexts[id]?.isGivenPasscodeWrong = false
            }
        }
    }

    private static let ended = KeychainError(
        .authenticationFailed, "the context was invalidated, or belongs to another keychain; use a new one",
        subject: "u_AuthCtx")
}
