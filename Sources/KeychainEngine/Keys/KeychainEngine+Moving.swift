// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import KeychainStore
internal import Synchronization

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
        _ move: EnclaveMove, _ authorization: KeybagAuthorization, _ order: WorkOrder = .own
    ) throws(KeychainError) -> RecoveryKey? {
        let header = try storedKeybag().keybag.header
        var new: NewPasscode?
        if let cost = header.passcode?.cost {
            guard let passcode = move.passcode else {
                throw KeychainError(.authenticationFailed, "the keychain has a passcode; the new enclave needs it too")
            }
            new = try NewPasscode.stretched(passcode, orAsWith: cost, surroundings, order)
        }
        let recovery: RecoveryKey?
        do throws(CryptoError) {
            recovery = move.makesRecoveryKey && header.recovery == nil ? try RecoveryKey() : nil
        } catch { throw KeychainError(error) }
        try withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
            try refuse(move, of: opened.keys.header, expecting: header)
            let device: RootedEnclave
            do throws(EnclaveError) {
                let enclave = try home.makeEnclave(move.kind, for: opened.keys.header.keychain, turn)
                device = RootedEnclave(enclave, try enclave.deviceRoot())
            } catch { throw KeychainError(error, of: move.kind) }
            var moved = try opened.whole.moved(to: move.kind, binding: device.root.binding)
            if let recovery { moved = moved.withRecovery(recovery.publicKey) }
            let (keys, replacement) = try sealed(
                moved, new, on: device, eraseAfter: opened.keys.header.eraseAfterAttempts, turn)
            try store(replacement, keys, after: opened, turn)
            do throws(EnclaveError) { try home.removeEnclave(opened.keys.header.enclave, turn) } catch {
                hasLeftovers.store(true, ordering: .relaxed)
                surroundings.note(
                    "the keychain has moved; what is left of the old enclave is put aside at the next use")
            }
        }
        return recovery
    }

    private func refuse(
        _ move: EnclaveMove, of header: KeybagHeader, expecting expected: KeybagHeader
    ) throws(KeychainError) {
        guard header.enclave != move.kind else {
            throw KeychainError(.duplicateItem, "the keychain is in this enclave already")
        }
        guard header.passcode == expected.passcode, header.recovery == expected.recovery else {
            throw KeychainError(.notAvailable, "the passcode or the recovery key was changed meanwhile; try again")
        }
        let stuck = try enclaveKeys().count
        guard stuck == 0 || move.abandonsEnclaveKeys else {
            throw KeychainError(
                .notAvailable, "keys that live in the enclave cannot leave it; allow their loss, or delete them",
                subject: "\(stuck) keys")
        }
    }
}
