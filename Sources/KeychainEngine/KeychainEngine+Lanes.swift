// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
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
            defer { if lane.damagedRows > 0 { surroundings.report(lane.damagedRows) } }
            do throws(StoreError) { return try body(lane) } catch {
                // A transaction that could not even be rolled back is left to the journal.
                if lane.connection.isInTransaction { slot = closed(slot) }
                guard error == .keybagChanged else { throw KeychainError(error) }
                keys.withLock { $0.loaded = nil }
            }
        }
        throw KeychainError(.notAvailable, "the keychain's keys changed faster than they could be read")
    }

    private func lane(_ slot: inout LanePool.Slot, forWriting: Bool) throws(KeychainError) -> StoreLane {
        if slot.lane != nil, try isReplaced(&slot, forWriting: forWriting) {
            slot = closed(slot)
            keys.withLock { $0.loaded = nil }
        }
        if let lane = slot.lane {
            let keybag = try keybag(with: lane.connection, of: slot.file, forWriting: forWriting)
            do throws(StoreError) { try lane.adopt(keybag) } catch { throw KeychainError(error) }
            return lane
        }
        let (connection, file) = try openKnown(forWriting: forWriting)
        let keybag = try keybag(with: connection, of: file, forWriting: forWriting)
        do throws(StoreError) {
            let lane = try StoreLane(connection: connection, keybag: keybag)
            slot.lane = lane
            slot.file = file
            return lane
        } catch { throw KeychainError(error) }
    }

    /// Whether the folder was removed or replaced while we had it open: what is written to the old file would be
    /// acknowledged and gone.
    ///
    /// Readers look once a second, since looking costs them a tenth of a find.
    private func isReplaced(_ slot: inout LanePool.Slot, forWriting: Bool) throws(KeychainError) -> Bool {
        guard case .file(let path, _) = location else { return false }
        if !forWriting {
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
            if slot.seenAt == now.tv_sec { return false }
            slot.seenAt = now.tv_sec
        }
        return slot.file != FileIdentity(of: path)
    }

    /// A connection, and the one file it surely has open.
    private func openKnown(forWriting: Bool) throws(KeychainError) -> (Connection, FileIdentity?) {
        guard case .file(let path, _) = location else { return (try open(forWriting: forWriting), nil) }
        for _ in 0..<16 {
            let before = FileIdentity(of: path)
            let connection = try open(forWriting: forWriting)
            if before != nil, before == FileIdentity(of: path) { return (connection, before) }
            connection.close()
        }
        throw KeychainError(.notAvailable, "the database is being replaced all the time", subject: "keychain.db")
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

    /// The keys in hand, if they are of this file, or the ones a connection finds in it.
    private func keybag(
        with connection: Connection, of file: FileIdentity?, forWriting: Bool
    ) throws(KeychainError) -> LoadedKeybag {
        let state = keys.withLock { $0 }
        let keybag: LoadedKeybag
        if let loaded = state.loaded, state.file == file {
            keybag = loaded
        } else {
            keybag = try load(with: connection, withholding: state.withheld)
            keys.withLock { current in
                // Somebody may have locked meanwhile; then these keys serve this call alone.
                guard current.withheld == state.withheld else { return }
                current.loaded = keybag
                current.file = file
            }
        }
        guard keybag.mayWrite || !forWriting else { throw KeychainError(.newerFormat, forWriting: true) }
        return keybag
    }

    private func load(
        with connection: Connection, withholding withheld: Set<Accessibility>
    ) throws(KeychainError) -> LoadedKeybag {
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
            var unlocked = try keybag.unlock(with: enclave)
            if !withheld.isEmpty { unlocked = unlocked.dropping(withheld) }
            return LoadedKeybag(
                keychain: row.keychain, keys: unlocked, version: row.version, mayWrite: row.mayWrite)
        } catch { throw KeychainError(error) }
    }
}
