// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the errors.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the authentication failed.
public struct LAError: CustomNSError, Hashable, Sendable {
    /// The reasons, with Apple's numbers.
    @frozen public enum Code: Int, Sendable {
        /// What was shown is not right.
        case authenticationFailed = -1
        /// The person refused.
        case userCancel = -2
        /// The person wants another way; no prompt here offers one.
        case userFallback = -3
        /// The system took the question back.
        case systemCancel = -4
        /// The keychain has no passcode.
        case passcodeNotSet = -5
        /// There is no reader.
        case biometryNotAvailable = -6
        /// No finger is enrolled.
        case biometryNotEnrolled = -7
        /// The reader wants the passcode first, after too many strangers.
        case biometryLockout = -8
        /// The program took the question back.
        case appCancel = -9
        /// The context was invalidated before.
        case invalidContext = -10
        /// There is no watch, as always here.
        case watchNotAvailable = -11
        /// The reader is not paired.
        case biometryNotPaired = -12
        /// The reader is not plugged in.
        case biometryDisconnected = -13
        /// An embedded prompt is too small.
        case invalidDimensions = -14
        /// A prompt would be required, and is forbidden or impossible.
        case notInteractive = -1004

        /// The older name of ``biometryNotAvailable``.
        public static let touchIDNotAvailable = Code.biometryNotAvailable
        /// The older name of ``biometryNotEnrolled``.
        public static let touchIDNotEnrolled = Code.biometryNotEnrolled
        /// The older name of ``biometryLockout``.
        public static let touchIDLockout = Code.biometryLockout
        /// The newer name of ``watchNotAvailable``.
        public static let companionNotAvailable = Code.watchNotAvailable

        fileprivate var sentence: String {
            switch self {
            case .authenticationFailed: "What was shown is not right."
            case .userCancel: "The question was refused."
            case .userFallback: "Another way to authenticate was asked for."
            case .systemCancel: "The system took the question back."
            case .passcodeNotSet: "The keychain has no passcode."
            case .biometryNotAvailable: "There is no fingerprint reader."
            case .biometryNotEnrolled: "No finger is enrolled."
            case .biometryLockout: "The fingerprint reader wants the passcode first."
            case .appCancel: "The program took the question back."
            case .invalidContext: "The context is not valid any more."
            case .watchNotAvailable: "There is no watch."
            case .biometryNotPaired: "The fingerprint reader is not paired."
            case .biometryDisconnected: "The fingerprint reader is not plugged in."
            case .invalidDimensions: "The prompt is too small."
            case .notInteractive: "Nobody may be asked."
            }
        }

        /// Whether an error is of that reason, so that a `catch` can name it.
        public static func ~= (code: Code, error: any Error) -> Bool { LAError(bridging: error)?.code == code }
    }

    /// The reason.
    public let code: Code
    /// What happened and what to do.
    public let explanation: String

    /// An error of a reason, with what to tell a person.
    public init(_ code: Code, explanation: String = "") {
        self.code = code
        self.explanation = explanation
    }

    /// The error of this module that another one stands for, as the `NSError` that
    /// ``LAContext/canEvaluatePolicy(_:error:)`` sets; nil for any other.
    ///
    /// On Linux `error as? LAError` is nil for an `NSError`: only Apple's runtime turns one into the other.
    public init?(bridging error: any Error) {
        if let error = error as? LAError {
            self = error
            return
        }
        let general = error as NSError
        guard general.domain == LAErrorDomain, let code = Code(rawValue: general.code) else { return nil }
        self.init(code, explanation: general.userInfo[NSLocalizedDescriptionKey] as? String ?? "")
    }

    /// ``LAErrorDomain``.
    public static var errorDomain: String { LAErrorDomain }
    /// The reason's number.
    public var errorCode: Int { code.rawValue }
    /// The explanation, or what the reason alone says, for programs that show `localizedDescription`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: explanation.isEmpty ? code.sentence : explanation]
    }

    /// Two errors are equal when they have one reason.
    public static func == (left: LAError, right: LAError) -> Bool { left.code == right.code }
    /// The reason's hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// ``Code/authenticationFailed``.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// ``Code/userCancel``.
    public static var userCancel: Code { .userCancel }
    /// ``Code/userFallback``.
    public static var userFallback: Code { .userFallback }
    /// ``Code/systemCancel``.
    public static var systemCancel: Code { .systemCancel }
    /// ``Code/passcodeNotSet``.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// ``Code/biometryNotAvailable``.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// ``Code/biometryNotEnrolled``.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// ``Code/biometryLockout``.
    public static var biometryLockout: Code { .biometryLockout }
    /// ``Code/appCancel``.
    public static var appCancel: Code { .appCancel }
    /// ``Code/invalidContext``.
    public static var invalidContext: Code { .invalidContext }
    /// ``Code/watchNotAvailable``.
    public static var watchNotAvailable: Code { .watchNotAvailable }
    /// ``Code/biometryNotPaired``.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// ``Code/biometryDisconnected``.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// ``Code/invalidDimensions``.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// ``Code/touchIDNotAvailable``.
    public static var touchIDNotAvailable: Code { .touchIDNotAvailable }
    /// ``Code/touchIDNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .touchIDNotEnrolled }
    /// ``Code/touchIDLockout``.
    public static var touchIDLockout: Code { .touchIDLockout }
    /// ``Code/companionNotAvailable``.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
}

extension LAError {
    init(_ error: KeychainError) {
        let code: Code =
            switch error.reason {
            case .cancelled: .userCancel
            case .interactionNotAllowed: .notInteractive
            default: .authenticationFailed
            }
        self.init(code, explanation: error.description)
    }
}
