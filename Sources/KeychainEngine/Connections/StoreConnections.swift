// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainStore
internal import KeychainSystem

/// The connections to one database: lends them to operations, follows a file that was replaced, and has writers take turns.
///
/// The engine owns it. It asks `KeyCustody` for the keys of a connection, and knows no other part. Its locks are taken in this
/// order: the writer's, the pool's, then custody's.
final class StoreConnections: Sendable {
    private let location: DatabaseLocation
    private let home: any KeychainHome
    private let custody: KeyCustody
    /// Told how many rows an operation passed over because they could not be read.
    private let report: @Sendable (Int) -> Void
    /// Told, once for each file, that a part of the database is damaged.
    private let damage: @Sendable () -> Void
    /// The file of which a part was seen to be damaged.
    private let damagedFile = ForkSafeMutex<FileIdentity?>(nil)
    private let readers = ConnectionPool()
    private let views = HeldViews()
    private let writer = ForkSafeMutex(ConnectionPool.Slot())
    /// The file whose pages had wrong sums and were looked at, whether all else proves them right.
    private let proved = ForkSafeMutex<FileIdentity?>(nil)
    /// The file whose log was looked at before it was first opened.
    private let examined = ForkSafeMutex<FileIdentity?>(nil)
    private let log = ForkSafeMutex(DamagedLog.Look(hasLog: false))

    init(
        _ location: DatabaseLocation, _ home: any KeychainHome, _ custody: KeyCustody,
        report: @escaping @Sendable (Int) -> Void, damage: @escaping @Sendable () -> Void
    ) {
        self.location = location
        self.home = home
        self.custody = custody
        self.report = report
        self.damage = damage
    }

    /// Whether there was a log when this process first opened the database: one that a crash left, or another program's.
    var beganWithLog: Bool { log.withLock { $0.hasLog } }

    /// Reads on a connection that no other thread uses meanwhile.
    func read<Result>(_ body: (StoreConnection) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        // A keychain in memory has one connection, the writer's. Reading needs no class key that could be made anew.
        if case .memory = location { return try write(usesReserve: false, renewingClassKeys: {}, body) }
        // A daemon's threads, tools and examinations read too, and no public call encloses them. A writer is inside an
        // operation anyway: the lock that has writers take turns is one.
        llv_operation_enter()
        defer { llv_operation_leave() }
        var slot = readers.take()
        defer {
            if slot.limit == .alone { close(&slot) }
            readers.giveBack(&slot)
        }
        do throws(Failure) { return try run(body, on: &slot, forWriting: false) } catch { throw error.error }
    }

    /// Has the database as it is now stay readable, until it is let go of; nil where readers would keep writers out, and where
    /// the disk is full.
    func holdView() throws(KeychainError) -> ViewID? {
        guard case .file(_, let access) = location else { return nil }
        if case .readWriteRollbackJournal = access() { return nil }
        llv_operation_enter()
        defer { llv_operation_leave() }
        for _ in 0..<16 {
            // Before the keys are asked for: those that are locked meanwhile must not stay open in a view.
            let epoch = views.epoch
            let opened = try location.open(forWriting: false)
            var view: ViewID?
            defer { if view == nil { opened.sqlite.close() } }
            if opened.limit == .alone { return nil }
            let keybag = try custody.keybag(from: opened.sqlite, of: opened.file, forWriting: false)
            let connection: StoreConnection
            do throws(StoreError) {
                connection = try StoreConnection(sqlite: opened.sqlite, keybag: keybag)
                try connection.hold()
            } catch {
                guard case .keybagChanged = error else { throw KeychainError(error) }
                custody.forgetLoaded()
                continue
            }
            view = try views.keep(connection, of: epoch)
            if let view { return view }
        }
        throw KeychainError(.notAvailable, "the keychain's keys changed each time they were read; try again")
    }

    func letGo(of view: ViewID) { views.letGo(of: view) }

