// SPDX-License-Identifier: Apache-2.0

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
    /// What a person is told it is for.
    package var reason: String?

    package init(context: AuthenticationContextID?, interaction: Interaction, reason: String?) {
        self.context = context
        self.interaction = interaction
        self.reason = reason
    }

    /// Alone, with a person to be asked: what Apple's functions do when nothing else is said (decision D30).
    package static let usual = AuthenticationTerms(context: nil, interaction: .allowed, reason: nil)
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
