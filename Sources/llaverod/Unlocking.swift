// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

/// Unlocks the keychain when the daemon starts, and nobody is there.
enum Unlocking {
    /// Tries once, and counts as any other try.
    ///
    /// What fails leaves a locked keychain, which is served all the same.
    static func unlock(_ keychain: EmbeddedHost, withCredential name: String) {
        do throws(KeychainError) {
            try keychain.engine().unlock(with: try PasscodeSource.credential(named: name))
        } catch { Llaverod.say("the keychain stays locked: \(error.description)") }
    }
}