    /// Reads what the database was when the view was made.
    func read<Result>(
        in view: ViewID, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        var (damaged, isWrongSum) = (0, false)
        let outcome = views.read(in: view) { (connection) throws(StoreError) in
            defer {
                if connection.damagedRows > 0 { damaged = connection.takeDamagedRows() }
                isWrongSum = connection.takeMetDamage() || isWrongSum
            }
            do throws(StoreError) { return try body(connection) } catch {
                if error.isWrongSum { isWrongSum = true }
                throw error
            }
        }
        var slot = ConnectionPool.Slot()
        if isWrongSum, renewSums(&slot) {
            views.closeAll()
            throw KeychainError(
                .notAvailable, "another program wrote to the keychain's file, which is in order again; begin again")
        }
        if isWrongSum { noteDamage() }
        if damaged > 0 { report(damaged) }
        guard let outcome else {
            throw KeychainError(
                .notAvailable, "the keychain was locked, or its keys changed, while it was read; begin again")
        }
        do throws(StoreError) { return try outcome.get() } catch { throw KeychainError(error) }
    }

    /// Writes; one operation at a time in this process, and among processes in the turn that the queue gives.
    ///
    /// Some failures have a remedy, and the operation gets a second try after it. When the keybag has lost the key of a class,
    /// `renewingClassKeys` makes another one. On a full disk, an operation that `usesReserve` gets the room that the keychain
    /// keeps for it.
    func write<Result>(
        usesReserve: Bool, renewingClassKeys: () throws(KeychainError) -> Void,
        _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        let failure: Failure
        do throws(Failure) { return try writeOnce(body) } catch { failure = error }
        switch failure.remedy {
        case .classKey: try renewingClassKeys()
        case .room where usesReserve && home.giveUpReserve(): break
        case .room, nil: throw failure.error
        }
        defer { if failure.remedy == .room { takeReserveAgain() } }
        // What the try that failed has left in the log is room as well.
        if failure.remedy == .room { cutLog() }
        do throws(Failure) { return try writeOnce(body) } catch {
            throw error.remedy == .room ? .noRoomForRemoval(error.error) : error.error
        }
    }

