// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import Synchronization

/// A request to authenticate a context before an item requires it.
package struct AuthenticateRequest: Sendable {
    package enum Wish: Sendable {
        /// A finger.
        case biometry
        /// A finger or the passcode.
        case presence
        /// What an access control demands for an operation; where it is for something new, a password is thought of now.
        case accessControl(AccessControl, ProtectedOperation, isForNew: Bool)
    }

    package let wish: Wish
    package let terms: AuthenticationTerms

    package init(_ wish: Wish, _ terms: AuthenticationTerms) {
        self.wish = wish
        self.terms = terms
    }
}

/// Something that a program shows in a person's place.
package enum AuthenticationCredential: Sendable {
    case applicationPassword(SecretValue)
    case passcode(SecretValue)

    /// Which one it is, without it.
    package enum Kind: Sendable, Hashable {
        case applicationPassword
        case passcode
    }

    package var kind: Kind {
        switch self {
        case .applicationPassword: .applicationPassword
        case .passcode: .passcode
        }
    }
}

/// What could be asked of a person now.
package struct AuthenticationMeans: Sendable, Equatable {
    package let isPasscodeSet: Bool
    /// The digest of the enrolled fingers; nil when there is no reader, or no finger.
    package let fingers: [UInt8]?
    package let hasReader: Bool

    package init(isPasscodeSet: Bool, fingers: [UInt8]?, hasReader: Bool) {
        self.isPasscodeSet = isPasscodeSet
        self.fingers = fingers
        self.hasReader = hasReader
    }
}

/// How a request may meet what an item demands.
package struct AuthenticationTerms: Sendable {
    package enum Interaction: Sendable, Equatable {
        /// A person may be asked.
        case allowed
        /// No prompts: an operation that requires one fails.
        case forbidden
        /// No prompts: items that require one are skipped.
        case skipping
    }

    /// What was shown before, and what is shown now for later; nil when the request is alone.
    package var context: AuthenticationContextID?
    private var wantedInteraction: Interaction
    /// What the request can be taken back by; nil when only the end of its context does.
    package var request: AuthenticationRequestID?
    /// What a person is told it is for.
    package var reason: String?
    /// What stands on the button that refuses, where there is one.
    package var cancelTitle: String?
    /// The program's own object for the context, which lives as long as something may still be asked under these terms.
    package let holder: (any AuthenticationContextCarrying)?

    package init(
        context: AuthenticationContextID?, interaction: Interaction, reason: String?, cancelTitle: String?,
        holder: (any AuthenticationContextCarrying)?
    ) {
        self.holder = holder
        self.context = context
        wantedInteraction = interaction
        self.reason = reason
        self.cancelTitle = cancelTitle
    }

    /// Whether a person may be asked; nobody is where the whole process does not allow it.
    package var interaction: Interaction {
        get {
            wantedInteraction == .allowed && AuthenticationTerms.arePromptsForbidden ? .forbidden : wantedInteraction
        }
        set { wantedInteraction = newValue }
    }

    private static let forbidden = Atomic(false)

    /// Whether this process allows no prompt, whatever a request says (`SecKeychainSetUserInteractionAllowed`).
    package static var arePromptsForbidden: Bool { forbidden.load(ordering: .relaxed) }

    /// Allows no prompt from now on, or allows them again.
    package static func forbidPrompts(_ forbids: Bool) { forbidden.store(forbids, ordering: .relaxed) }

    /// Alone, with a person to be asked: what Apple's functions do when nothing else is said (decision D30).
    package static let usual = AuthenticationTerms(
        context: nil, interaction: .allowed, reason: nil, cancelTitle: nil, holder: nil)

    /// The terms of something that is done later: what the context says then, and what the request said.
    package func later() throws(KeychainError) -> AuthenticationTerms {
        guard let holder else { return self }
        var terms = try holder.authenticationTerms()
        if interaction != .allowed { terms.interaction = interaction }
        terms.reason = reason
        return terms
    }
}

/// The name of one request, for who may take it back.
package struct AuthenticationRequestID: Sendable, Hashable {
    package let name: AuthenticationContextID

    package init(name: AuthenticationContextID) { self.name = name }

    package static func random() -> AuthenticationRequestID { AuthenticationRequestID(name: .random()) }
}

/// The random name of what one context has shown.
///
/// A caller that knows it may use what was shown, so it is random and never a counter.
package struct AuthenticationContextID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// One that cannot be guessed: the generator is the kernel's.
    package static func random() -> AuthenticationContextID {
        var generator = SystemRandomNumberGenerator()
        return AuthenticationContextID(high: generator.next(), low: generator.next())
    }
}

/// The object that programs hold for what a person showed; `LAContext` is one, and it lives above this module.
package protocol AuthenticationContextCarrying: AnyObject, Sendable {
    /// The context, known to its keychain from now on, and what it allows by itself; throws once it is invalid.
    func authenticationTerms() throws(KeychainError) -> AuthenticationTerms
}
