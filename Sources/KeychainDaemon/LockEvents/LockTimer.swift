// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import Synchronization

/// Locks keychains that nobody has used for as long as their settings say.
///
/// Its thread sleeps as long as there is nothing to lock.
final class LockTimer: Sendable {
    private let bell: Bell
    private let stopping: PromptCancellation

    init(_ stopping: PromptCancellation) throws(BrokenWait) {
        bell = try Bell()
        self.stopping = stopping
    }

    /// Something was opened, unlocked, or has other settings.
    func lookAgain() { bell.ring() }

    func watch(_ keychains: UserKeychains) {
        _ = PromptThread.start { [self] in
            do throws(BrokenWait) {
                while true {
                    let next = LockTimer.lockDue(in: keychains)
                    do throws(BrokenWait) {
                        try Patience(seconds: next, stopping).wait(for: bell.file)
                        bell.still()
                    } catch { guard case .timedOut = error else { throw error } }
                }
            } catch {}
        }
    }

    /// Locks what is due; seconds until the next one is, nil when none will be.
    private static func lockDue(in keychains: UserKeychains) -> UInt32? {
        var next: UInt64?
        for (_, keychain) in keychains.opened {
            guard let remaining = keychain.use.remaining(), keychain.isUnlocked else { continue }
            if remaining > 0 {
                next = min(next ?? .max, remaining)
            } else {
                keychain.lock()
                // What could not be locked is tried again in a moment.
                if keychain.isUnlocked { next = 0 }
            }
        }
        return next.map { UInt32(clamping: $0 + 1) }
    }
}

extension UserKeychain {
    /// Reads the settings, as they are from now on.
    func follow() {
        do throws(KeychainError) {
            guard case .settings(let settings) = try perform(.settings) else { return }
            use.expect(settings.timeout)
        } catch {
            // Settings that cannot be read may have said this.
            use.expect(UserKeychain.strictest)
        }
    }

    /// Whether it locks together with its user's session.
    package var locksWithSession: Bool {
        guard case .settings(let settings)? = try? perform(.settings) else { return true }
        return settings.locksWithSession
    }

    var isUnlocked: Bool {
        guard case .standing(let standing)? = try? perform(.standing) else { return false }
        return standing.lockState == .unlocked
    }

    func lock() { _ = try? perform(.lock) }

    /// As the daemon itself, which may do anything with it.
    private func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        let caller = Caller(groups: [], seesEveryGroup: false, administersKeys: true, program: nil)
        return try host.connection().keybag.perform(request, from: caller)
    }

    private static let strictest: UInt32 = 60
}