    /// Lends the writer's connection, or one that is opened for it, to look at the keybag or to change it.
    func withKeybagConnection<Result>(
        _ body: (SQLiteConnection, FileIdentity?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        return try withWriter { (slot) throws(KeychainError) in
            if slot.connection != nil, isReplaced(&slot, forWriting: true) { close(&slot) }
            if let connection = slot.connection {
                return try unlessLost(slot.file) { () throws(KeychainError) in try body(connection.sqlite, slot.file) }
            }
            examineLog()
            let opened = try location.open(forWriting: true)
            defer { if case .file = location { opened.sqlite.close() } }
            return try unlessLost(opened.file) { () throws(KeychainError) in try body(opened.sqlite, opened.file) }
        }
    }

    /// The keys in hand, loaded if there are none or if others are stored by now.
    func keybag() throws(KeychainError) -> LoadedKeybag {
        try withKeybagConnection { (sqlite, file) throws(KeychainError) in
            custody.forgetLoaded(unlessOf: try translating { () throws(SQLiteError) in try sqlite.userVersion() })
            return try custody.keybag(from: sqlite, of: file, forWriting: false)
        }
    }

    /// The keybag as it is stored now.
    func storedKeybag() throws(KeychainError) -> StoredKeybag {
        try withKeybagConnection { (sqlite, file) throws(KeychainError) in
            try custody.storedKeybag(in: sqlite, of: file)
        }
    }

    /// Whether the keybag that was read is on the disk, and no other one can come out of the log after a crash.
    func isConfirmed(_ stored: StoredKeybag) -> Bool {
        let confirmed = try? withKeybagConnection { (sqlite, _) throws(KeychainError) in
            try translating { () throws(SQLiteError) in try DatabaseSchema.confirmedKeybag(in: sqlite) }
        }
        return confirmed == stored.row.keybag
    }

    /// Writes a keybag anew of which one of the two copies is damaged; it says the same, so no process loads it again.
    func storeWhole(_ stored: StoredKeybag, _ turn: borrowing OwnerLock) throws(KeychainError) {
        let whole = try translating { () throws(KeybagError) in try stored.keybag.encoded() }
        try withKeybagConnection { (sqlite, _) throws(KeychainError) in
            try translating { () throws(SQLiteError) in
                try DatabaseSchema.mendKeybag(stored.row.keybag, with: whole, in: sqlite)
            }
        }
    }

    /// Gives every idle connection the keys that are in hand now; those in use go with their operation.
    ///
    /// Without keys in hand, the connections go. The keys are looked up once the connections are ours: what another thread
    /// changes meanwhile it brings to the connections itself, after us.
    func refresh() {
        views.closeAll()
        readers.renew { custody.giveKeys(to: $0) }
        writer.withLock { slot in
            if let connection = slot.connection, !custody.giveKeys(to: connection) { close(&slot) }
        }
    }

    /// Lets go of every connection, and of its scheduled keys; waits for the writer and not for readers.
    func drop() {
        views.closeAll()
        readers.retire()
        writer.withLock { close(&$0) }
    }

    /// Waits until no reader works that began before the last `refresh` or `drop`.
    func waitForReaders() { readers.waitForRetired() }

    /// Lets go of idle connections without waiting, and of the pages they keep.
    ///
    /// The last connection to close folds the write-ahead log in.
    func rest() {
        views.closeUnused()
        readers.retire()
        _ = writer.withLockIfFree { close(&$0) }
    }

    // MARK: Running one operation

    /// Why an operation failed, and what would help a second try.
    private struct Failure: Error {
        let error: KeychainError
        let remedy: Remedy?

        init(_ error: KeychainError, remedy: Remedy? = nil) { (self.error, self.remedy) = (error, remedy) }

        enum Remedy: Sendable {
            case classKey
            case room
        }
    }

    private func writeOnce<Result>(
        _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        try withWriter { (slot) throws(Failure) in
            defer { if slot.limit == .alone { close(&slot) } }
            return try run(body, on: &slot, forWriting: true)
        }
    }

    /// Runs an operation on a slot's connection, and once more with fresh keys whenever another process changed them.
    private func run<Result>(
        _ body: (StoreConnection) throws(StoreError) -> Result, on slot: inout ConnectionPool.Slot, forWriting: Bool
    ) throws(Failure) -> Result {
        for _ in 0..<16 {
            let connection: StoreConnection
            do throws(KeychainError) { connection = try connect(&slot, forWriting: forWriting) } catch {
                if letGoOfLostFile(&slot) { continue }
                if error.code == ResultCode.damagedPage.number {
                    if renewSums(&slot) { continue }
                    noteDamage()
                }
                throw Failure(error)
            }
            defer {
                if connection.damagedRows > 0 { report(connection.takeDamagedRows()) }
            }
            do throws(StoreError) {
                let result = try body(connection)
                // What was left out may be there after all.
                if connection.takeMetDamage() {
                    if !forWriting, renewSums(&slot) {
                        _ = connection.takeDamagedRows()
                        continue
                    }
                    noteDamage()
                }
                return result
            } catch {
                // A transaction that could not even be rolled back is left to the journal.
                if connection.sqlite.isInTransaction { close(&slot) }
                if error.isOfDatabase, letGoOfLostFile(&slot) { continue }
                if error.isWrongSum {
                    if renewSums(&slot) { continue }
                    noteDamage()
                }
                switch error {
                case .keybagChanged: custody.forgetLoaded()
                case .notFound where connection.mayMissChanges: throw Failure(KeychainError(.mayBeInKeptLog))
                case .classKeyMissing: throw Failure(KeychainError(error), remedy: .classKey)
                case .sqlite(let cause) where cause.isForWantOfRoom: throw Failure(KeychainError(error), remedy: .room)
                default: throw Failure(KeychainError(error))
                }
            }
        }
        throw Failure(
            KeychainError(
                .notAvailable, "the keychain's keys or files changed each time they were read; try again"))
    }

    /// The slot's connection with the keys that are in force; a new one where the slot has none, or has another file's.
    private func connect(
        _ slot: inout ConnectionPool.Slot, forWriting: Bool
    ) throws(KeychainError) -> StoreConnection {
        if slot.connection != nil, isReplaced(&slot, forWriting: forWriting) {
            close(&slot)
            custody.forgetLoaded()
        }
        if let connection = slot.connection {
            let keybag = try custody.keybag(from: connection.sqlite, of: slot.file, forWriting: forWriting)
            try translating { () throws(StoreError) in try connection.adopt(keybag) }
            return connection
        }
        examineLog()
        var opened = try location.open(forWriting: forWriting)
        var keybag = try custody.keybag(from: opened.sqlite, of: opened.file, forWriting: forWriting)
        if forWriting, opened.limit == nil, keybag.isOfEarlierFormat, upgrade(closing: opened.sqlite) {
            opened = try location.open(forWriting: forWriting)
            keybag = try custody.keybag(from: opened.sqlite, of: opened.file, forWriting: forWriting)
        }
        slot.file = opened.file
        // A keychain of earlier software has no reserve yet, and one that was on a full disk may have lost it.
        if forWriting, opened.limit == nil { home.takeReserve() }
        let connection = try translating { () throws(StoreError) in
            try StoreConnection(
                sqlite: opened.sqlite, keybag: keybag, tallyCopy: opened.limit == .immutable ? nil : home.copyOfTally())
        }
        noteMissingChanges(connection)
        slot.connection = connection
        slot.limit = opened.limit
        return connection
    }

    /// Keeps a copy of a log that is damaged in its middle, before SQLite sees it; once in a process for each file.
    private func examineLog() {
        guard case .file(let path, let access) = location, case .readWrite = access(),
            let file = FileIdentity(of: path),
            examined.withLock({ last in
                defer { last = file }
                return last != file
            })
        else { return }
        let look = DamagedLog.look(atLogOf: path)
        if look.hasLog { log.withLock { $0 = look } }
    }

    /// Tells a new connection whether changes are missing in its database that are in a log which was kept.
    ///
    /// What was behind the last commit of a log had been committed too if the note outside counts more commits than there are.
    private func noteMissingChanges(_ connection: StoreConnection) {
        guard case .file(let path, _) = location else { return }
        if let unfinished = log.withLock({ $0.unfinished }), let isMissing = try? connection.isBehindItsNote() {
            if isMissing { DamagedLog.keep(unfinished, ofDatabase: path) }
            log.withLock { $0.unfinished = nil }
        }
        connection.mayMissChanges = mayMissChanges
    }

    /// Notes that a part of the database is damaged, whoever was answered with what of it; a file put in its place has none of that.
    func noteDamage() {
        guard case .file(let path, _) = location, let file = FileIdentity(of: path) else { return }
        let isNews = damagedFile.withLock { noted in
            defer { noted = file }
            return noted != file
        }
        if isNews { damage() }
    }

    /// Whether a part of the database was seen to be damaged.
    var hasMetDamage: Bool {
        guard case .file(let path, _) = location, let file = damagedFile.withLock({ $0 }) else { return false }
        return file == FileIdentity(of: path)
    }

    /// Whether changes are missing in the database that are in a log which was kept.
    var mayMissChanges: Bool {
        guard case .file(let path, _) = location else { return false }
        return !DamagedLog.kept(beside: path).isEmpty
    }

    /// Brings a file of an earlier format to today's, if that is possible now; whether the connection was closed for it.
    private func upgrade(closing connection: SQLiteConnection) -> Bool {
        guard let alone = LoneDatabase(location) else { return false }
        connection.close()
        readers.retire()
        // The turn is not waited for: the writer's slot is in hand, and comes behind the turn.
        home.withOwnersTurnIfFree { turn in _ = alone.upgrade(turn) }
        return true
    }

    /// Has the sums of pages made anew that another program has written without them, where that is all that is wrong; whether to
    /// try again.
    ///
    /// Once for a file: what is really damaged stays so.
    private func renewSums(_ slot: inout ConnectionPool.Slot) -> Bool {
        guard case .file(let path, _) = location, let alone = LoneDatabase(location),
            let file = FileIdentity(of: path),
            proved.withLock({ last in
                defer { last = file }
                return last != file
            })
        else { return false }
        close(&slot)
        readers.retire()
        _ = writer.withLockIfFree { close(&$0) }
        var isDone = false
        home.withOwnersTurnIfFree { turn in
            isDone = alone.renewSums(turn) { (sqlite) throws(KeychainError) in
                try custody.keybag(from: sqlite, of: file, forWriting: false)
            }
        }
        return isDone
    }

    /// Whether the folder was removed or replaced while we had it open: what is written to the old file would be
    /// acknowledged and gone.
    ///
    /// Readers look once a second, since looking costs them a tenth of a find.
    private func isReplaced(_ slot: inout ConnectionPool.Slot, forWriting: Bool) -> Bool {
        guard case .file(let path, let access) = location else { return false }
        if !forWriting {
            var now = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
            if slot.seenAt == now.tv_sec { return false }
            slot.seenAt = now.tv_sec
        }
        // What could not be written may be writable by now, and then the connection has to be another one.
        if let limit = slot.limit, limit != OpenLimit(access()) { return true }
        return slot.file != FileIdentity(of: path)
    }

    /// Runs `body`; what fails on a file that is no longer the keychain's says so.
    private func unlessLost<Result>(
        _ file: FileIdentity?, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) { return try body() } catch {
            guard isLost(file) else { throw error }
            throw KeychainError(
                .notAvailable, "the keychain was removed or replaced during the operation", subject: "keychain.db")
        }
    }

