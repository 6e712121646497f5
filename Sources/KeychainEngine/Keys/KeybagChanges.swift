// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore

/// Changes of the keybag that stay on its enclave: the passcode, and new generations of class keys.
///
/// Each is the same: open everything (`KeybagStorage.withOpenedKeybag`), make a keybag out of that keybag, store it. Every
/// passcode has a gate of its own: make the new one, store the keybag that names it, destroy the old one. Wherever that is
/// interrupted, exactly one passcode works.
///
/// The engine owns it, and it works by means of the parts that it is made with.
struct KeybagChanges: Sendable {
    let home: any KeychainHome
    let surroundings: KeychainEngine.Surroundings
    let custody: KeyCustody
    let connections: StoreConnections
    let cleaner: KeybagCleaner
    let storage: KeybagStorage

    // MARK: The passcode

    /// Opens everything with the passcode, and brings the keybag up to date where it is not.
    func unlock(with passcode: Passcode, _ order: WorkOrder) throws(KeychainError) {
        let needs = try storage.withOpenedKeybag(.passcode(passcode), order) {
            (opened, _) throws(KeychainError) -> Upkeep in
            custody.unlock(opened.keys, of: opened.stored)
            connections.refresh()
            return Upkeep(opened.keys, cost: surroundings.passcodeCost)
        }
        // The keychain is open; what is done for it beyond that may fail and be done another time.
        do throws(KeychainError) {
            // The factors first: a keybag that is not whole cannot be changed in any other way.
            if needs.factors { try mendPasscodeFactors(passcode, order) }
            if needs.repair { try startGeneration(.passcode(passcode), order, keepsOld: true) }
            if needs.cost { try changePasscode(from: passcode, to: passcode, order) }
        } catch {
            surroundings.note(
                "the keychain is unlocked, but its keybag could not be updated; the next unlock tries again")
        }
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

    /// Mends the passcode's factors: makes one where there is none, and gives up what is damaged.
    private func mendPasscodeFactors(_ passcode: Passcode, _ order: WorkOrder) throws(KeychainError) {
        try storage.withOpenedKeybag(.passcode(passcode), order) { (opened, turn) throws(KeychainError) in
            if opened.keys.hasWholeFactors { return }
            let next = try opened.withWholeFactors
            var replacement = try opened.replacement(with: next)
            replacement.keepsOld = opened.keys.header.passcodeFactors != opened.keys.passcodeFactors.map(\.publicKey)
            try storage.store(replacement, next, after: opened, turn)
        }
    }

    /// Counts and checks a passcode as an unlock does, and leaves everything as it was.
    func verify(_ passcode: Passcode, _ order: WorkOrder) throws(KeychainError) {
        try storage.withOpenedKeybag(.passcode(passcode), order) { (_, _) throws(KeychainError) in }
    }

    /// Sets the first passcode; afterwards the keychain is unlocked.
    ///
    /// After `eraseAfter` wrong ones in a row everything that hangs on the passcode is gone; 0 = never.
    func setPasscode(_ passcode: Passcode, eraseAfter: UInt32, _ order: WorkOrder) throws(KeychainError) {
        guard try connections.storedKeybag().keybag.header.passcode == nil else { throw KeybagChanges.passcodeIsSet }
        let new = try NewPasscode.stretched(passcode, orAsWith: nil, surroundings, order)
        try storage.withOpenedKeybag(.unlocked, order) { (opened, turn) throws(KeychainError) in
            guard opened.keys.header.passcode == nil else { throw KeybagChanges.passcodeIsSet }
            let (keys, replacement) = try new.seal(try opened.whole, on: opened.device, eraseAfter: eraseAfter, turn)
            try storage.store(replacement, keys, after: opened, turn)
        }
    }

    private static var passcodeIsSet: KeychainError {
        KeychainError(.duplicateItem, "the keychain already has a passcode; change it instead")
    }

    /// Puts another passcode in the place of one.
    func changePasscode(from old: Passcode, to passcode: Passcode, _ order: WorkOrder) throws(KeychainError) {
        let cost = try connections.storedKeybag().keybag.header.passcode?.cost
        let new = try NewPasscode.stretched(passcode, orAsWith: cost, surroundings, order)
        try storage.withOpenedKeybag(.passcode(old), order) { (opened, turn) throws(KeychainError) in
            let header = opened.keys.header
            let (keys, replacement) = try new.seal(
                try opened.whole, on: opened.device, eraseAfter: header.eraseAfterAttempts, turn)
            try storage.store(replacement, keys, after: opened, turn)
            cleaner.destroyGate(of: header, opened.device.enclave, turn)
        }
    }

    /// Removes the passcode, and with it the items that may exist only while there is one; returns how many those were.
    func removePasscode(_ passcode: Passcode, _ order: WorkOrder) throws(KeychainError) -> Int {
        try storage.withOpenedKeybag(.passcode(passcode), order) { (opened, turn) throws(KeychainError) in
            let keys = try opened.whole.withoutPasscode()
            var replacement = try opened.replacement(with: keys)
            replacement.removesPasscodeItems = true
            let removed = try storage.store(replacement, keys, after: opened, turn)
            cleaner.destroyGate(of: opened.keys.header, opened.device.enclave, turn)
            return removed
        }
    }

    /// Gives up a passcode that opens nothing any more, because its gate was erased, and what hung on it.
    ///
    /// The items stay, unreadable; the keychain can be used again, and get another passcode.
    func abandonErasedPasscode() throws(KeychainError) {
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let stored = try connections.storedKeybag()
            try stored.checkMayWrite()
            let header = stored.keybag.header
            let device = try cleaner.settledEnclave(of: stored, turn)
            let isErased = try header.explaining { () throws(EnclaveError) in
                try device.enclave.gates().contains { $0.id == header.passcode?.gate && $0.isErased }
            }
            guard isErased else {
                throw KeychainError(.notAvailable, "the keychain's passcode is not erased; remove it instead")
            }
            let left = try stored.opened(with: device)
            let (keys, locked) = try translating { () throws(KeybagError) in
                let keys = try left.givingUpClosedKeys(beforeAnotherPasscode: false).nextGeneration()
                return (keys, try keys.sealed(with: device.root))
            }
            var replacement = KeybagReplacement(locked)
            replacement.keepsOld = true
            try storage.store(replacement, keys, after: custody.snapshot.before(keys.header), turn)
            cleaner.destroyGate(of: header, device.enclave, turn)
        }
    }

