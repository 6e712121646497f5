// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem
public import LlaveroFoundation
internal import Security

// Sendable: it never changes.
/// What a person has to show before a right is theirs.
public final class LAAuthenticationRequirement: NSObject, @unchecked Sendable {
    let flags: SecAccessControlCreateFlags

    init(_ flags: SecAccessControlCreateFlags) {
        self.flags = flags
        super.init()
    }

    /// An enrolled finger or the passcode.
    public static let `default` = LAAuthenticationRequirement(.userPresence)
    /// An enrolled finger.
    public static let biometry = LAAuthenticationRequirement(.biometryAny)
    /// A finger that was enrolled when the right was saved.
    public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

    /// An enrolled finger, or what takes its place.
    public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
        LAAuthenticationRequirement([.biometryAny, .or, .devicePasscode])
    }

    func accessControl(forKey: Bool) throws -> SecAccessControl {
        var error: Unmanaged<CFError>?
        let all = forKey ? flags.union(.privateKeyUsage) : flags
        guard
            let control = unsafe SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, all, &error)
        else {
            throw unsafe error?.takeRetainedValue()
                ?? NSError(domain: LAErrorDomain, code: LAError.Code.invalidContext.rawValue)
        }
        return control
    }
}

// Sendable: it never changes.
/// What takes a finger's place.
public final class LABiometryFallbackRequirement: NSObject, @unchecked Sendable {
    private override init() {}

    /// The passcode, here the only other thing that a person can show.
    public static let `default` = LABiometryFallbackRequirement()
    /// The passcode.
    public static let devicePasscode = LABiometryFallbackRequirement()
}

/// Something that a person allows a program by showing who they are.
open class LARight: NSObject, @unchecked Sendable {
    /// How a right stands.
    @frozen public enum State: Int, Sendable {
        /// Nobody has been asked yet.
        case unknown = 0
        /// Somebody is asked now.
        case authorizing = 1
        /// It was allowed.
        case authorized = 2
        /// It was not allowed, or taken back.
        case notAuthorized = 3
    }

    // Sendable: what changes in it stands behind a lock.
    private let held = ForkSafeMutex(Held())
    let requirement: LAAuthenticationRequirement

    private struct Held: Sendable {
        var state = State.unknown
        var context = LAContext()
        var tag = 0
    }

    /// A right that a finger or the passcode gives.
    public convenience override init() { self.init(requirement: .default) }

    /// A right with a requirement of its own.
    public init(requirement: LAAuthenticationRequirement) {
        self.requirement = requirement
        super.init()
    }

    /// How it stands now.
    open var state: State { held.withLock { $0.state } }

    /// A number for the program's own use.
    open var tag: Int {
        get { held.withLock { $0.tag } }
        set { held.withLock { $0.tag = newValue } }
    }

    /// What was shown for it, for items that demand the same.
    var context: LAContext { held.withLock { $0.context } }

    /// Asks the person, unless it is allowed already; throws where it is not.
    open func authorize(localizedReason: String) async throws {
        let context = held.withLock { held -> LAContext in
            held.state = .authorizing
            return held.context
        }
        do {
            _ = try await context.evaluateAccessControl(
                requirement.accessControl(forKey: false), operation: .useItem, localizedReason: localizedReason)
            held.withLock { $0.state = .authorized }
        } catch {
            held.withLock { $0.state = .notAuthorized }
            throw error
        }
    }

    /// Throws when it could not be allowed now, whatever was shown.
    open func checkCanAuthorize() async throws {
        let policy: LAPolicy =
            requirement.flags.isDisjoint(with: [.userPresence, .devicePasscode])
            ? .deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
        try context.check(policy)
    }

    /// Forgets what was shown for it.
    open func deauthorize() async {
        let ended = held.withLock { held -> LAContext in
            let ended = held.context
            held.context = LAContext()
            held.state = .notAuthorized
            return ended
        }
        ended.invalidate()
    }
}
