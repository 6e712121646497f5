// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Opening the keybag with all its keys, in the owner's turn.
extension KeychainEngine {
    /// Opens the keybag with all its keys, in the owner's turn, for `body` to use or change.
    ///
    /// The passcode is stretched before the turn, when it is `order`'s; one that turns out to be stretched for an older
    /// keybag is stretched again.
    func withOpenedKeybag<Result>(
        _ authorization: KeybagAuthorization, _ order: WorkOrder,
        _ body: (OpenedKeybag, borrowing OwnersTurn) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        for _ in 0..<8 {
            let header = try storedKeybag().keybag.header
            let expected = header.passcode
            if case .passcode = authorization { try refuseWhileWaiting(header) }
            let passcode = try stretch(authorization, expected, order)
            let result = try home.withOwnersTurn { (turn) throws(KeychainError) -> Result? in
                let stored = try storedKeybag()
                guard stored.keybag.header.passcode == expected else { return nil }
                guard stored.row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
                let opened = try opened(stored, passcode, turn)
                clean(stored, opened.device.enclave, turn)
                return try body(opened, turn)
            }
            if let result { return result }
        }
        throw KeychainError(.notAvailable, "the keychain's passcode changed faster than it could be checked")
    }

    /// Says at once that no passcode may be tried yet, before any work that others would have to wait for.
    private func refuseWhileWaiting(_ header: KeybagHeader) throws(KeychainError) {
        guard let gate = header.passcode?.gate else { return }
        let enclave = try enclave(of: header).enclave
        do throws(EnclaveError) {
            guard let standing = try enclave.gates().first(where: { $0.id == gate }) else { return }
            let now = surroundings.clock()
            // A clock that was set back is the gate's to deal with, which remembers it.
            guard now > standing.lastFailure, !standing.isErased else { return }
            let seconds = AttemptDelay.remaining(of: standing, at: now)
            if seconds > 0 { throw EnclaveError.mustWait(seconds) }
        } catch { throw KeychainError(error, of: header.enclave, hasRecoveryKey: header.recovery != nil) }
    }

    private func stretch(
        _ authorization: KeybagAuthorization, _ parameters: PasscodeParameters?, _ order: WorkOrder
    ) throws(KeychainError) -> GatePasscode? {
        switch (authorization, parameters) {
        case (.unlocked, _): return nil
        case (.passcode, nil): throw KeychainError(.notAvailable, "the keychain has no passcode")
        case (.passcode(let passcode), let parameters?):
            return try surroundings.work.passcodes.perform(order, refused: KeychainError.init) {
                (_) throws(KeychainError) in
                do throws(CryptoError) {
                    return GatePasscode(
                        gate: parameters.gate,
                        try StretchedPasscode(passcode.bytes, salt: parameters.salt, cost: parameters.cost))
                } catch { throw KeychainError(error) }
            }
        }
    }

    private func opened(
        _ stored: StoredKeybag, _ passcode: GatePasscode?, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> OpenedKeybag {
        let before = keys.withLock { OpenedKeybag.Before($0, stored.keybag.header) }
        let device = try settledEnclave(of: stored, turn)
        // First without the passcode: an attempt is not to be counted for a header that is not the enclave's.
        var keys: UnlockedKeybag
        do throws(KeybagError) { keys = try stored.keybag.opened(with: device.root) } catch {
            throw KeychainError(error)
        }
        guard let passcode else {
            if let held = self.keys.withLock({ $0.held }) { keys = keys.adopting(held) }
            guard keys.isComplete else {
                throw KeychainError(
                    .interactionNotAllowed, "the keychain is locked; give the passcode, or unlock it first")
            }
            return OpenedKeybag(
                stored: stored, before: before, keys: outlivingCopy(keys, stored), device: device, passcode: nil)
        }
        let secret: SecretBytes
        do throws(EnclaveError) {
            secret = try device.enclave.openGate(
                passcode.gate, with: passcode.stretched.gateKey, at: surroundings.clock(), turn)
        } catch {
            let header = stored.keybag.header
            throw KeychainError(error, of: header.enclave, hasRecoveryKey: header.recovery != nil)
        }
        do throws(KeybagError) {
            keys = try stored.keybag.opened(with: device.root, gate: secret, passcode: passcode.stretched)
        } catch { throw KeychainError(error) }
        return OpenedKeybag(
            stored: stored, before: before, keys: outlivingCopy(keys, stored), device: device,
            passcode: OpenedGate(secret: secret, passcode))
    }

    /// Keys whose keybag will count as later than the copy that is kept: the stored one may have been put back from a
    /// backup, and what is made of it now is what counts.
    private func outlivingCopy(_ keys: UnlockedKeybag, _ stored: StoredKeybag) -> UnlockedKeybag {
        guard let copy = laterCopy(than: stored) else { return keys }
        return keys.outliving(copy.header)
    }
}
