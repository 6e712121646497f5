// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

/// Unlocks the keychain when the daemon starts, and nobody is there.
enum Unlocking {
    /// Tries once, and counts as any other try.
    ///
    /// What fails leaves a locked keychain, which is served all the same.
    static func unlock(_ keychain: EmbeddedHost, withCredential name: String, of user: UInt32) {
        do throws(KeychainError) {
            let passcode = try PasscodeSource.credential(named: name)
            try keychain.engine().unlock(with: passcode, WorkOrder(user: user) { true })
        } catch { Llaverod.say("the keychain stays locked: \(error.description)") }
    }
}
