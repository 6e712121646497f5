// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainAudit
package import KeychainCrypto
package import KeychainEngine
package import KeychainModel
package import KeychainRequest
internal import KeychainStore
internal import KeychainSystem
internal import Synchronization

/// A keychain served inside this process, opened when it is first used.
package final class EmbeddedHost: KeychainHost {
    package let place: Place
    private let clock: @Sendable () -> Double
    private let plan: @Sendable () throws(KeychainError) -> CreationPlan
    private let tpm: @Sendable () throws(KeychainError) -> String
    private let passcodeCost: PasscodeCost
    private let work: CostlyWork
    private let authenticators: Authenticators
    private let owner: String
    /// Whether the first call makes the keychain where it is not there yet.
    private let makesItself: Bool
    private let program: ForkSafeMutex<Program>
    /// A declaration, and the groups computed from it once.
    private struct Program: Sendable {
        let entitlements: ProgramEntitlements
        let caller: Caller
        /// A forked child is the same program, even if its file was replaced meanwhile.
        private static let executable = Environment.current().executable

        init(_ entitlements: ProgramEntitlements) {
            self.entitlements = entitlements
            caller = entitlements.caller(program: Program.executable)
        }
    }

    /// The session of this process, with its engine.
    private let sessions = PerProcess<EngineSession>()
    private let heldLock = ForkSafeMutex<FolderLock?>(nil)
    private let hasEnded = Atomic(false)

    /// What keeps other daemons away while this one has the keychain.
    var lock: FolderLock? {
        get { heldLock.withLock { $0 } }
        set { heldLock.withLock { $0 = newValue } }
    }

    /// Whether the folder that a daemon took over was removed, moved away or replaced since: what lies in its place, if
    /// anything, is another keychain.
    package var isAstray: Bool { lock?.isAstray ?? false }

    /// `plan` says what the keychain is made with, should it not be there yet; `tpm`, how to reach the one it may have.
    package init(
        place: Place, entitlements: ProgramEntitlements, clock: @escaping @Sendable () -> Double,
        passcodeCost: PasscodeCost, work: CostlyWork = .ofProcess, authenticators: Authenticators, owner: String = "",
        makesItself: Bool = true,
        tpm: @escaping @Sendable () throws(KeychainError) -> String,
        plan: @escaping @Sendable () throws(KeychainError) -> CreationPlan
    ) {
        self.place = place
        self.clock = clock
        self.plan = plan
        self.tpm = tpm
        self.passcodeCost = passcodeCost
        self.work = work
        self.authenticators = authenticators
        self.owner = owner
        self.makesItself = makesItself
        program = ForkSafeMutex(Program(entitlements))
    }

    /// What the program declares; a change counts from the next call on.
    package var entitlements: ProgramEntitlements {
        get { program.withLock { $0.entitlements } }
        set {
            program.withLock { $0 = Program(newValue) }
            sessions.replace { EngineSession($0.engine, for: caller) }
        }
    }

    /// The program as it is entitled now.
    package var caller: Caller { program.withLock { $0.caller } }

    package func session() throws(KeychainError) -> any KeychainSession { try ownSession() }

    /// The session, if the keychain was opened in this process; nil otherwise.
    var existingSession: EngineSession? { sessions.existing }

    /// A session of another program, as a daemon has one for each client.
    package func session(for caller: Caller) throws(KeychainError) -> EngineSession {
        EngineSession(try engine(), for: caller)
    }

    package func engine() throws(KeychainError) -> KeychainEngine { try ownSession().engine }

    /// The session, opened at the first call.
    func ownSession() throws(KeychainError) -> EngineSession {
        try sessions.get { () throws(KeychainError) in EngineSession(try open(), for: caller) }
    }

    /// The folder of the keychain; nil in memory.
    package var folder: String? {
        switch place {
        case .memory: nil
        case .folder(let root, let name): KeychainFolder(root: root, name: name).path
        }
    }

    /// Whether what lies there is a keychain that another process owns, as its database says.
    package var isHandedOver: Bool {
        guard let holdsDatabase = try? holdsDatabase, holdsDatabase else { return false }
        return (try? engine().isHandedOver) ?? false
    }

    /// Whether a keychain lies there; to ask it anything then makes none.
    var holdsDatabase: Bool {
        get throws(KeychainError) {
            guard case .folder(let root, let name) = place else { return false }
            return try KeychainFolder(root: root, name: name).holdsDatabase
        }
    }

    /// Whether no daemon runs that has the keychain, wherever it listens.
    package var isFreeOfDaemons: Bool {
        guard case .folder(let root, let name) = place else { return true }
        return FolderLock.isDaemonAway(from: KeychainFolder(root: root, name: name))
    }

    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        let checked: CheckedRows
        var around: [Finding] = []
        switch place {
        case .memory: checked = try engine().check(from: start, copyOfKeybag: nil)
        case .folder(let root, let name):
            let engine = try engine()
            let folder = KeychainFolder(root: root, name: name)
            checked = try engine.check(from: start, copyOfKeybag: FolderCheck.content(of: folder.keybagCopy))
            if checked.next == nil {
                around = FolderCheck.findings(
                    in: FolderHome(folder: folder, tpm: try tpm()), try engine.state().enclave.kind)
            }
        }
        return CheckedPart(
            findings: (checked.findings + around).map(\.description), rows: checked.rows, locked: checked.locked,
            total: checked.total, next: checked.next)
    }

    /// What the log says that a daemon keeps beside the keychain.
    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer {
        guard let folder else {
            throw KeychainError(.notAvailable, "a keychain in memory has no audit log")
        }
        let secret = try engine().auditKey()
        do throws(AuditError) {
            return try AuditReader(folder: folder + "/audit", key: AuditKey(secret)).answer(to: query)
        } catch { throw KeychainError(.notAvailable, "the audit log cannot be read", code: error.number) }
    }

    package func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation {
        throw KeychainError(.notAvailable, "only a daemon reports changes; start llaverod")
    }

    /// Lets go of every key, as the end of the program would.
    package func forgetKeys() { sessions.existing?.engine.forgetKeys() }

    /// Lets go of everything: the keychain belongs to others from now on, or is about to go.
    package func close() {
        forgetKeys()
        closeIdle()
        sessions.clear()
        lock = nil
    }

    /// The same for ever: what is still under way opens it no more.
    package func end() {
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        close()
    }

    /// Whether it would be the same if it was closed and opened again: no key is open that hangs on the passcode and is good
    /// for anything, and no person has shown anything.
    package func isAsOpenedAnew() throws(KeychainError) -> Bool {
        guard case .folder = place else { return false }
        return try sessions.existing?.engine.isAsOpenedAnew() ?? true
    }

    /// Closes what is idle, for a process that ends or a folder that is about to go.
    package func closeIdle() { sessions.existing?.engine.closeIdle() }

    /// Folds the database's log in, and says how many bytes of the database are free for what is stored next.
    package func reclaim() throws(KeychainError) -> Int { try engine().reclaim() }

    package func rest() { sessions.existing?.engine.rest() }

    /// Looks whether the database is damaged, if the keychain is open here; its state says what was found.
    ///
    /// With `most`, at no more of its pages than that.
    package func examineQuickly(atMost most: Int? = nil) { sessions.existing?.engine.examination.run(atMost: most) }

    /// Makes the keychain, which must not be there yet; returns the recovery key if one was wanted.
    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        let plan = CreationPlan(enclave: enclave, makesRecoveryKey: makesRecoveryKey, tpm: try tpm())
        guard case .folder(let root, let name) = place else {
            throw KeychainError(.notAvailable, "a keychain in memory needs no creation")
        }
        // One operation, also for tools and daemons, whom no public call encloses.
        let outcome = try ForkGate.operation { () throws(KeychainError) in
            try KeychainCreation.make(KeychainFolder(root: root, name: name), plan, replacesVanished: true)
        }
        switch outcome {
        case .made(let recovery): return recovery
        case .wasThere: throw KeychainError(.duplicateKeychain, "the keychain already exists", subject: name)
        }
    }

    private func open() throws(KeychainError) -> KeychainEngine {
        if hasEnded.load(ordering: .sequentiallyConsistent) {
            throw KeychainError(
                .notAvailable, "the keychain was closed or removed during the operation", subject: place.path)
        }
        // A program says it to who asked; of a daemon's keychain nobody else may ask for long.
        let (served, isOfDaemon) = (place, !owner.isEmpty)
        let damage: @Sendable () -> Void = { if isOfDaemon { Log.damage(of: served) } }
        let surroundings = KeychainEngine.Surroundings(
            clock: clock, randomWords: EmbeddedHost.randomWords, passcodeCost: passcodeCost, work: work,
            authenticators: authenticators, owner: owner, report: Log.damagedRows, damage: damage,
            note: { Log.write($0.description) })
        switch place {
        case .memory:
            let (database, home) = try KeychainCreation.inMemory()
            return KeychainEngine(
                location: .memory(MemoryDatabase(database)), home: home, surroundings: surroundings)
        case .folder(let root, let name):
            let folder = KeychainFolder(root: root, name: name)
            try folder.requireKeychain(orNone: makesItself)
            if makesItself, try !folder.exists { try KeychainCreation.make(folder, try plan()) }
            try KeychainFolder.refuseUnsafeRoot(folder.root)
            try folder.refuseUnsafe()
            // Where it may not be looked at, SQLite would have no more to say than a number.
            _ = try FileStatus(reaching: folder.database)
            return KeychainEngine(
                location: .file(path: folder.database, access: { folder.access() }),
                home: FolderHome(folder: folder, tpm: try tpm()), surroundings: surroundings)
        }
    }

    /// From the kernel: they become names, which anybody may see, and a second call of OpenSSL's generator, beside the one
    /// for an item's keys, costs more.
    private static func randomWords() -> (UInt64, UInt64, UInt64, UInt64)? {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let isFilled = unsafe withUnsafeMutableBytes(of: &words) { buffer in
            unsafe buffer.baseAddress.map { unsafe getentropy($0, buffer.count) == 0 } ?? false
        }
        return isFilled ? words : nil
    }
}

