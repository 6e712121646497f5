// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Hangs a keychain on another enclave without touching its items: moves it with the keys at hand, or recovers it with the
/// key on paper, which is made and removed here too.
///
/// The new enclave is made beside the old one and takes over with the keybag that names it.
///
/// The engine owns it, and it works by means of the parts that it is made with.
struct KeybagMoves: Sendable {
    let home: any KeychainHome
    let surroundings: KeychainEngine.Surroundings
    let custody: KeyCustody
    let connections: StoreConnections
    let cleaner: KeybagCleaner
    let storage: KeybagStorage

    // MARK: The recovery key

    /// Makes a recovery key in place of any earlier one, which opens nothing any more: a `given` one, whose words somebody has
    /// already, or a new one.
    func makeRecoveryKey(
        _ authorization: KeybagAuthorization, _ given: RecoveryKey?, _ order: WorkOrder
    ) throws(KeychainError) -> RecoveryKey {
        let recovery = if let given { given } else { try translating { () throws(CryptoError) in try RecoveryKey() } }
        try changeRecovery(authorization, to: recovery.publicKey, order)
        return recovery
    }

    /// Does without a recovery key from now on.
    func removeRecoveryKey(_ authorization: KeybagAuthorization, _ order: WorkOrder) throws(KeychainError) {
        try changeRecovery(authorization, to: nil, order)
    }

    private func changeRecovery(
        _ authorization: KeybagAuthorization, to key: RecoveryPublicKey?, _ order: WorkOrder
    ) throws(KeychainError) {
        try storage.withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
            let keys = try opened.whole.withRecovery(key)
            var replacement = try opened.replacement(with: keys)
            replacement.endsEarlierRecovery = true
            try storage.store(replacement, keys, after: opened, turn)
        }
    }

    /// Opens what may leave the device with the recovery key, and hangs it on a new enclave: for a device key that is
    /// lost, a passcode that is forgotten, a TPM that was cleared, another machine.
    ///
    /// What the old enclave still opens comes along. Items of other classes stay where they are, unreadable; the old
    /// keybag is kept, and so is what is left of the old enclave, should it come back.
    func recover(
        with recovery: RecoveryKey, into kind: EnclaveKind, passcode: Passcode?, _ order: WorkOrder
    ) throws(KeychainError) {
        var new: NewPasscode?
        if let passcode { new = try NewPasscode.stretched(passcode, orAsWith: nil, surroundings, order) }
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let stored = try connections.storedKeybag()
            try stored.checkMayWrite()
            let header = stored.keybag.header
            let opened = try opened(stored.keybag, with: recovery)
            let device = try kind.explaining { () throws(EnclaveError) in
                try RootedEnclave(try home.makePendingEnclave(kind, for: header.keychain, turn))
            }
            do throws(KeychainError) {
                let keys = storage.outlivingCopy(opened.givingUpClosedKeys(beforeAnotherPasscode: new != nil), stored)
                    .moved(to: kind, binding: device.root.binding)
                let moved = try translating { () throws(KeybagError) in try keys.nextGeneration() }
                var (next, replacement) = try sealed(
                    moved, new, on: device, eraseAfter: header.eraseAfterAttempts, turn)
                replacement.keepsOld = true
                try storage.store(replacement, next, after: custody.snapshot.beforeUnlocking, turn)
            } catch {
                cleaner.removeUnused(device, turn)
                throw error
            }
            do throws(EnclaveError) {
                for kind in EnclaveKind.allCases { try home.setAsideEnclave(kind, turn) }
                try home.settlePendingEnclave(kind, turn)
            } catch {
                cleaner.noteLeftovers("the keychain is recovered; the next use puts its new enclave in place")
            }
        }
    }

    /// All that can be opened of a keybag: with the recovery key, with what is left of the device, and what this process
    /// still holds.
    private func opened(
        _ keybag: LockedKeybag, with recovery: RecoveryKey
    ) throws(KeychainError) -> UnlockedKeybag {
        var keys = try translating { () throws(KeybagError) in try keybag.opened(with: recovery) }
        if let device = try? home.enclave(of: keybag.header), let left = try? keybag.opened(with: device.root) {
            keys = keys.adopting(left)
        }
        if let held = custody.held { keys = keys.adopting(held) }
        return keys
    }

    // MARK: Moving

    /// Moves; returns the recovery key, if one was made.
    ///
    /// The old enclave is removed once the keybag is stored that names the new one.
    func move(
        _ move: EnclaveMove, _ authorization: KeybagAuthorization, _ order: WorkOrder
    ) throws(KeychainError) -> RecoveryKey? {
        let header = try connections.storedKeybag().keybag.header
        var new: NewPasscode?
        if let cost = header.passcode?.cost {
            guard let passcode = move.passcode else {
                throw KeychainError(
                    .authenticationFailed, "the keychain has a passcode, which the new enclave requires; give it")
            }
            new = try NewPasscode.stretched(passcode, orAsWith: cost, surroundings, order)
        }
        let recovery = try translating { () throws(CryptoError) in
            move.makesRecoveryKey && header.recovery == nil ? try RecoveryKey() : nil
        }
        try storage.withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
            try refuse(move, of: opened.keys.header, expecting: header)
            let device = try move.kind.explaining { () throws(EnclaveError) in
                try RootedEnclave(try home.makeEnclave(move.kind, for: opened.keys.header.keychain, turn))
            }
            var moved = try opened.whole.moved(to: move.kind, binding: device.root.binding)
            if let recovery { moved = moved.withRecovery(recovery.publicKey) }
            let (keys, replacement) = try sealed(
                moved, new, on: device, eraseAfter: opened.keys.header.eraseAfterAttempts, turn)
            try storage.store(replacement, keys, after: opened, turn)
            do throws(EnclaveError) { try home.removeEnclave(opened.keys.header.enclave, turn) } catch {
                cleaner.noteLeftovers(
                    "the keychain has moved; the next use sets the leftovers of the old enclave aside")
            }
        }
        return recovery
    }

    private func refuse(
        _ move: EnclaveMove, of header: KeybagHeader, expecting expected: KeybagHeader
    ) throws(KeychainError) {
        guard header.enclave != move.kind else {
            throw KeychainError(.duplicateItem, "the keychain already uses this enclave")
        }
        guard header.passcode == expected.passcode, header.recovery == expected.recovery else {
            throw KeychainError(.notAvailable, "the passcode or the recovery key changed during the move; try again")
        }
        let stuck = try connections.read { (connection) throws(StoreError) in try connection.enclaveKeys() }.count
        guard stuck == 0 || move.abandonsEnclaveKeys else {
            throw KeychainError(
                .notAvailable,
                "the enclave holds private keys that cannot leave it; allow their loss, or delete them first",
                subject: "\(stuck) keys")
        }
    }

    /// Seals keys below an enclave, with a new passcode or with none.
    private func sealed(
        _ keys: UnlockedKeybag, _ passcode: NewPasscode?, on device: RootedEnclave, eraseAfter: UInt32,
        _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> (keys: UnlockedKeybag, replacement: KeybagReplacement) {
        if let passcode { return try passcode.seal(keys, on: device, eraseAfter: eraseAfter, turn) }
        return (
            keys,
            try translating { () throws(KeybagError) in KeybagReplacement(try keys.sealed(with: device.root)) }
        )
    }
}
