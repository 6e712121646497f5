// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation
@_exported public import Security

/// What a person has shown, and how they are asked: for one use, or for many (`kSecUseAuthenticationContext`).
///
/// It is as good as what was shown to it until it is invalidated or goes; what the passcode opened ends when the keychain
/// is locked.
open class LAContext: NSObject, @unchecked Sendable {
    // Sendable: what changes in it stands behind a lock.
    private let state: ForkSafeMutex<State>
    private let id: AuthenticationContextID
    /// The keychain of the task it was made in; nil for the process's.
    private let host: (any KeychainHost)?

    private struct State: Sendable {
        var isInvalid = false
        /// Whether the keychain has heard of it; else it needs not hear of its end.
        var hasBegun = false
        /// The process's keychain, from its first use on: a test run may install one after contexts were made.
        var processHost: (any KeychainHost)?
        var interactionNotAllowed = false
        var localizedReason = ""
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
        var reuseDuration: TimeInterval = 0
        var domainState: Data?
    }

    /// A context to which nothing was shown yet.
    public override init() {
        state = ForkSafeMutex(State())
        id = .random()
        host = CurrentKeychain.isolated
        super.init()
    }

    deinit {
        guard state.withLock({ $0.hasBegun }) else { return }
        ForkGate.operation { _ = (try? session())?.invalidate(id) }
    }

    /// Whether prompts are forbidden; what requires one then fails.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// What a person is told it is for.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// The words on a button for another way; prompts on Linux have none, and it is kept for sources that set it.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The words on the button that refuses, where a prompt has one.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// For how many seconds a finger shown elsewhere would count; a finger counts for the context it was shown to, and no
    /// other, whatever is set here.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set {
            state.withLock {
                $0.reuseDuration = min(max(newValue, 0), LATouchIDAuthenticationMaximumAllowableReuseDuration)
            }
        }
    }

    /// The digest of the enrolled fingers when a policy was last looked at; nil before, and where there are none.
    open var evaluatedPolicyDomainState: Data? { state.withLock { $0.domainState } }

    /// What kind of reader there is; known after a policy was looked at, as on Apple's systems.
    open var biometryType: LABiometryType {
        let means = ForkGate.operation { try? session().means() }
        return means?.hasReader == true ? .touchID : .none
    }

    /// Whether a policy could be met now, without a prompt.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        do throws(LAError) {
            try check(policy)
            return true
        } catch let failure {
            if let error = unsafe error { unsafe error.pointee = failure as NSError }
            return false
        }
    }

    func check(_ policy: LAPolicy) throws(LAError) {
        guard !state.withLock({ $0.isInvalid }) else { throw LAError(.invalidContext) }
        let means: AuthenticationMeans
        do throws(KeychainError) {
            means = try ForkGate.operation { () throws(KeychainError) in try session().means() }
        } catch { throw LAError(error) }
        state.withLock { $0.domainState = means.fingers.map { Data($0) } }
        switch policy {
        case .deviceOwnerAuthenticationWithWatch:
            throw LAError(.watchNotAvailable, explanation: "authentication with a watch is not supported on Linux")
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrWatch:
            guard means.isPasscodeSet else { throw LAError(.passcodeNotSet) }
            guard means.hasReader else { throw LAError(.biometryNotAvailable) }
            guard means.fingers != nil else { throw LAError(.biometryNotEnrolled) }
        case .deviceOwnerAuthentication:
            guard means.isPasscodeSet else { throw LAError(.passcodeNotSet) }
        }
    }

    /// What could be shown now; nil where the keychain cannot be asked.
    func currentMeans() -> AuthenticationMeans? { ForkGate.operation { try? session().means() } }

    func session() throws(KeychainError) -> any KeychainSession {
        if let host { return try host.session() }
        return try processHost().session()
    }

    private func processHost() throws(KeychainError) -> any KeychainHost {
        if let host = state.withLock({ $0.processHost }) { return host }
        let found = try CurrentKeychain.processHost()
        return state.withLock { state in
            if let host = state.processHost { return host }
            state.processHost = found
            return found
        }
    }

    /// Forgets what was shown, takes back what is asked, and refuses everything from now on.
    open func invalidate() {
        state.withLock { $0.isInvalid = true }
        ForkGate.operation { _ = (try? session())?.invalidate(id) }
    }

    var contextID: AuthenticationContextID { id }
    var isInvalid: Bool { state.withLock { $0.isInvalid } }

    func terms(reason: String?) throws(KeychainError) -> AuthenticationTerms {
        let session = try session()
        // Not under the lock: a daemon may take long to answer, and a fork does not wait for it.
        if !isInvalid { session.begin(id) }
        let terms = state.withLock { state -> AuthenticationTerms? in
            if state.isInvalid { return nil }
            state.hasBegun = true
            let own = state.localizedReason
            return AuthenticationTerms(
                context: id, interaction: state.interactionNotAllowed ? .forbidden : .allowed,
                reason: reason ?? (own.isEmpty ? nil : own), cancelTitle: state.localizedCancelTitle, holder: self)
        }
        guard let terms else {
            // Its end may have come before the beginning.
            session.invalidate(id)
            throw KeychainError(.authenticationFailed, "the context was invalidated", subject: "u_AuthCtx")
        }
        return terms
    }
}

extension LAContext: AuthenticationContextCarrying {
    package func authenticationTerms() throws(KeychainError) -> AuthenticationTerms { try terms(reason: nil) }
}

/// What the person has to show.
@frozen public enum LAPolicy: Int, Sendable {
    /// An enrolled finger.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// An enrolled finger, or the passcode.
    case deviceOwnerAuthentication = 2
    /// A paired watch; there is none on Linux, so this cannot be met.
    case deviceOwnerAuthenticationWithWatch = 3
    /// An enrolled finger, there being no watch on Linux.
    case deviceOwnerAuthenticationWithBiometricsOrWatch = 4

    /// The newer name of ``deviceOwnerAuthenticationWithWatch``.
    public static let deviceOwnerAuthenticationWithCompanion = LAPolicy.deviceOwnerAuthenticationWithWatch
    /// The newer name of ``deviceOwnerAuthenticationWithBiometricsOrWatch``.
    public static let deviceOwnerAuthenticationWithBiometricsOrCompanion =
        LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch
}

/// What kind of biometry there is.
@frozen public enum LABiometryType: Int, Sendable {
    /// No reader.
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// There is none on Linux.
    case faceID = 2
    /// There is none on Linux.
    case opticID = 4

    /// The older name of ``none``.
    public static let LABiometryNone = LABiometryType.none
}

/// Where an error goes, as Apple's Foundation calls it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The longest time for ``LAContext/touchIDAuthenticationAllowableReuseDuration``: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
