// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
package import KeychainModel
internal import KeychainRequest

/// When a keychain locks by itself.
extension UserKeychain {
    /// Reads the settings, as they are from now on.
    func follow() {
        do throws(KeychainError) {
            guard case .settings(let settings)? = try perform(.settings) else { return }
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

    /// Where it stands; nil where nobody can say.
    package var lockState: LockState? {
        guard case .standing(let standing)? = try? perform(.standing) else { return nil }
        return standing.lockState
    }

    /// Locks it; one without a passcode has nothing to lock with, and nobody expects it.
    package func lock() throws(KeychainError) {
        do throws(KeychainError) { _ = try perform(.lock) } catch { if lockState != .noPasscode { throw error } }
        presence.lookAgain()
    }

    /// As the daemon itself, which may do anything with it; nil when the daemon has it no more.
    func perform(_ request: KeybagRequest, _ work: WorkOrder = .own) throws(KeychainError) -> KeybagReply? {
        var caller = Caller(groups: [], seesEveryGroup: false, administersKeys: true, program: nil)
        caller.work = work
        return try presence.look { () throws(KeychainError) in
            try host.connection().keybag.perform(request, from: caller)
        }
    }

    private static let strictest: UInt32 = 60
}
