// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import KeychainStore
internal import Synchronization

/// The key on paper.
extension KeychainEngine {
    /// Makes a recovery key in place of any earlier one; the earlier one opens nothing any more.
    package func makeRecoveryKey(
        _ authorization: KeybagAuthorization, _ order: WorkOrder = .own
    ) throws(KeychainError) -> RecoveryKey {
        let recovery: RecoveryKey
        do throws(CryptoError) { recovery = try RecoveryKey() } catch { throw KeychainError(error) }
        try changeRecovery(authorization, to: recovery.publicKey, order)
        return recovery
    }

    /// Does without a recovery key from now on.
    package func removeRecoveryKey(
        _ authorization: KeybagAuthorization, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        try changeRecovery(authorization, to: nil, order)
    }

    private func changeRecovery(
        _ authorization: KeybagAuthorization, to key: RecoveryPublicKey?, _ order: WorkOrder
    ) throws(KeychainError) {
        try withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
            let keys = try opened.whole.withRecovery(key)
            var replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(keys)) } catch {
                throw KeychainError(error)
            }
            replacement.endsEarlierRecovery = true
            try store(replacement, keys, after: opened, turn)
        }
    }

    /// Opens what may leave the device with the recovery key, and hangs it on a new enclave: for a device key that is
    /// lost, a passcode that is forgotten, a TPM that was cleared, another machine.
    ///
    /// What the old enclave still opens comes along. Items of other classes stay where they are, unreadable; the old
    /// keybag is kept, and so is what is left of the old enclave, should it come back. The new enclave is made beside the
    /// old one and takes over with the keybag that names it.
    package func recover(
        with recovery: RecoveryKey, into kind: EnclaveKind, passcode: Passcode?, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        var new: NewPasscode?
        if let passcode { new = try NewPasscode.stretched(passcode, orAsWith: nil, surroundings, order) }
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let stored = try storedKeybag()
            guard stored.row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
            let header = stored.keybag.header
            let opened = try opened(stored.keybag, with: recovery)
            let device: RootedEnclave
            do throws(EnclaveError) {
                let enclave = try home.makePendingEnclave(kind, for: header.keychain, turn)
                device = RootedEnclave(enclave, try enclave.deviceRoot())
            } catch { throw KeychainError(error, of: kind) }
            var moved = opened.givingUpClosedKeys(beforeAnotherPasscode: new != nil)
            if let copy = laterCopy(than: stored) { moved = moved.outliving(copy.header) }
            do throws(KeychainError) {
                do throws(KeybagError) {
                    moved = try moved.moved(to: kind, binding: device.root.binding).nextGeneration()
                } catch { throw KeychainError(error) }
                var (keys, replacement) = try sealed(
                    moved, new, on: device, eraseAfter: header.eraseAfterAttempts, turn)
                replacement.keepsOld = true
                let before = OpenedKeybag.Before(lockState: .unlocked, epoch: self.keys.withLock { $0.epoch })
                try store(replacement, keys, after: before, turn)
            } catch {
                removeUnusedEnclave(device, turn)
                throw error
            }
            do throws(EnclaveError) {
                for kind in EnclaveKind.allCases { try home.setAsideEnclave(kind, turn) }
                try home.settlePendingEnclave(kind, turn)
            } catch {
                hasLeftovers.store(true, ordering: .relaxed)
                surroundings.note("the keychain is recovered; its new enclave gets its place at the next use")
            }
        }
    }

    /// Takes away the new enclave of a recovery that failed, when it is certain that no stored keybag names it.
    private func removeUnusedEnclave(_ device: RootedEnclave, _ turn: borrowing OwnersTurn) {
        guard let stored = try? storedKeybag(), stored.keybag.header.enclaveBinding != device.root.binding,
            isConfirmed(stored)
        else { return }
        home.removePendingEnclave(device.enclave.kind, turn)
    }

    /// All that can be opened of a keybag: with the recovery key, with what is left of the device, and what this process
    /// still holds.
    private func opened(
        _ keybag: LockedKeybag, with recovery: RecoveryKey
    ) throws(KeychainError) -> UnlockedKeybag {
        var keys: UnlockedKeybag
        do throws(KeybagError) { keys = try keybag.opened(with: recovery) } catch { throw KeychainError(error) }
        if let device = try? enclave(of: keybag.header), let left = try? keybag.opened(with: device.root) {
            keys = keys.adopting(left)
        }
        if let held = self.keys.withLock({ $0.held }) { keys = keys.adopting(held) }
        return keys
    }

    /// Seals keys below an enclave, with a new passcode or with none.
    func sealed(
        _ keys: UnlockedKeybag, _ passcode: NewPasscode?, on device: RootedEnclave, eraseAfter: UInt32,
        _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> (UnlockedKeybag, KeybagReplacement) {
        if let passcode {
            let (next, locked) = try passcode.seal(keys, on: device, eraseAfter: eraseAfter, turn)
            return (next, KeybagReplacement(locked))
        }
        do throws(KeybagError) { return (keys, KeybagReplacement(try keys.sealed(with: device.root))) } catch {
            throw KeychainError(error)
        }
    }
}
