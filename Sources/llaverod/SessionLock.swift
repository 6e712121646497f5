// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest

/// Locks the keychain when its user's session is locked, and before the machine sleeps.
enum SessionLock {
    /// The sessions of one user, or of everybody.
    static func watch(_ keychains: Keychains, of user: UInt32?, bus: String) -> SessionEvents {
        SessionEvents(user: user, bus: bus, report: tell) { event in
            // An unlocked session has shown us no passcode.
            guard event.kind != .unlock else { return }
            keychains.served.lockWithSessions(of: event.user) { error in
                Llaverod.say("the session was locked, and the keychain could not be: \(error.description)")
            }
        }
    }

    private static func tell(_ watch: SessionWatch) {
        switch watch {
        case .watching(delaysSleep: true): return
        case .watching(delaysSleep: false):
            Llaverod.say("logind does not let the daemon delay sleep: the keychain may be locked only after waking up")
        case .noLogind: Llaverod.say("there is no logind: the keychain is not locked together with sessions")
        case .noBus: Llaverod.say("there is no system bus: the keychain is not locked together with sessions")
        }
    }
}
