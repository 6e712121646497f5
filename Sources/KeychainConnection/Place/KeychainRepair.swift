// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainCrypto
internal import KeychainEngine
package import KeychainModel
internal import KeychainSQLite
package import KeychainStore
internal import KeychainSystem

/// The repair of a keychain: all that can be saved goes into a new folder, which then takes the damaged one's place.
///
/// The damaged keychain is only read, and kept. The new one is whole and synced before the two folders change places in one
/// step, so a crash leaves a keychain in the place at any moment. Nobody else has the keychain meanwhile: the owner's turn, the
/// daemon's lock and SQLite's own locks are held as long as this object lives.
package final class KeychainRepair {
    private let folder: KeychainFolder
    private let home: FolderHome
    private let workplace: RepairWorkplace
    private let locks: [FolderLock]
    private let database: OwnedDescriptor?
    private let salvage: Salvage
    private let keybag: LockedKeybag
    /// What is noted of the repaired keychain beside its folder, as soon as it is there.
    private let tally: HeldTally
    /// Opens what may leave the device, in the place of a device key that is lost.
    private let recovery: RecoveryKey?
    /// Whether the database has no keybag any more, and the copy beside it takes its place.
    package let usesKeybagCopy: Bool

    /// Whether items of the keychain open with a passcode alone: then `run` needs it.
    package var needsPasscode: Bool { recovery == nil && keybag.header.passcode != nil }

    /// Takes the keychain, and reads what is there of it.
    ///
    /// With its recovery key, no device key has to be there: what only that opened is kept without being proved.
    package init(_ place: Place, _ recovery: RecoveryKey? = nil) throws(KeychainError) {
        self.recovery = recovery
        guard case .folder(let root, let name) = place else {
            throw KeychainError(.parameter, "a keychain in memory cannot be repaired")
        }
        folder = KeychainFolder(root: root, name: name)
        tally = HeldTally(TallyFile(path: folder.tally))
        if let vanished = try VanishedKeychain(folder) { throw vanished.error }
        guard try folder.exists else {
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: folder.path)
        }
        try KeychainFolder.refuseUnsafe(folder.path)
        home = FolderHome(folder: folder, tpm: try CreationPlan.tpm(named: .current()))
        locks = [try FolderLock.daemon(folder), try FolderLock(waitingForOwnerOf: folder)]
        database = try KeychainRepair.lockedDatabase(folder.database)
        workplace = try RepairWorkplace(for: folder)
        do throws(KeychainError) {
            salvage = try KeychainRepair.read(folder, workplace)
        } catch {
            workplace.remove()
            throw error
        }
        do throws(KeychainError) {
            (keybag, usesKeybagCopy) = try KeychainRepair.keybag(salvage, home, recovery)
        } catch {
            salvage.close()
            workplace.remove()
            throw error
        }
    }

    deinit {
        salvage.close()
        workplace.remove()
        withExtendedLifetime(locks) {}
    }

    // MARK: What is there

    private static func lockedDatabase(_ path: String) throws(KeychainError) -> OwnedDescriptor? {
        if try FileStatus(reaching: path) == nil { return nil }
        let file = unsafe llv_lock_database(path)
        guard file != -EAGAIN else {
            throw KeychainError(
                .notAvailable, "another program has the keychain open; end it, and try again", subject: path)
        }
        guard file >= 0 else {
            throw KeychainError(ofFile: -file, .notAvailable, "the database cannot be opened", subject: path)
        }
        return OwnedDescriptor(owning: file)
    }

    private static func read(
        _ folder: KeychainFolder, _ workplace: RepairWorkplace
    ) throws(KeychainError) -> Salvage {
        var file = try content(folder.database) ?? []
        let log = try content(folder.database + "-wal") ?? []
        if (FileStatus(of: folder.database + "-journal")?.size ?? 0) > 0 {
            file = rolledBack(folder.database, at: workplace.scratch) ?? file
        }
        var keptLogs: [[UInt8]] = []
        for path in DamagedLog.kept(beside: folder.database) { if let log = try content(path) { keptLogs.append(log) } }
        let salvage = Salvage(file: file, log: log, keptLogs: keptLogs, scratch: workplace.scratch) { bytes in
            unsafe unlink(workplace.scratch)
            return (try? SyncedFile.write(bytes, to: workplace.scratch)) != nil
        }
        guard let owner = salvage.owner else { return salvage }
        guard owner.minReader <= DatabaseSchema.format else {
            salvage.close()
            throw KeychainError(StoreError.newerFormat(forWriting: true))
        }
        return salvage
    }

    /// A database of which a rollback journal was left: SQLite undoes in a copy what was not committed.
    private static func rolledBack(_ database: String, at scratch: String) -> [UInt8]? {
        defer { for ending in ["", "-journal"] { unsafe unlink(scratch + ending) } }
        for ending in ["", "-journal"] where unsafe llv_copy_file(database + ending, scratch + ending) != 0 {
            return nil
        }
        guard let sqlite = try? SQLiteConnection(path: scratch, mode: .readWrite) else { return nil }
        _ = try? sqlite.userVersion()
        sqlite.close()
        return try? content(scratch)
    }

    /// As often as SQLite's pages are read that are not right.
    private static let mostReads = 4

    /// All of a file, with zeros where the disk gives nothing; nil where there is no file.
    private static func content(_ path: String) throws(KeychainError) -> [UInt8]? {
        guard let status = try FileStatus(reaching: path) else { return nil }
        guard status.is_regular_file else {
            throw KeychainError(.notAvailable, "the path is not a regular file", subject: path)
        }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            throw KeychainError(ofFile: errno, .notAvailable, "the file cannot be opened", subject: path)
        }
        defer { close(file) }
        let size = Int(status.size)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { (buffer, count) in
            unsafe buffer.initialize(repeating: 0)
            count = size
            var place = 0
            var failures = 0
            while place < size {
                // A sector that the disk does not give is one page's loss, but often it gives it when asked again.
                let part = min(PageSums.pageSize, size - place)
                let got = unsafe pread(file, buffer.baseAddress.map { unsafe $0 + place }, part, off_t(place))
                if got < 0, errno == EINTR { continue }
                failures = got < 0 ? failures + 1 : 0
                if 1..<mostReads ~= failures { continue }
                failures = 0
                place += got > 0 ? got : part
            }
        }
    }

    /// The keybag of the new database: the stored one, or where none can be read the copy.
    private static func keybag(
        _ salvage: Salvage, _ home: FolderHome, _ recovery: RecoveryKey?
    ) throws(KeychainError) -> (LockedKeybag, isCopy: Bool) {
        let stored = salvage.keybags
        let copy = home.keybagCopy.flatMap { try? LockedKeybag(decoding: $0) }
        var failure = KeychainError(
            .notAvailable,
            "neither the database nor keybag.copy holds a readable keybag, so nothing can open the items; restore the keychain's folder from a copy, or begin anew: `llavero keychains set-aside` moves it away, and `llavero restore FILE` makes a new one of a backup",
            subject: home.folder.path)
        for (keybag, isCopy) in stored.map({ ($0, false) }) + (copy.map { [($0, true)] } ?? []) {
            // Another keychain's copy may lie there.
            if let owner = salvage.owner, owner.keychain != keybag.header.keychain { continue }
            do throws(KeychainError) {
                if let recovery {
                    _ = try translating { () throws(KeybagError) in try keybag.opened(with: recovery) }
                } else {
                    try KeybagOpening(keybag, in: home, clock: ProcessHost.systemClock).checkDevice()
                }
                return (keybag, isCopy)
            } catch { failure = error }
        }
        throw failure
    }

    // MARK: The repair

    /// What came of it.
    package struct Outcome: Sendable {
        package let report: SalvageReport
        /// Whether something was wrong.
        package let isNeeded: Bool
        /// Where the damaged keychain is now; nil after a dry run, and where nothing had to be repaired.
        package let old: String?
    }

    /// Builds the new keychain and, unless it is a dry run or nothing was wrong, puts it in the place of the damaged one.
    package func run(_ passcode: Passcode?, isDryRun: Bool) throws(KeychainError) -> Outcome {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        // Held by `locks`.
        let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
        let keys = try keys(passcode, turn)
        // An empty keychain is no repair of one that nothing is left of.
        guard salvage.holdsAnything else {
            throw KeychainError(
                .notAvailable,
                "nothing is left of the database; restore the keychain's folder from a copy, or begin anew: `llavero keychains set-aside` moves it away, and `llavero restore FILE` makes a new one of a backup",
                subject: folder.database)
        }
        let report = try build(keys)
        let isNeeded = !report.wasWhole || report.quarantined > 0 || report.released > 0 || usesKeybagCopy
        guard isNeeded, !isDryRun else { return Outcome(report: report, isNeeded: isNeeded, old: nil) }
        try workplace.copyOtherFiles()
        let copied = FolderHome(folder: workplace.folder, tpm: home.tpm)
        if recovery == nil {
            // The other half of the device key may be what is damaged.
            let enclave = copied.enclave(keybag.header.enclave)
            try keybag.header.enclave.explaining { () throws(EnclaveError) in
                if try !enclave.isWhole() { try enclave.mend(turn) }
            }
        }
        let lock = try FolderLock.owner(workplace.folder)
        defer { withExtendedLifetime(lock) {} }
        try RepairWorkplace.sync(workplace.folder.database)
        let old = try workplace.exchange(
            tally, at: UTCTime(secondsSince2001: Int64(ProcessHost.systemClock())))
        return Outcome(report: report, isNeeded: true, old: old)
    }

    private func keys(_ passcode: Passcode?, _ turn: borrowing OwnerLock) throws(KeychainError) -> UnlockedKeybag {
        if let recovery {
            return try translating { () throws(KeybagError) in try keybag.opened(with: recovery) }
        }
        let keys = try KeybagOpening(keybag, in: home, clock: ProcessHost.systemClock).keys(passcode, turn)
        guard passcode != nil || keybag.header.passcode == nil else {
            throw KeychainError(.interactionNotAllowed, "the repair requires the keychain's passcode")
        }
        return keys
    }

    /// Makes the new database, fills and examines it.
    private func build(_ keys: UnlockedKeybag) throws(KeychainError) -> SalvageReport {
        let new = workplace.folder
        for ending in ["", "-wal", "-shm"] { unsafe unlink(new.database + ending) }
        for path in [new.keybagCopy, new.queue] { unsafe unlink(path) }
        let bytes = try translating { () throws(KeybagError) in try keybag.encoded() }
        let journal = FileSystemKind(of: folder.root) == .shared ? "delete" : "wal"
        try NewDatabase.onDisk(at: new.database, of: keybag.header.keychain, bytes, journal: journal)
        try SyncedFile.write(bytes, to: new.keybagCopy)
        if journal == "wal" { try SyncedFile.write([], to: new.queue) }
        let sqlite = try translating { () throws(SQLiteError) in
            let sqlite = try SQLiteConnection(path: new.database, mode: .readWrite)
            try sqlite.execute("pragma synchronous=full")
            return sqlite
        }
        defer { sqlite.close() }
        var report = try translating { () throws(StoreError) in
            try salvage.fill(sqlite, with: loaded(keys, in: sqlite), at: ProcessHost.systemClock())
        }
        try examine(sqlite, keys, bytes, &report)
        return report
    }

    /// What is not right to the last column does not take the place of anything.
    private func examine(
        _ sqlite: SQLiteConnection, _ keys: UnlockedKeybag, _ copy: [UInt8], _ report: inout SalvageReport
    ) throws(KeychainError) {
        let checked = try translating { () throws(StoreError) in
            let connection = try StoreConnection(
                sqlite: sqlite, keybag: loaded(keys, in: sqlite),
                tallyCopy: tally)
            try connection.leaveOutUnreadable()
            try report.countVersions(in: connection)
            // It counts on from what was noted, so nothing looks older than it is.
            try connection.acceptItems(at: ProcessHost.systemClock())
            return try connection.check(from: nil, atMost: .max, copyOfKeybag: copy)
        }
        guard checked.findings.isEmpty else {
            throw KeychainError(
                .internalError, "the repaired database does not pass its examination; nothing was changed",
                subject: folder.path)
        }
    }

    private func loaded(_ keys: UnlockedKeybag, in sqlite: SQLiteConnection) throws(StoreError) -> LoadedKeybag {
        let row = try KeychainRow.read(from: sqlite)
        return LoadedKeybag(keychain: row.keychain, keys: keys, version: row.version, mayWrite: row.mayWrite)
    }
}
