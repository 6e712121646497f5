// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

extension KeychainEngine {
    /// Runs a reading operation on a lane nobody else uses meanwhile.
    func read<Result>(_ body: (StoreLane) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        if case .memory = location { return try write(body) }
        llv_operation_enter()
        defer { llv_operation_leave() }
        var slot = readers.take()
        defer { readers.giveBack(slot) }
        return try attempt(&slot, forWriting: false, body)
    }

    /// Runs a writing operation; one at a time in this process, and the database sees to other processes.
    func write<Result>(_ body: (StoreLane) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        let outcome = writer.withLock { slot -> Outcome<Result> in
            do throws(KeychainError) {
                return Outcome(.success(try attempt(&slot, forWriting: true, body)))
            } catch { return Outcome(.failure(error)) }
        }
        return try outcome.result.get()
    }

    /// What comes out of the writer's turn.
    // Sendable: made inside the lock and handed straight to the one caller.
    private struct Outcome<Success>: @unchecked Sendable {
        let result: Swift.Result<Success, KeychainError>
        init(_ result: Swift.Result<Success, KeychainError>) { self.result = result }
    }

    /// Does the work, and once more with fresh keys whenever another process changed them.
    private func attempt<Result>(
        _ slot: inout LanePool.Slot, forWriting: Bool, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        for _ in 0..<16 {
            let lane = try lane(&slot, forWriting: forWriting)
            do throws(StoreError) { return try body(lane) } catch {
                guard error == .keybagChanged else { throw KeychainError(error) }
                keys.withLock { $0.loaded = nil }
            }
        }
        throw KeychainError(.notAvailable, "the keychain's keys changed faster than they could be read")
    }

    private func lane(_ slot: inout LanePool.Slot, forWriting: Bool) throws(KeychainError) -> StoreLane {
        if forWriting, case .file(let path, _) = location, slot.lane != nil, slot.file != FileIdentity(of: path) {
            // The folder was removed or replaced while we had it open. What is written to the old file now would be
            // acknowledged and gone.
            slot.lane?.close()
            slot = LanePool.Slot()
            readers.closeAll()
            keys.withLock { $0.loaded = nil }
        }
        if let lane = slot.lane {
            let keybag = try keybag(with: lane.connection, forWriting: forWriting)
            do throws(StoreError) { try lane.adopt(keybag) } catch { throw KeychainError(error) }
            return lane
        }
        let connection = try open(forWriting: forWriting)
        let keybag = try keybag(with: connection, forWriting: forWriting)
        do throws(StoreError) {
            let lane = try StoreLane(connection: connection, keybag: keybag)
            slot.lane = lane
            if case .file(let path, _) = location { slot.file = FileIdentity(of: path) }
            return lane
        } catch { throw KeychainError(error) }
    }

    private func open(forWriting: Bool) throws(KeychainError) -> Connection {
        let path: String
        let mode: Connection.OpenMode
        var journal: String?
        switch location {
        case .memory(let database): return database.connection
        case .file(let file, .readWrite): (path, mode) = (file, .readWrite)
        case .file(let file, .readWriteRollbackJournal): (path, mode, journal) = (file, .readWrite, "delete")
        case .file(let file, .readOnly): (path, mode) = (file, .readOnly)
        case .file(let file, .immutable): (path, mode) = (file, .immutable)
        }
        do throws(SQLiteError) {
            let connection = try Connection(path: path, mode: mode)
            if let journal { try connection.execute("pragma journal_mode=\(journal)") }
            // What was acknowledged survives a power cut, whatever this SQLite was built to think. Readers keep more pages
            // than SQLite would: a find that misses one reads it with a system call that costs as much as a seal.
            try connection.execute(forWriting ? "pragma synchronous=full" : "pragma cache_size=-6000")
            return connection
        } catch { throw KeychainError(opening: error) }
    }

    /// The keys in hand, or the ones a connection finds.
    private func keybag(with connection: Connection, forWriting: Bool) throws(KeychainError) -> LoadedKeybag {
        let state = keys.withLock { $0 }
        if let loaded = state.loaded { return loaded }
        let row: KeychainRow
        do throws(KeychainRow.Refusal) {
            row = try KeychainRow.read(from: connection, forWriting: forWriting)
        } catch { throw KeychainError(error, forWriting: forWriting) }
        guard row.owner.isEmpty, row.movedTo.isEmpty else {
            throw KeychainError(
                .notAvailable, "the keychain is served by a daemon, and this program cannot reach it",
                subject: "keychain.db")
        }
        do throws(KeybagError) {
            let keybag = try LockedKeybag(decoding: row.keybag)
            guard keybag.header.keychain == row.keychain else { throw KeybagError.damaged }
            var unlocked = try keybag.unlock(with: enclave)
            if !state.withheld.isEmpty { unlocked = unlocked.dropping(state.withheld) }
            let loaded = LoadedKeybag(keychain: row.keychain, keys: unlocked, version: row.version)
            keys.withLock { current in
                // Somebody may have locked meanwhile; then these keys serve this call alone.
                if current.withheld == state.withheld { current.loaded = loaded }
            }
            return loaded
        } catch { throw KeychainError(error) }
    }
}
