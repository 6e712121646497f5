// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// How a request may meet what an item demands.
package struct AuthenticationTerms: Sendable {
    package enum Interaction: Sendable, Equatable {
        /// A person may be asked.
        case allowed
        /// Nobody may be asked: what demands somebody fails.
        case forbidden
        /// Nobody may be asked: what demands somebody is passed over.
        case skipping
    }

    /// What was shown before, and what is shown now for later; nil when the request is alone.
    package var context: AuthenticationContextID?
    package var interaction: Interaction
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
        self.interaction = interaction
        self.reason = reason
        self.cancelTitle = cancelTitle
    }

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
/// Whoever knows it may use what was shown, so it is drawn and never counted.
package struct AuthenticationContextID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// One that nobody can guess: the generator is the kernel's.
    package static func random() -> AuthenticationContextID {
        var generator = SystemRandomNumberGenerator()
        return AuthenticationContextID(high: generator.next(), low: generator.next())
    }
}
