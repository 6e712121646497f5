// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// Setting, changing, removing and giving the passcode.
///
/// Every passcode has a gate of its own: make the new one, store the keybag that names it, destroy the old one. Wherever
/// that is interrupted, exactly one passcode works.
extension KeychainEngine {
    /// Opens everything with the passcode, and brings the keybag up to date where it is not.
    package func unlock(with passcode: Passcode) throws(KeychainError) {
        let needs = try withOpenedKeybag(.passcode(passcode)) { (opened, _) throws(KeychainError) -> Upkeep in
            use(opened.keys, opened.stored)
            return Upkeep(opened.keys, cost: surroundings.passcodeCost)
        }
        // The keychain is open; what is done for it beyond that may fail and be done another time.
        if needs.repair { try? startGeneration(.passcode(passcode), keepsOld: true) }
        if needs.cost { try? changePasscode(from: passcode, to: passcode, eraseAfter: nil) }
    }

    /// What an unlock finds to do.
    private struct Upkeep {
        let repair: Bool
        let cost: Bool

        init(_ keys: UnlockedKeybag, cost: PasscodeCost) {
            repair = !keys.missingClasses.isEmpty
            self.cost = keys.header.passcode?.cost.isWeaker(than: cost) ?? false
        }
    }

    /// Counts and checks a passcode as an unlock does, and leaves everything as it was.
    package func verify(_ passcode: Passcode) throws(KeychainError) {
        try withOpenedKeybag(.passcode(passcode)) { (_, _) throws(KeychainError) in }
    }

    /// Sets the first passcode; afterwards the keychain is unlocked.
    ///
    /// After `eraseAfter` wrong ones in a row everything that hangs on the passcode is gone; 0 = never.
    package func setPasscode(_ passcode: Passcode, eraseAfter: UInt32) throws(KeychainError) {
        guard try storedKeybag().keybag.header.passcode == nil else { throw .passcodeIsSet }
        let new = try NewPasscode(passcode, cost: surroundings.passcodeCost, eraseAfter: eraseAfter)
        try withOpenedKeybag(.unlocked) { (opened, turn) throws(KeychainError) in
            guard opened.keys.header.passcode == nil else { throw .passcodeIsSet }
            let (keys, locked) = try new.seal(opened.keys, in: opened.enclave, root: opened.root, turn)
            try store(KeybagReplacement(locked), keys, in: opened.state, turn)
        }
    }

    /// Puts another passcode in the place of one; `eraseAfter` stays as it is when nil.
    package func changePasscode(
        from old: Passcode, to passcode: Passcode, eraseAfter: UInt32?
    ) throws(KeychainError) {
        let header = try storedKeybag().keybag.header
        let new = try NewPasscode(
            passcode, cost: surroundings.passcodeCost, eraseAfter: eraseAfter ?? header.eraseAfterAttempts)
        try withOpenedKeybag(.passcode(old)) { (opened, turn) throws(KeychainError) in
            let (keys, locked) = try new.seal(opened.keys, in: opened.enclave, root: opened.root, turn)
            try store(KeybagReplacement(locked), keys, in: opened.state, turn)
            clean(locked, opened.enclave, turn)
        }
    }

    /// Removes the passcode, and with it the items that may exist only while there is one; returns how many those were.
    package func removePasscode(_ passcode: Passcode) throws(KeychainError) -> Int {
        try withOpenedKeybag(.passcode(passcode)) { (opened, turn) throws(KeychainError) in
            let keys = opened.keys.withoutPasscode()
            var replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(keys)) } catch {
                throw KeychainError(error)
            }
            replacement.removesPasscodeItems = true
            let removed = try store(replacement, keys, in: opened.state, turn)
            clean(replacement.keybag, opened.enclave, turn)
            return removed
        }
    }
}

extension KeychainError {
    fileprivate static var passcodeIsSet: KeychainError {
        KeychainError(.duplicateItem, "the keychain has a passcode; change it instead")
    }
}
