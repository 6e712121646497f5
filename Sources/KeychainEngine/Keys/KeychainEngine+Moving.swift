// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// How a keychain is to move from one enclave to another.
package struct EnclaveMove: Sendable {
    package let kind: EnclaveKind
    /// The passcode that counts in the new enclave: asked for where the keychain has one.
    package let passcode: Passcode?
    /// Whether keys that live in the old enclave may be left without it: they can never be used again.
    package let abandonsEnclaveKeys: Bool
    /// Whether to make a recovery key where there is none.
    package let makesRecoveryKey: Bool

    package init(
        to kind: EnclaveKind, passcode: Passcode?, abandonsEnclaveKeys: Bool, makesRecoveryKey: Bool
    ) {
        self.kind = kind
        self.passcode = passcode
        self.abandonsEnclaveKeys = abandonsEnclaveKeys
        self.makesRecoveryKey = makesRecoveryKey
    }
}

/// Hanging a keychain on another enclave, without touching its items.
extension KeychainEngine {
    /// The keys that could not follow.
    package func enclaveKeys() throws(KeychainError) -> [PersistentID] {
        try read { (lane) throws(StoreError) in try lane.enclaveKeys() }
    }

    /// Moves; returns the recovery key, if one was made.
    ///
    /// The new enclave is made beside the old one, the keybag that names it is stored, and the old one is removed.
    package func move(
        _ move: EnclaveMove, _ authorization: KeybagAuthorization
    ) throws(KeychainError) -> RecoveryKey? {
        let stuck = try enclaveKeys().count
        guard stuck == 0 || move.abandonsEnclaveKeys else {
            throw KeychainError(
                .notAvailable, "keys that live in the enclave cannot leave it; allow their loss, or delete them",
                subject: "\(stuck) keys")
        }
        var new: NewPasscode?
        let header = try storedKeybag().keybag.header
        if header.passcode != nil {
            guard let passcode = move.passcode else {
                throw KeychainError(.authenticationFailed, "the keychain has a passcode; the new enclave needs it too")
            }
            new = try NewPasscode(passcode, cost: surroundings.passcodeCost, eraseAfter: header.eraseAfterAttempts)
        }
        let recovery: RecoveryKey?
        do throws(CryptoError) {
            recovery = move.makesRecoveryKey && header.recovery == nil ? try RecoveryKey() : nil
        } catch { throw KeychainError(error) }
        let recoveryPublicKey = recovery?.publicKey ?? header.recovery
        try withOpenedKeybag(authorization) { (opened, turn) throws(KeychainError) in
            guard opened.keys.header.enclave != move.kind else {
                throw KeychainError(.duplicateItem, "the keychain is in this enclave already")
            }
            guard opened.keys.header.passcode == nil || new != nil else {
                throw KeychainError(.authenticationFailed, "a passcode was set meanwhile; try again")
            }
            let enclave: any Enclave
            let root: DeviceRoot
            do throws(EnclaveError) {
                enclave = try home.makeEnclave(move.kind, for: opened.keys.header.keychain, turn)
                root = try enclave.deviceRoot()
            } catch { throw KeychainError(error) }
            let moved = opened.keys.withRecovery(recoveryPublicKey).moved(to: move.kind, binding: root.binding)
            let (keys, replacement) = try sealed(moved, new, in: enclave, root: root, turn)
            try store(replacement, keys, in: opened.state, turn)
            clean(replacement.keybag, enclave, turn)
        }
        return recovery
    }
}