    // MARK: Generations of class keys

    /// Starts a new generation of class keys; old items stay readable and are sealed again little by little.
    ///
    /// With `keepsOld`, because class keys are damaged: the old keybag stays in the quarantine, and nothing happens when
    /// a second look finds it whole.
    func startGeneration(
        _ authorization: KeybagAuthorization, _ order: WorkOrder, keepsOld: Bool
    ) throws(KeychainError) {
        try storage.withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
            // A record that was unreadable a moment ago may be readable now; then nothing is wrong.
            if keepsOld, opened.keys.missingClasses.isEmpty { return }
            let whole = try opened.whole
            let keys = try translating { () throws(KeybagError) in try whole.nextGeneration() }
            var replacement = try opened.replacement(with: keys)
            replacement.keepsOld = keepsOld
            try storage.store(replacement, keys, after: opened, turn)
        }
    }

    /// Drops class keys of earlier generations that no row needs.
    func retireKeys() throws(KeychainError) {
        let snapshot = custody.snapshot
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let locked = try connections.storedKeybag().keybag
            let names = locked.earlierNames
            let unused = try connections.read { (connection) throws(StoreError) in try connection.unused(names) }
            if unused.isEmpty { return }
            let keys = try connections.keybag().keys.dropping(unused)
            var replacement = KeybagReplacement(locked.dropping(unused))
            replacement.retiring = unused
            try storage.store(replacement, keys, after: snapshot.before(locked.header), turn)
        }
    }

    // MARK: Who has the keychain

    /// Writes another owner into the database; every other process finds out at its next call.
    func setOwner(from old: String, to new: String) throws(KeychainError) {
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            try connections.withKeybagConnection { (sqlite, _) throws(KeychainError) in
                do throws(KeychainRow.Refusal) {
                    return try KeychainRow.setOwner(from: old, to: new, with: sqlite, turn)
                } catch {
                    // Also on a full disk a daemon can begin and end.
                    guard case .sqlite(let cause) = error, cause.isForWantOfRoom, home.giveUpReserve() else {
                        throw KeychainError(error, forWriting: true)
                    }
                }
                defer {
                    try? sqlite.truncateLog()
                    home.takeReserve()
                }
                do throws(KeychainRow.Refusal) {
                    try KeychainRow.setOwner(from: old, to: new, with: sqlite, turn)
                } catch { throw KeychainError(error, forWriting: true) }
            }
        }
    }
}
