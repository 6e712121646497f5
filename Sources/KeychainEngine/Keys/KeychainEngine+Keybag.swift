// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// What authorizes a change of the keybag.
package enum KeybagAuthorization: Sendable {
    /// The passcode; opens everything.
    case passcode(Passcode)
    /// That all keys are open already: there is no passcode, or the keychain is unlocked.
    case unlocked
}

/// Reading, opening and replacing the keybag.
extension KeychainEngine {
    /// The keys in hand, loaded if there are none.
    func keybag() throws(KeychainError) -> LoadedKeybag {
        try withKeybagConnection(forWriting: false) { (connection, file) throws(KeychainError) in
            try keybag(with: connection, of: file, forWriting: false)
        }
    }

    /// The keybag as it is stored now, and the version of the database it was read at.
    func storedKeybag() throws(KeychainError) -> (keybag: LockedKeybag, row: KeychainRow) {
        try withKeybagConnection(forWriting: false) { (connection, _) throws(KeychainError) in
            try storedKeybag(with: connection)
        }
    }

    func storedKeybag(with connection: Connection) throws(KeychainError) -> (keybag: LockedKeybag, row: KeychainRow) {
        let row: KeychainRow
        do throws(KeychainRow.Refusal) { row = try KeychainRow.read(from: connection) } catch {
            throw KeychainError(error, forWriting: false)
        }
        guard row.owner.isEmpty, row.movedTo.isEmpty else {
            throw KeychainError(
                .notAvailable, "the keychain is served by a daemon, and this program cannot reach it",
                subject: "keychain.db")
        }
        do throws(KeybagError) {
            let keybag = try LockedKeybag(decoding: row.keybag)
            guard keybag.header.keychain == row.keychain else { throw KeybagError.damaged }
            return (keybag, row)
        } catch { throw KeychainError(error) }
    }

    /// Opens the keybag with all its keys, in the owner's turn, for `body` to use or change.
    ///
    /// The passcode is stretched before the turn; one that turns out to be stretched for an older keybag is stretched
    /// again.
    func withOpenedKeybag<Result>(
        _ authorization: KeybagAuthorization,
        _ body: (OpenedKeybag, borrowing OwnersTurn) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        for _ in 0..<8 {
            let expected = try storedKeybag().keybag.header.passcode
            let passcode = try stretch(authorization, expected)
            let result = try home.withOwnersTurn { (turn) throws(KeychainError) -> Result? in
                let (locked, _) = try storedKeybag()
                guard locked.header.passcode == expected else { return nil }
                let opened = try opened(locked, passcode, turn)
                clean(locked, opened.enclave, turn)
                return try body(opened, turn)
            }
            if let result { return result }
        }
        throw KeychainError(.notAvailable, "the keychain's passcode changed faster than it could be checked")
    }

    private func stretch(
        _ authorization: KeybagAuthorization, _ parameters: PasscodeParameters?
    ) throws(KeychainError) -> GatePasscode? {
        switch (authorization, parameters) {
        case (.unlocked, _): return nil
        case (.passcode, nil): throw KeychainError(.notAvailable, "the keychain has no passcode")
        case (.passcode(let passcode), let parameters?):
            do throws(CryptoError) {
                return GatePasscode(
                    gate: parameters.gate,
                    try StretchedPasscode(passcode.bytes, salt: parameters.salt, cost: parameters.cost))
            } catch { throw KeychainError(error) }
        }
    }

    private func opened(
        _ locked: LockedKeybag, _ passcode: GatePasscode?, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> OpenedKeybag {
        let enclave: any Enclave
        let root: DeviceRoot
        do throws(EnclaveError) {
            enclave = try home.enclave(locked.header.enclave)
            root = try enclave.deviceRoot()
        } catch { throw KeychainError(error) }
        guard let passcode else { return try openedAlready(locked, enclave, root) }
        let secret: SecretBytes
        do throws(EnclaveError) {
            secret = try enclave.openGate(
                passcode.gate, with: passcode.stretched.gateKey, at: surroundings.clock(), turn)
        } catch { throw KeychainError(error) }
        do throws(KeybagError) {
            let keys = try locked.opened(with: root, gate: secret, passcode: passcode.stretched)
            return OpenedKeybag(
                locked: locked, keys: keys, enclave: enclave, root: root,
                passcode: OpenedGate(secret: secret, passcode))
        } catch { throw KeychainError(error) }
    }

    private func openedAlready(
        _ locked: LockedKeybag, _ enclave: any Enclave, _ root: consuming DeviceRoot
    ) throws(KeychainError) -> OpenedKeybag {
        var keys: UnlockedKeybag
        do throws(KeybagError) { keys = try locked.opened(with: root) } catch { throw KeychainError(error) }
        if let held = self.keys.withLock({ $0.held }) { keys = keys.adopting(held) }
        guard keys.isComplete else {
            throw KeychainError(.interactionNotAllowed, "the keychain is locked; give the passcode, or unlock it first")
        }
        return OpenedKeybag(locked: locked, keys: keys, enclave: enclave, root: root, passcode: nil)
    }

    /// Stores a keybag and uses its keys from now on; returns how many items went with a class key.
    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> Int {
        let removed = try withKeybagConnection(forWriting: true) { (connection, _) throws(KeychainError) in
            let (_, row) = try storedKeybag(with: connection)
            guard row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
            do throws(StoreError) {
                let lane = try StoreLane(
                    connection: connection,
                    keybag: LoadedKeybag(keychain: row.keychain, keys: keys, version: row.version, mayWrite: true))
                return try lane.replaceKeybag(replacement, at: surroundings.clock(), turn)
            } catch { throw KeychainError(error) }
        }
        do throws(KeybagError) { home.keepCopy(ofKeybag: try replacement.keybag.encoded(), turn) } catch {
            throw KeychainError(error)
        }
        use(keys)
        return removed
    }

    /// Takes keys into use in this process.
    func use(_ keys: UnlockedKeybag) {
        self.keys.withLock { $0.hold(keys.isBeyondDevice ? keys : nil) }
    }
}
