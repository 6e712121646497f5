// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore

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
        guard row.owner == surroundings.owner, row.movedTo.isEmpty else { throw .handedOver }
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
            let header = try storedKeybag().keybag.header
            let expected = header.passcode
            if case .passcode = authorization { try refuseWhileWaiting(header) }
            let passcode = try stretch(authorization, expected)
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
        } catch { throw KeychainError(error, of: header.enclave) }
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
        } catch { throw KeychainError(error, of: stored.keybag.header.enclave) }
        do throws(KeybagError) {
            keys = try stored.keybag.opened(with: device.root, gate: secret, passcode: passcode.stretched)
        } catch { throw KeychainError(error) }
        return OpenedKeybag(
            stored: stored, before: before, keys: outlivingCopy(keys, stored), device: device,
            passcode: OpenedGate(secret: secret, passcode))
    }

    /// The enclave a keybag hangs on, and its root.
    ///
    /// After a recovery that was cut short at its very end, that is the one that was made beside the old one.
    func enclave(of header: KeybagHeader) throws(KeychainError) -> RootedEnclave {
        do throws(EnclaveError) {
            do throws(EnclaveError) {
                let device = try placedEnclave(of: header)
                if device.root.binding == header.enclaveBinding { return device }
            } catch { guard error == .missing else { throw error } }
            // Another process may have given the pending one its place between two of our looks.
            return try placedEnclave(of: header)
        } catch { throw KeychainError(error, of: header.enclave) }
    }

    private func placedEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave {
        do throws(EnclaveError) {
            let enclave = try home.enclave(header.enclave)
            let device = RootedEnclave(enclave, try enclave.deviceRoot())
            if device.root.binding == header.enclaveBinding { return device }
            return try pendingEnclave(of: header) ?? device
        } catch {
            do throws(EnclaveError) { if let pending = try pendingEnclave(of: header) { return pending } } catch {}
            throw error
        }
    }

    /// The same, in the owner's turn: an enclave that took over and did not get its place gets it now.
    func settledEnclave(of stored: StoredKeybag, _ turn: borrowing OwnersTurn) throws(KeychainError) -> RootedEnclave {
        let header = stored.keybag.header
        let device = try enclave(of: header)
        guard device.isPending, isConfirmed(stored) else { return device }
        do throws(EnclaveError) { try home.settlePendingEnclave(header.enclave, turn) } catch { return device }
        return try enclave(of: header)
    }

    private func pendingEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave? {
        guard let enclave = home.pendingEnclave(header.enclave) else { return nil }
        let device = RootedEnclave(enclave, try enclave.deviceRoot(), isPending: true)
        return device.root.binding == header.enclaveBinding ? device : nil
    }

    /// Keys whose keybag will count as later than the copy that is kept: the stored one may have been put back from a
    /// backup, and what is made of it now is what counts.
    private func outlivingCopy(_ keys: UnlockedKeybag, _ stored: StoredKeybag) -> UnlockedKeybag {
        guard let copy = laterCopy(than: stored) else { return keys }
        return keys.outliving(copy.header)
    }

    /// The copy of the keybag, if it is a later one of this keychain: then the stored one was put back from a backup.
    func laterCopy(than stored: StoredKeybag) -> LockedKeybag? {
        guard let bytes = home.keybagCopy, bytes != stored.row.keybag, let copy = try? LockedKeybag(decoding: bytes),
            stored.keybag.isOlder(than: copy)
        else { return nil }
        return copy
    }

    /// Stores a keybag and uses its keys from now on, as far as this process had them open; returns how many items went
    /// with a class key.
    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, after opened: OpenedKeybag,
        _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> Int {
        var replacement = replacement
        if opened.keys.hasUnreadableRecords { replacement.keepsOld = true }
        return try store(replacement, keys, after: opened.before, turn)
    }

    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, after before: OpenedKeybag.Before,
        _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> Int {
        // Whoever reads the new keybag the moment it is stored must find its keys.
        self.keys.withLock { $0.arriving = keys.limited(to: before.lockState(in: $0)) }
        defer { self.keys.withLock { $0.arriving = nil } }
        let (removed, stored) = try withKeybagConnection(forWriting: true) {
            (connection, file) throws(KeychainError) -> (Int, StoredKeybag) in
            let lane = try changingLane(connection, file, keys)
            let removed: Int
            do throws(StoreError) {
                removed = try lane.replaceKeybag(replacement, at: surroundings.clock(), turn)
            } catch { throw KeychainError(error) }
            // The keybag from before opens what it opened then, and be it without any passcode.
            lane.forgetEarlierRows()
            return (removed, try storedKeybag(with: connection, of: file))
        }
        use(keys, stored) { before.lockState(in: $0) }
        if laterCopy(than: stored) != nil { home.setAsideKeybagCopy(turn) }
        home.keepCopy(ofKeybag: stored.row.keybag, turn)
        return removed
    }

    /// A lane for a change of the keybag alone.
    func changingLane(
        _ connection: Connection, _ file: FileIdentity?, _ keys: UnlockedKeybag
    ) throws(KeychainError) -> StoreLane {
        let row = try storedKeybag(with: connection, of: file).row
        guard row.mayWrite else { throw KeychainError(.newerFormat, forWriting: true) }
        do throws(StoreError) {
            return try StoreLane(
                connection: connection,
                keybag: LoadedKeybag(keychain: row.keychain, keys: keys, version: row.version, mayWrite: true))
        } catch { throw KeychainError(error) }
    }

    /// Takes keys into use in this process, as those of what is stored, and as far as `state` has them open.
    func use(_ keys: UnlockedKeybag, _ stored: StoredKeybag, in state: (KeyState) -> LockState) {
        self.keys.withLock { current in
            let keys = keys.limited(to: state(current))
            current.hold(keys.isBeyondDevice ? keys : nil)
            current.loaded = LoadedKeybag(
                keychain: stored.row.keychain, keys: keys, version: stored.row.version, mayWrite: stored.row.mayWrite)
            current.file = stored.file
        }
        refreshLanes()
    }
}

/// The keybag as it is stored, the rest of the database's own row, and the file it stands in.
struct StoredKeybag: Sendable {
    let keybag: LockedKeybag
    let row: KeychainRow
    let file: FileIdentity?
}
