// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// The key on paper.
extension KeychainEngine {
    /// Makes a recovery key in place of any earlier one; the earlier one opens nothing any more.
    package func makeRecoveryKey(_ authorization: KeybagAuthorization) throws(KeychainError) -> RecoveryKey {
        let recovery: RecoveryKey
        do throws(CryptoError) { recovery = try RecoveryKey() } catch { throw KeychainError(error) }
        try changeRecovery(authorization, to: recovery.publicKey)
        return recovery
    }

    /// Does without a recovery key from now on.
    package func removeRecoveryKey(_ authorization: KeybagAuthorization) throws(KeychainError) {
        try changeRecovery(authorization, to: nil)
    }

    private func changeRecovery(
        _ authorization: KeybagAuthorization, to key: RecoveryPublicKey?
    ) throws(KeychainError) {
        try withOpenedKeybag(authorization) { (opened, turn) throws(KeychainError) in
            let keys = opened.keys.withRecovery(key)
            let replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(keys)) } catch {
                throw KeychainError(error)
            }
            try store(replacement, keys, in: opened.state, turn)
        }
    }

    /// Opens what may leave the device with the recovery key, and hangs it on a new enclave: for a device key that is
    /// lost, a TPM that was cleared, another machine.
    ///
    /// Items of the classes that never leave the device stay where they are, unreadable; the old keybag is kept, and so
    /// is what is left of the old enclave, should it come back.
    package func recover(
        with recovery: RecoveryKey, into kind: EnclaveKind, passcode: Passcode?, eraseAfter: UInt32
    ) throws(KeychainError) {
        var new: NewPasscode?
        if let passcode {
            new = try NewPasscode(passcode, cost: surroundings.passcodeCost, eraseAfter: eraseAfter)
        }
        let opened: UnlockedKeybag
        let stored = try storedKeybag().keybag
        do throws(KeybagError) { opened = try stored.opened(with: recovery) } catch { throw KeychainError(error) }
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let locked = try storedKeybag().keybag
            guard locked.header == opened.header else {
                throw KeychainError(.notAvailable, "the keychain's keys changed meanwhile; try again")
            }
            let enclave: any Enclave
            let root: DeviceRoot
            do throws(EnclaveError) {
                for kind in EnclaveKind.allCases where home.hasEnclave(kind) { try home.setAsideEnclave(kind, turn) }
                enclave = try home.makeEnclave(kind, for: locked.header.keychain, turn)
                root = try enclave.deviceRoot()
            } catch { throw KeychainError(error) }
            let moved: UnlockedKeybag
            do throws(KeybagError) {
                moved = try opened.givingUpClosedKeys().moved(to: kind, binding: root.binding).nextGeneration()
            } catch { throw KeychainError(error) }
            var (keys, replacement) = try sealed(moved, new, in: enclave, root: root, turn)
            replacement.keepsOld = true
            try store(replacement, keys, in: .unlocked, turn)
        }
    }

    /// Seals keys below an enclave, with a new passcode or with none.
    func sealed(
        _ keys: UnlockedKeybag, _ passcode: NewPasscode?, in enclave: any Enclave, root: borrowing DeviceRoot,
        _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> (UnlockedKeybag, KeybagReplacement) {
        if let passcode {
            let (next, locked) = try passcode.seal(keys, in: enclave, root: root, turn)
            return (next, KeybagReplacement(locked))
        }
        do throws(KeybagError) { return (keys, KeybagReplacement(try keys.sealed(with: root))) } catch {
            throw KeychainError(error)
        }
    }
}
