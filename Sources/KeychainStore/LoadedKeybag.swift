// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// The keys that are available, and the moment of the database they were loaded at.
package struct LoadedKeybag: Sendable {
    package let keychain: KeychainUUID
    package let keys: UnlockedKeybag
    /// `pragma user_version` when they were loaded; another one means that keybag, owner or format changed.
    package let version: Int32
    /// Whether this software is recent enough to write to the keychain.
    package let mayWrite: Bool

    package init(keychain: KeychainUUID, keys: UnlockedKeybag, version: Int32, mayWrite: Bool) {
        self.mayWrite = mayWrite
        self.keychain = keychain
        // What demands the passcode is not opened by keys that lie about.
        self.keys = keys.withoutPasscodeFactors()
        self.version = version
    }

    /// The same moment, with fewer keys open.
    package func limited(to state: LockState) -> LoadedKeybag {
        LoadedKeybag(keychain: keychain, keys: keys.limited(to: state), version: version, mayWrite: mayWrite)
    }
}