/// The keychain that a daemon has: taken over from the programs that opened it themselves, and given back to them.
package enum DaemonHost {
    /// The keychain at a place, taken over from now on; `authenticators` ask the people at the clients' terminals, and `work` is
    /// what all keychains of the daemon share.
    package static func takeOver(
        _ place: Place, _ authenticators: Authenticators, work: CostlyWork = .ofProcess, makesItself: Bool
    ) throws(KeychainError) -> EmbeddedHost {
        let host = owned(place, authenticators, work, makesItself: makesItself)
        do throws(KeychainError) {
            let engine = try host.engine()
            // The folder is there now; held as long as the daemon has it.
            host.lock = try lock(place)
            try engine.takeOver()
        } catch {
            // Its files would stay open: who cannot open a keychain may try again and again.
            host.end()
            throw error
        }
        return host
    }

    /// A keychain that the daemon has for itself, and that ends with it.
    package static func inMemory() -> EmbeddedHost { host(.memory, .none, .ofProcess, owner: "", makesItself: true) }

    /// Lets programs open a keychain again that a daemon had, and has no more.
    package static func giveBack(_ place: Place) throws(KeychainError) {
        let engine = try owned(place, .none, .ofProcess, makesItself: true).engine()
        let lock = try lock(place)
        try engine.giveBack()
        withExtendedLifetime(lock) {}
    }

    /// The keychain as a daemon would have it that takes the place of one that is gone; nothing may be done with it but under
    /// the lock.
    static func successor(at place: Place) -> EmbeddedHost { owned(place, .none, .ofProcess, makesItself: false) }

    /// Does `body` while no daemon has the keychain, and none can take it over.
    static func withLock<Result>(
        on place: Place, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let lock = try lock(place)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private static func lock(_ place: Place) throws(KeychainError) -> FolderLock? {
        guard case .folder(let root, let name) = place else { return nil }
        return try FolderLock.daemon(KeychainFolder(root: root, name: name))
    }

    /// The keychain of the user the daemon runs for: where its surroundings say, or in `root`.
    package static func place(root: String?) throws(KeychainError) -> Place {
        if let root { return .folder(root: root, name: "login") }
        return try Place.named(by: .current())
    }

    private static func owned(
        _ place: Place, _ authenticators: Authenticators, _ work: CostlyWork, makesItself: Bool
    ) -> EmbeddedHost {
        host(place, authenticators, work, owner: KeychainEngine.daemon, makesItself: makesItself)
    }

    private static func host(
        _ place: Place, _ authenticators: Authenticators, _ work: CostlyWork, owner: String, makesItself: Bool
    ) -> EmbeddedHost {
        EmbeddedHost(
            place: place, entitlements: .open, clock: ProcessHost.systemClock, passcodeCost: .standard,
            work: work, authenticators: authenticators, owner: owner, makesItself: makesItself,
            tpm: ProcessHost.tpm, plan: ProcessHost.plan)
    }
}
