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
        defer {
            if slot.limit == .alone { slot = closed(slot) }
            readers.giveBack(&slot)
        }
        do throws(LaneFailure) { return try attempt(&slot, forWriting: false, body) } catch {
            throw KeychainError(error)
        }
    }

    /// Runs a writing operation; one at a time in this process, and among processes in the turn that the queue gives.
    ///
    /// When the keybag has lost the key the operation needs, the class gets a new one, and the operation its second try. On a
    /// full disk an operation that `usesReserve` has a second try with the room that the keychain keeps for it.
    func write<Result>(
        usesReserve: Bool = false, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        defer { cleanLeftovers() }
        let failure: LaneFailure
        do throws(LaneFailure) { return try writeOnce(body) } catch { failure = error }
        switch failure {
        case .classKeyMissing: try startGeneration(.unlocked, .own, keepsOld: true)
        case .noRoom where usesReserve && home.giveUpReserve(): break
        case .noRoom, .keychain: throw KeychainError(failure)
        }
        defer { if case .noRoom = failure { takeReserveAgain() } }
        do throws(LaneFailure) { return try writeOnce(body) } catch { throw KeychainError(error) }
    }

    /// Gives the log's room back to the disk, and takes the reserve out of it.
    private func takeReserveAgain() {
        do throws(LaneFailure) { try writeOnce { (lane) throws(StoreError) in lane.forgetEarlierRows() } } catch {}
        home.takeReserve()
    }

    private func writeOnce<Result>(
        _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(LaneFailure) -> Result {
        let outcome = writer.withLock { slot -> Outcome<Result, LaneFailure> in
            defer { if slot.limit == .alone { slot = closed(slot) } }
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
        /// The disk is full.
        case noRoom(KeychainError)
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
                case .sqlite(let cause) where cause.isForWantOfRoom: throw .noRoom(KeychainError(cause))
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
        let opened = try openKnown(forWriting: forWriting)
        let keybag = try keybag(with: opened.connection, of: opened.file, forWriting: forWriting)
        // A keychain of earlier software has no reserve yet, and one that was on a full disk may have lost it.
        if forWriting, opened.limit == nil { home.takeReserve() }
        do throws(StoreError) {
            let lane = try StoreLane(connection: opened.connection, keybag: keybag)
            slot.lane = lane
            slot.file = opened.file
            slot.limit = opened.limit
            return lane
        } catch { throw KeychainError(error) }
    }

    /// Whether the folder was removed or replaced while we had it open: what is written to the old file would be
    /// acknowledged and gone.
    ///
    /// Readers look once a second, since looking costs them a tenth of a find.
    func isReplaced(_ slot: inout LanePool.Slot, forWriting: Bool) throws(KeychainError) -> Bool {
        guard case .file(let path, let access) = location else { return false }
        if !forWriting {
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
            if slot.seenAt == now.tv_sec { return false }
            slot.seenAt = now.tv_sec
        }
        // What was not to be written may be by now, and then it changes.
        if let limit = slot.limit, limit != OpenLimit(access()) { return true }
        return slot.file != FileIdentity(of: path)
    }

    /// What is special about a connection.
    enum OpenLimit: Sendable {
        case readOnly, immutable
        /// The disk has no room for the index of the log that processes share. The connection has it in memory, keeps all
        /// others away, and is closed when its operation ends.
        case alone

        init?(_ access: DatabaseLocation.Access) {
            switch access {
            case .readWrite, .readWriteRollbackJournal: return nil
            case .readOnly: self = .readOnly
            case .immutable: self = .immutable
            }
        }
    }

    /// A connection, and the one file it surely has open; nil for a keychain in memory.
    struct OpenedDatabase {
        let connection: Connection
        let file: FileIdentity?
        let limit: OpenLimit?
    }

    func openKnown(forWriting: Bool) throws(KeychainError) -> OpenedDatabase {
        let path: String
        switch location {
        case .memory(let database): return OpenedDatabase(connection: database.connection, file: nil, limit: nil)
        case .file(let file, _): path = file
        }
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        for _ in 0..<16 {
            let before = FileIdentity(of: path)
            let (connection, limit) = try open(forWriting: forWriting)
            if before != nil, before == FileIdentity(of: path) {
                return OpenedDatabase(connection: connection, file: before, limit: limit)
            }
            connection.close()
        }
        var status = llv_file_status()
        let failure = unsafe llv_read_file_status(path, &status)
        guard failure == 0 else {
            throw KeychainError(ofFile: failure, .notAvailable, "the database cannot be reached", subject: path)
        }
        throw KeychainError(.notAvailable, "the database is being replaced all the time", subject: "keychain.db")
    }

    private func open(forWriting: Bool) throws(KeychainError) -> (Connection, OpenLimit?) {
        let (path, access): (String, DatabaseLocation.Access)
        switch location {
        case .memory(let database): return (database.connection, nil)
        case .file(let file, let current): (path, access) = (file, current())
        }
        if case .readWrite = access {
            // SQLite takes whatever a lock fails with for somebody who has it, and asks again for up to half a minute.
            let failure = unsafe llv_try_locking(DatabaseLocation.file("owner", besideDatabase: path))
            guard failure == 0 else {
                throw KeychainError(
                    .inputOutput, "the file system gives no locks on files, and without them nothing is safe here",
                    subject: path, code: Int64(failure))
            }
        }
        do throws(SQLiteError) {
            return (try KeychainEngine.open(path, access, forWriting: forWriting, alone: false), OpenLimit(access))
        } catch {
            if case .readOnly = access, error.code.primary == .cannotOpen {
                // A log, and no index of it.
                do throws(SQLiteError) { return (try Connection.copy(of: path), .alone) } catch {}
            }
            guard case .readWrite = access, error.isForWantOfRoom else { throw KeychainError(opening: error) }
        }
        do throws(SQLiteError) {
            return (try KeychainEngine.open(path, access, forWriting: forWriting, alone: true), .alone)
        } catch { throw KeychainError(opening: error) }
    }

    /// A connection that has read: what stands in the way of reading shows here, and not in the middle of an operation.
    private static func open(
        _ path: String, _ access: DatabaseLocation.Access, forWriting: Bool, alone: Bool
    ) throws(SQLiteError) -> Connection {
        let mode: Connection.OpenMode
        var journal: String?
        var queue: String?
        switch access {
        case .readWrite: (mode, queue) = (.readWrite, DatabaseLocation.file("queue", besideDatabase: path))
        // Locks of processes on other machines cannot be waited for; those writers ask from time to time.
        case .readWriteRollbackJournal: (mode, journal) = (.readWrite, "delete")
        case .readOnly: mode = .readOnly
        case .immutable: mode = .immutable
        }
        let connection = try Connection(path: path, mode: mode, queue: queue)
        do throws(SQLiteError) {
            // Before the first read, or it has no effect on where the index of the log is.
            if alone { try connection.execute("pragma locking_mode=exclusive") }
            if let journal { try connection.execute("pragma journal_mode=\(journal)") }
            // What was acknowledged survives a power cut, whatever this SQLite was built to think. Readers keep more pages
            // than SQLite would: a find that misses one reads it with a system call that costs as much as a seal.
            try connection.execute(forWriting ? "pragma synchronous=full" : "pragma cache_size=-6000")
            _ = try connection.userVersion()
            return connection
        } catch {
            connection.close()
            throw error
        }
    }
}

extension KeychainError {
    fileprivate init(_ failure: KeychainEngine.LaneFailure) {
        switch failure {
        case .keychain(let error), .noRoom(let error): self = error
        case .classKeyMissing(let accessibility): self.init(StoreError.classKeyMissing(accessibility))
        }
    }
}
