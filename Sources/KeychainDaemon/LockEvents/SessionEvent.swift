// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a user's sessions, or to the machine.
package struct SessionEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A session was locked, or may have been while nobody could say so.
        case lock
        /// A session was unlocked. That opens no keychain: nobody showed us a passcode.
        case unlock
        /// The machine is about to sleep.
        case sleep
    }

    package let kind: Kind
    /// Whose session; nil when it is about every user.
    package let user: UInt32?

    package init(_ kind: Kind, of user: UInt32?) {
        self.kind = kind
        self.user = user
    }
}

/// How well sessions are watched now.
package enum SessionWatch: Sendable, Equatable {
    /// Every event comes; `delaysSleep` says whether the machine waits for us before it sleeps.
    case watching(delaysSleep: Bool)
    /// There is a bus, and nobody on it who knows of sessions.
    case noLogind
    /// There is no bus, or no library to speak to one with.
    case noBus
}
