// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What the daemon does with its keychains by itself.
extension UserKeychains {
    /// Locks what nobody has used for as long as its settings say, and closes what nobody needs; seconds until there will
    /// be something to do, nil when somebody will say so.
    package func attend() -> UInt32? {
        var next: UInt64?
        for (key, keychain) in slots.opened {
            for remaining in [lockIfDue(keychain), closeIfDue(keychain, at: key)].compactMap(\.self) {
                next = min(next ?? .max, remaining)
            }
        }
        return next.map { UInt32(clamping: $0 + 1) }
    }

    private func lockIfDue(_ keychain: UserKeychain) -> UInt64? {
        guard let remaining = keychain.use.remaining(), keychain.lockState == .unlocked else { return nil }
        if remaining > 0 { return remaining }
        try? keychain.lock()
        // What could not be locked is tried again in a moment.
        return keychain.lockState == .unlocked ? 0 : nil
    }

    private func closeIfDue(_ keychain: UserKeychain, at key: KeychainSlots.Key) -> UInt64? {
        // Nearly every program wants it next.
        guard !isUsual(key), let remaining = keychain.presence.remaining(of: UserKeychains.idleSeconds) else {
            return nil
        }
        if remaining > 0 { return remaining }
        _ = slots.inTurnIfFree(key) { _ in keychain.endIfNobodyNeedsIt() }
        // Where somebody had to do with it just now, that is tried again in a moment.
        return keychain.presence.remaining(of: UserKeychains.idleSeconds)
    }

    /// Locks those of one user, or of everybody, that lock together with sessions; tells of what could not be locked.
    package func lockWithSessions(of user: UInt32?, _ tell: (KeychainError) -> Void) {
        for (owner, keychain) in opened where (user == nil || owner == user) && keychain.locksWithSession {
            do throws(KeychainError) { try keychain.lock() } catch { tell(error) }
        }
        timer?.lookAgain()
    }

    /// After so many seconds without use a keychain is closed that nobody needs open.
    package static let idleSeconds: UInt64 = 300
}