    /// Whether the keychain's path leads to another file by now, or to none.
    private func isLost(_ file: FileIdentity?) -> Bool {
        guard case .file(let path, _) = location, let file else { return false }
        return file != FileIdentity(of: path)
    }

    /// Empties a slot whose file is no longer the keychain's; what failed on it then says nothing of the disk.
    private func letGoOfLostFile(_ slot: inout ConnectionPool.Slot) -> Bool {
        guard isLost(slot.file) else { return false }
        close(&slot)
        custody.forgetLoaded()
        return true
    }

    /// Closes a slot's connection.
    ///
    /// A keychain in memory keeps its connection, which is all there is of it.
    private func close(_ slot: inout ConnectionPool.Slot) {
        if case .file = location { slot.connection?.close() }
        slot.empty()
    }

    /// Gives the log's space back to the disk, and takes the reserve out of it.
    private func takeReserveAgain() {
        cutLog()
        home.takeReserve()
    }

    private func cutLog() {
        do throws(Failure) {
            try writeOnce { (connection) throws(StoreError) in connection.forgetEarlierRows() }
        } catch {}
    }

    // MARK: The writer's turn

    /// Runs `body` with the writer's slot, one thread at a time.
    private func withWriter<Result, Thrown: Error>(
        _ body: (inout ConnectionPool.Slot) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        let outcome = writer.withLock { slot -> Outcome<Result, Thrown> in
            do throws(Thrown) { return Outcome(.success(try body(&slot))) } catch { return Outcome(.failure(error)) }
        }
        return try outcome.result.get()
    }

    /// What comes out of the writer's turn.
    // Sendable: made inside the lock and handed straight to the one caller.
    private struct Outcome<Success, Thrown: Error>: @unchecked Sendable {
        let result: Swift.Result<Success, Thrown>
        init(_ result: Swift.Result<Success, Thrown>) { self.result = result }
    }
}
