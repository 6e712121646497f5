// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore

/// Opens the stored keybag with all its keys, with the owner lock held, and stores another one in its place.
///
/// The engine owns it. It works on the connections of `StoreConnections`, has `KeybagCleaner` clean up before a change, and
/// gives the new keys to `KeyCustody`.
final class KeybagStorage: Sendable {
    private let home: any KeychainHome
    private let surroundings: KeychainEngine.Surroundings
    private let custody: KeyCustody
    private let connections: StoreConnections
    private let cleaner: KeybagCleaner

    init(
        _ home: any KeychainHome, _ surroundings: KeychainEngine.Surroundings, _ custody: KeyCustody,
        _ connections: StoreConnections, _ cleaner: KeybagCleaner
    ) {
        self.home = home
        self.surroundings = surroundings
        self.custody = custody
        self.connections = connections
        self.cleaner = cleaner
    }

    // MARK: Opening

    /// Opens the keybag with all its keys, with the owner lock held, for `body` to use or change.
    ///
    /// The passcode is stretched before the turn, when it is `order`'s; one that turns out to be stretched for an older
    /// keybag is stretched again.
    func withOpenedKeybag<Result>(
        _ authorization: KeybagAuthorization, _ order: WorkOrder,
        _ body: (OpenedKeybag, borrowing OwnerLock) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        for _ in 0..<8 {
            let header = try connections.storedKeybag().keybag.header
            let expected = header.passcode
            if case .passcode = authorization { try refuseWhileWaiting(header) }
            let passcode = try stretch(authorization, expected, order)
            let result = try home.withOwnersTurn { (turn) throws(KeychainError) -> Result? in
                let stored = try connections.storedKeybag()
                guard stored.keybag.header.passcode == expected else { return nil }
                try stored.checkMayWrite()
                let opened = try opened(stored, passcode, turn)
                cleaner.clean(stored, opened.device.enclave, turn)
                return try body(opened, turn)
            }
            if let result { return result }
        }
        throw KeychainError(.notAvailable, "the keychain's passcode changed during each check; try again")
    }

    /// Says at once that no passcode may be tried yet, before any work that others would have to wait for.
    private func refuseWhileWaiting(_ header: KeybagHeader) throws(KeychainError) {
        guard let gate = header.passcode?.gate else { return }
        let enclave = try home.enclave(of: header).enclave
        try header.explaining { () throws(EnclaveError) in
            guard let state = try enclave.gates().first(where: { $0.id == gate }) else { return }
            let now = surroundings.clock()
            // A clock that was set back is the gate's to deal with, which remembers it.
            guard now > state.lastFailure, !state.isErased else { return }
            let seconds = AttemptDelay.remaining(of: state, at: now)
            if seconds > 0 { throw EnclaveError.mustWait(seconds) }
        }
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
                try translating { () throws(CryptoError) in try GatePasscode(passcode, for: parameters) }
            }
        }
    }

    private func opened(
        _ stored: StoredKeybag, _ passcode: GatePasscode?, _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> OpenedKeybag {
        let header = stored.keybag.header
        let before = custody.snapshot.before(header)
        let device = try cleaner.settledEnclave(of: stored, turn)
        // First without the passcode: an attempt is not to be counted for a header that is not the enclave's.
        var keys = try stored.opened(with: device)
        var gate: OpenedGate?
        if let passcode {
            let secret = try header.explaining { () throws(EnclaveError) in
                try device.enclave.openGate(
                    passcode.gate, with: passcode.stretched.gateKey, at: surroundings.clock(), turn)
            }
            let opened = OpenedGate(secret: secret, passcode)
            keys = try translating { () throws(KeybagError) in
                try stored.keybag.opened(with: device.root, gate: opened.secret, passcode: passcode.stretched)
            }
            gate = opened
        } else {
            if let held = custody.held { keys = keys.adopting(held) }
            guard keys.isComplete else {
                throw KeychainError(
                    .interactionNotAllowed, "the keychain is locked; give the passcode, or unlock it first")
            }
        }
        return OpenedKeybag(
            stored: stored, before: before, keys: outlivingCopy(keys, stored), device: device, passcode: gate)
    }

    /// Keys whose keybag will count as later than the copy that is kept: the stored one may have been put back from a
    /// backup, and what is made of it now is what counts.
    func outlivingCopy(_ keys: UnlockedKeybag, _ stored: StoredKeybag) -> UnlockedKeybag {
        guard let copy = stored.laterCopy(in: home) else { return keys }
        return keys.outliving(copy.header)
    }

    // MARK: Storing

    /// Stores a keybag and uses its keys from now on, as far as this process had them open; returns how many items went
    /// with a class key.
    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, after opened: OpenedKeybag,
        _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> Int {
        var replacement = replacement
        if opened.keys.hasUnreadableRecords { replacement.keepsOld = true }
        return try store(replacement, keys, after: opened.before, turn)
    }

    @discardableResult
    func store(
        _ replacement: KeybagReplacement, _ keys: UnlockedKeybag, after before: KeyCustody.Before,
        _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> Int {
        let (removed, stored) = try custody.arriving(keys, after: before) {
            () throws(KeychainError) -> (Int, StoredKeybag) in
            try connections.withKeybagConnection { (sqlite, file) throws(KeychainError) -> (Int, StoredKeybag) in
                let connection = try changingLane(sqlite, file, keys)
                let removed = try translating { () throws(StoreError) in
                    try connection.replaceKeybag(replacement, at: surroundings.clock(), turn)
                }
                // The keybag from before opens what it opened then, and be it without any passcode.
                connection.forgetEarlierRows()
                return (removed, try custody.storedKeybag(in: sqlite, of: file))
            }
        }
        custody.use(keys, of: stored, after: before)
        connections.refresh()
        if stored.laterCopy(in: home) != nil { home.setAsideKeybagCopy(turn) }
        home.keepCopy(ofKeybag: stored.row.keybag, turn)
        return removed
    }

    /// A connection for a change of the keybag alone.
    private func changingLane(
        _ sqlite: SQLiteConnection, _ file: FileIdentity?, _ keys: UnlockedKeybag
    ) throws(KeychainError) -> StoreConnection {
        let stored = try custody.storedKeybag(in: sqlite, of: file)
        try stored.checkMayWrite()
        return try translating { () throws(StoreError) in
            try StoreConnection(
                sqlite: sqlite, keybag: stored.loaded(keys), tallyCopy: home.copyOfTally())
        }
    }
}
