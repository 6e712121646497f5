// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore

extension KeychainEngine {
    /// Runs a reading operation on a lane nobody else uses meanwhile.
    func read<Result>(_ body: (StoreLane) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        if case .memory = location { return try write(body) }
        llv_operation_enter()
        defer { llv_operation_leave() }
        defer { cleanLeftovers() }
        var slot = readers.take()
        defer { readers.giveBack(&slot) }
        do throws(LaneFailure) { return try attempt(&slot, forWriting: false, body) } catch {
            throw KeychainError(error)
        }
    }

    /// Runs a writing operation; one at a time in this process, and the database sees to other processes.
    ///
    /// When the keybag has lost the key the operation needs, the class gets a new one, and the operation its second try.
    func write<Result>(_ body: (StoreLane) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        defer { cleanLeftovers() }
        do throws(LaneFailure) { return try writeOnce(body) } catch {
            guard case .classKeyMissing = error else { throw KeychainError(error) }
        }
        try startGeneration(.unlocked, .own, keepsOld: true)
        do throws(LaneFailure) { return try writeOnce(body) } catch { throw KeychainError(error) }
    }

    private func writeOnce<Result>(
        _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(LaneFailure) -> Result {
        let outcome = writer.withLock { slot -> Outcome<Result, LaneFailure> in
            do throws(LaneFailure) {
                return Outcome(.success(try attempt(&slot, forWriting: true, body)))
            } catch { return Outcome(.failure(error)) }
        }
        return try outcome.result.get()
    }

    /// What comes out of the writer's turn.
    // Sendable: made inside the lock and handed straight to the one caller.
    struct Outcome<Success, Failure: Error>: @unchecked Sendable {
        let result: Swift.Result<Success, Failure>
        init(_ result: Swift.Result<Success, Failure>) { self.result = result }
    }

    /// Why a lane did not do its work.
    enum LaneFailure: Error {
        case keychain(KeychainError)
        case classKeyMissing(Accessibility)
    }

    /// Does the work, and once more with fresh keys whenever another process changed them.
    private func attempt<Result>(
        _ slot: inout LanePool.Slot, forWriting: Bool, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(LaneFailure) -> Result {
        for _ in 0..<16 {
            let lane: StoreLane
            do throws(KeychainError) { lane = try self.lane(&slot, forWriting: forWriting) } catch {
                throw .keychain(error)
            }
            defer { if lane.damagedRows > 0 { surroundings.report(lane.damagedRows) } }
            do throws(StoreError) { return try body(lane) } catch {
                // A transaction that could not even be rolled back is left to the journal.
                if lane.connection.isInTransaction { slot = closed(slot) }
                switch error {
                case .keybagChanged: keys.withLock { $0.loaded = nil }
                case .classKeyMissing(let accessibility): throw .classKeyMissing(accessibility)
                default: throw .keychain(KeychainError(error))
                }
            }
        }
        throw .keychain(KeychainError(.notAvailable, "the keychain's keys changed faster than they could be read"))
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
    func isReplaced(_ slot: inout LanePool.Slot, forWriting: Bool) throws(KeychainError) -> Bool {
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
    func openKnown(forWriting: Bool) throws(KeychainError) -> (Connection, FileIdentity?) {
        guard case .file(let path, _) = location else { return (try open(forWriting: forWriting), nil) }
        for _ in 0..<16 {
            let before = FileIdentity(of: path)
            let connection = try open(forWriting: forWriting)
            if before != nil, before == FileIdentity(of: path) { return (connection, before) }
            connection.close()
        }
        throw KeychainError(.notAvailable, "the database is being replaced all the time", subject: "keychain.db")
    }

    func open(forWriting: Bool) throws(KeychainError) -> Connection {
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
}

extension KeychainError {
    fileprivate init(_ failure: KeychainEngine.LaneFailure) {
        switch failure {
        case .keychain(let error): self = error
        case .classKeyMissing(let accessibility): self.init(StoreError.classKeyMissing(accessibility))
        }
    }
}
