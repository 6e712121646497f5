// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A wish that somebody show something to a context, before any item asks for it.
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

/// Whoever asks people, and remembers what they showed.
package protocol AuthenticationService: Sendable {
    /// Knows a context until `invalidate`; what it does not know it refuses.
    func begin(_ context: AuthenticationContextID)
    func means() throws(KeychainError) -> AuthenticationMeans
    func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError)
    /// Gives a credential to a context, or takes it back with nil.
    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID) throws(KeychainError)
    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool
    /// A request comes that may be taken back, be it before it is here.
    func expect(_ request: AuthenticationRequestID)
    /// Takes back what is asked for a request, and for no other.
    func takeBack(_ request: AuthenticationRequestID)
    /// It is over.
    func forget(_ request: AuthenticationRequestID)
    /// Forgets everything a context was shown, and takes back what is asked for it now.
    func invalidate(_ context: AuthenticationContextID)
}
