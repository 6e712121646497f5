// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore

/// Reading and replacing the keybag.
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
