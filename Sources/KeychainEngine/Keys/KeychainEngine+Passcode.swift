// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Setting, changing, removing and giving the passcode.
///
/// Every passcode has a gate of its own: make the new one, store the keybag that names it, destroy the old one. Wherever
/// that is interrupted, exactly one passcode works.
extension KeychainEngine {
    /// Opens everything with the passcode, and brings the keybag up to date where it is not.
    package func unlock(with passcode: Passcode, _ order: WorkOrder = .own) throws(KeychainError) {
        let needs = try withOpenedKeybag(.passcode(passcode), order) { (opened, _) throws(KeychainError) -> Upkeep in
            use(opened.keys, opened.stored) { _ in .unlocked }
            return Upkeep(opened.keys, cost: surroundings.passcodeCost)
        }
        // The keychain is open; what is done for it beyond that may fail and be done another time.
        do throws(KeychainError) {
            // The factors first: a keybag that is not whole cannot be changed in any other way.
            if needs.factors { try mendPasscodeFactors(passcode, order) }
            if needs.repair { try startGeneration(.passcode(passcode), order, keepsOld: true) }
            if needs.cost { try changePasscode(from: passcode, to: passcode, order) }
        } catch { surroundings.note("the keychain is unlocked, but its keybag could not be brought up to date") }
    }

    /// What an unlock finds to do.
    private struct Upkeep {
        let repair: Bool
        let cost: Bool
        let factors: Bool

        init(_ keys: UnlockedKeybag, cost: PasscodeCost) {
            repair = !keys.missingClasses.isEmpty
            factors = !keys.hasWholeFactors
            self.cost = keys.header.passcode?.cost.isWeaker(than: cost) ?? false
        }
    }

    /// Counts and checks a passcode as an unlock does, and leaves everything as it was.
    package func verify(_ passcode: Passcode, _ order: WorkOrder = .own) throws(KeychainError) {
        try withOpenedKeybag(.passcode(passcode), order) { (_, _) throws(KeychainError) in }
    }

    /// Sets the first passcode; afterwards the keychain is unlocked.
    ///
    /// After `eraseAfter` wrong ones in a row everything that hangs on the passcode is gone; 0 = never.
    package func setPasscode(
        _ passcode: Passcode, eraseAfter: UInt32, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        guard try storedKeybag().keybag.header.passcode == nil else { throw .passcodeIsSet }
        let new = try NewPasscode.stretched(passcode, orAsWith: nil, surroundings, order)
        try withOpenedKeybag(.unlocked, order) { (opened, turn) throws(KeychainError) in
            guard opened.keys.header.passcode == nil else { throw .passcodeIsSet }
            let (keys, locked) = try new.seal(try opened.whole, on: opened.device, eraseAfter: eraseAfter, turn)
            try store(KeybagReplacement(locked), keys, after: opened, turn)
        }
    }

    /// Puts another passcode in the place of one.
    package func changePasscode(
        from old: Passcode, to passcode: Passcode, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        let cost = try storedKeybag().keybag.header.passcode?.cost
        let new = try NewPasscode.stretched(passcode, orAsWith: cost, surroundings, order)
        try withOpenedKeybag(.passcode(old), order) { (opened, turn) throws(KeychainError) in
            let header = opened.keys.header
            let (keys, locked) = try new.seal(
                try opened.whole, on: opened.device, eraseAfter: header.eraseAfterAttempts, turn)
            try store(KeybagReplacement(locked), keys, after: opened, turn)
            destroyGate(of: header, opened.device.enclave, turn)
        }
    }

    /// Removes the passcode, and with it the items that may exist only while there is one; returns how many those were.
    package func removePasscode(_ passcode: Passcode, _ order: WorkOrder = .own) throws(KeychainError) -> Int {
        try withOpenedKeybag(.passcode(passcode), order) { (opened, turn) throws(KeychainError) in
            let keys = try opened.whole.withoutPasscode()
            var replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(keys)) } catch {
                throw KeychainError(error)
            }
            replacement.removesPasscodeItems = true
            let removed = try store(replacement, keys, after: opened, turn)
            destroyGate(of: opened.keys.header, opened.device.enclave, turn)
            return removed
        }
    }

    /// Gives up a passcode that opens nothing any more, because its gate was erased, and what hung on it.
    ///
    /// The items stay, unreadable; the keychain can be used again, and get another passcode.
    package func abandonErasedPasscode() throws(KeychainError) {
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let stored = try storedKeybag()
            guard stored.row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
            let header = stored.keybag.header
            let device = try settledEnclave(of: stored, turn)
            let isErased: Bool
            do throws(EnclaveError) {
                isErased = try device.enclave.gates().contains { $0.id == header.passcode?.gate && $0.isErased }
            } catch { throw KeychainError(error, of: header.enclave, hasRecoveryKey: header.recovery != nil) }
            guard isErased else {
                throw KeychainError(.notAvailable, "the keychain's passcode was not erased; remove it instead")
            }
            let keys: UnlockedKeybag
            var replacement: KeybagReplacement
            do throws(KeybagError) {
                keys = try stored.keybag.opened(with: device.root).givingUpClosedKeys(
                    beforeAnotherPasscode: false
                ).nextGeneration()
                replacement = KeybagReplacement(try keys.sealed(with: device.root))
            } catch { throw KeychainError(error) }
            replacement.keepsOld = true
            try store(replacement, keys, after: self.keys.withLock { OpenedKeybag.Before($0, keys.header) }, turn)
            destroyGate(of: header, device.enclave, turn)
        }
    }
}

extension KeychainError {
    fileprivate static var passcodeIsSet: KeychainError {
        KeychainError(.duplicateItem, "the keychain has a passcode; change it instead")
    }
}
