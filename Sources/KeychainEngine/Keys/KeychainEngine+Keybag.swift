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
    /// The keys in hand, loaded if there are none or others are stored by now.
    func keybag() throws(KeychainError) -> LoadedKeybag {
        try withKeybagConnection(forWriting: false) { (connection, file) throws(KeychainError) in
            let version: Int32
            do throws(SQLiteError) { version = try connection.userVersion() } catch { throw KeychainError(error) }
            keys.withLock { if $0.loaded?.version != version { $0.loaded = nil } }
            return try keybag(with: connection, of: file, forWriting: false)
        }
    }

    /// The keybag as it is stored now.
    func storedKeybag() throws(KeychainError) -> StoredKeybag {
        try withKeybagConnection(forWriting: false) { (connection, file) throws(KeychainError) in
            try storedKeybag(with: connection, of: file)
        }
    }

    func storedKeybag(with connection: Connection, of file: FileIdentity?) throws(KeychainError) -> StoredKeybag {
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
            return StoredKeybag(keybag: keybag, row: row, file: file)
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
                let stored = try storedKeybag()
                guard stored.keybag.header.passcode == expected else { return nil }
                let opened = try opened(stored, passcode, turn)
                clean(stored.keybag, opened.enclave, turn)
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
        _ stored: StoredKeybag, _ passcode: GatePasscode?, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> OpenedKeybag {
        let enclave: any Enclave
        let root: DeviceRoot
        do throws(EnclaveError) {
            enclave = try home.enclave(stored.keybag.header.enclave)
            root = try enclave.deviceRoot()
        } catch { throw KeychainError(error) }
        guard let passcode else { return try openedAlready(stored, enclave, root) }
        let secret: SecretBytes
        do throws(EnclaveError) {
            secret = try enclave.openGate(
                passcode.gate, with: passcode.stretched.gateKey, at: surroundings.clock(), turn)
        } catch { throw KeychainError(error) }
        do throws(KeybagError) {
            let keys = try stored.keybag.opened(with: root, gate: secret, passcode: passcode.stretched)
            return OpenedKeybag(
                stored: stored, state: lockState(towards: stored), keys: keys, enclave: enclave, root: root,
                passcode: OpenedGate(secret: secret, passcode))
        } catch { throw KeychainError(error) }
    }

    private func openedAlready(
        _ stored: StoredKeybag, _ enclave: any Enclave, _ root: consuming DeviceRoot
    ) throws(KeychainError) -> OpenedKeybag {
        var keys: UnlockedKeybag
        do throws(KeybagError) { keys = try stored.keybag.opened(with: root) } catch { throw KeychainError(error) }
        if let held = self.keys.withLock({ $0.held }) { keys = keys.adopting(held) }
        guard keys.isComplete else {
            throw KeychainError(.interactionNotAllowed, "the keychain is locked; give the passcode, or unlock it first")
        }
        return OpenedKeybag(
            stored: stored, state: lockState(towards: stored), keys: keys, enclave: enclave, root: root, passcode: nil)
    }

    /// What this process had open of a keybag.
    private func lockState(towards stored: StoredKeybag) -> LockState {
        if stored.keybag.header.passcode == nil { return .unlocked }
        return keys.withLock { $0.held?.lockState } ?? .beforeFirstUnlock
    }

    /// Stores a keybag and uses its keys from now on, as far as `state` has them open; returns how many items went with a
    /// class key.
    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, in state: LockState, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> Int {
        let (removed, stored) = try withKeybagConnection(forWriting: true) {
            (connection, file) throws(KeychainError) -> (Int, StoredKeybag) in
            let old = try storedKeybag(with: connection, of: file)
            guard old.row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
            let removed: Int
            do throws(StoreError) {
                let lane = try StoreLane(
                    connection: connection,
                    keybag: LoadedKeybag(
                        keychain: old.row.keychain, keys: keys, version: old.row.version, mayWrite: true))
                removed = try lane.replaceKeybag(replacement, at: surroundings.clock(), turn)
            } catch { throw KeychainError(error) }
            return (removed, try storedKeybag(with: connection, of: file))
        }
        home.keepCopy(ofKeybag: stored.row.keybag, turn)
        use(keys.limited(to: state), stored)
        return removed
    }

    /// Takes keys into use in this process, as those of what is stored.
    func use(_ keys: UnlockedKeybag, _ stored: StoredKeybag) {
        let loaded = LoadedKeybag(
            keychain: stored.row.keychain, keys: keys, version: stored.row.version, mayWrite: stored.row.mayWrite)
        self.keys.withLock { state in
            state.hold(keys.isBeyondDevice ? keys : nil)
            state.loaded = loaded
            state.file = stored.file
        }
    }
}

/// The keybag as it is stored, the rest of the database's own row, and the file it stands in.
struct StoredKeybag: Sendable {
    let keybag: LockedKeybag
    let row: KeychainRow
    let file: FileIdentity?
}
