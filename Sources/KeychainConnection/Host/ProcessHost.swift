// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainEngine
package import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport
internal import Synchronization

/// The keychain of this process: the user's own, or a throw-away one while tests run.
package enum ProcessHost {
    private static let hosts = PerProcess<HandoverHost>()
    // A list: a dictionary's type costs a program's start more than all searches in this.
    private static let others = PerProcess<ForkSafeMutex<[(place: Place, host: HandoverHost)]>>()
    private static let declared = ForkSafeMutex<ProgramEntitlements?>(nil)

    /// What the process was started as.
    ///
    /// A forked child is the same program, even if its file was replaced meanwhile.
    private static let start = (environment: Environment.current(), isTest: TestRunner.isRunning(in: .current()))
    private static let fromFiles = Declaration.entitlements(of: start.environment.executable)

    /// The keychain that calls are about which name none.
    package static func host() throws(KeychainError) -> HandoverHost {
        try hosts.get { () throws(KeychainError) in host(of: try place(in: .current()), isUsual: true, in: .current()) }
    }

    /// The keychains that have a name alone: those that the system's daemon has for this user, then those in the user's folder.
    package static func namedPlaces() throws(KeychainError) -> [Place] {
        let root = try Place.root(named: .current())
        let ofSystem = try host().namesWithSystem() ?? []
        let own = try Place.names(in: root).filter { name in !ofSystem.contains { $0.hasSameBytes(as: name) } }
        return (ofSystem + own).map { .folder(root: root, name: $0) }
    }

    /// Where the key of a keychain that this process makes is to be.
    package static func enclaveForNew() throws(KeychainError) -> EnclaveKind { try plan().enclave }

    /// Another keychain, or the same one by its place.
    package static func host(at place: Place) throws(KeychainError) -> HandoverHost {
        try refuseRealOne(place)
        let usual = try host()
        if usual.embedded.place == place { return usual }
        let others = try others.get { () throws(KeychainError) in
            ForkSafeMutex<[(place: Place, host: HandoverHost)]>([])
        }
        return try others.withLock { (others) throws(KeychainError) in
            if let other = others.first(where: { $0.place == place }) { return other.host }
            let host = host(of: place, isUsual: false, in: .current())
            others.append((place, host))
            return host
        }
    }

    /// Whether this process runs tests.
    package static var isTestRun: Bool { start.isTest }

    /// Whether tests run that must not touch the user's keychains.
    package static func isKeptFromRealOnes(_ environment: Environment) -> Bool {
        start.isTest && environment["LLAVERO_TEST_KEYCHAIN"] != "real" && environment["LLAVERO_HOME"] == nil
    }

    /// Tests that name a keychain of the user's real ones are as wrong as those that name none.
    private static func refuseRealOne(_ place: Place) throws(KeychainError) {
        let environment = Environment.current()
        guard isKeptFromRealOnes(environment), case .folder(let root, _) = place,
            root == (try? Place.root(named: environment))
        else { return }
        throw KeychainError(
            .notAvailable,
            "a test run does not open the user's own keychain; set LLAVERO_HOME, or LLAVERO_TEST_KEYCHAIN=real",
            subject: place.path)
    }

    private static func host(of place: Place, isUsual: Bool, in environment: Environment) -> HandoverHost {
        closeAtExit()
        let embedded = EmbeddedHost(
            place: place, entitlements: entitlements, clock: systemClock, passcodeCost: .standard,
            authenticators: authenticators, makesItself: isUsual, tpm: tpm, plan: plan)
        guard let socket = DaemonSocket.named(by: environment, for: place, isTest: start.isTest) else {
            return HandoverHost(embedded)
        }
        let choice = KeychainChoice(
            KeychainAddress(of: place, in: environment, namesFolder: socket.namesFolder),
            claimsPasswords: claimsPasswords.load(ordering: .relaxed), makesIt: isUsual)
        let daemon = SocketSession(
            path: socket.path, otherPath: socket.otherPath, daemonUser: socket.daemonUser, choice: choice,
            isOfSystem: socket.isOnlyPlace, terminal: Environment.terminal)
        return HandoverHost(
            KeychainOwner(
                embedded, daemon, isServed: socket.isOnlyPlace || daemon.isReachable, isOnlyPlace: socket.isOnlyPlace,
                restart: restart.withLock { $0 }))
    }

    /// Says that this program is a tool with which people see to their own passwords; before the first call.
    package static func claimPasswords() { claimsPasswords.store(true, ordering: .relaxed) }

    private static let claimsPasswords = Atomic(false)

    /// Says what is done about keychains whose daemon is gone; before the first call.
    package static func restartDaemons(by restart: @escaping KeychainOwner.Restart) {
        self.restart.withLock { $0 = restart }
    }

    private static let restart = ForkSafeMutex<KeychainOwner.Restart?>(nil)

    private static var entitlements: ProgramEntitlements { declared.withLock { $0 } ?? fromFiles }

    /// Declares what the program is, instead of the files beside it.
    package static func declare(_ entitlements: ProgramEntitlements) {
        declared.withLock { $0 = entitlements }
        for host in existing { host.embedded.entitlements = entitlements }
    }

    private static var existing: [HandoverHost] {
        [hosts.existing].compactMap(\.self) + (others.existing?.withLock { $0.map(\.host) } ?? [])
    }

    static let tpm: @Sendable () throws(KeychainError) -> String = { () throws(KeychainError) in
        try CreationPlan.tpm(named: .current())
    }

    /// What a keychain that this process has to make is made with.
    static let plan: @Sendable () throws(KeychainError) -> CreationPlan = { () throws(KeychainError) in
        try .implied(by: .current())
    }

    /// Who is asked: while tests run, no prompt is shown.
    private static var authenticators: Authenticators {
        if start.isTest { return .none }
        let environment = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged)
        return Authenticators(prompt: SystemPrompt(environment), fingers: FprintdReader { TerminalNotice.tell($0) })
    }

    private static func place(in environment: Environment) throws(KeychainError) -> Place {
        guard start.isTest, environment["LLAVERO_TEST_KEYCHAIN"] != "real" else {
            return try Place.named(by: environment)
        }
        let notice =
            "tests are running: using a fresh keychain in memory instead of the user's own"
            + " (LLAVERO_TEST_KEYCHAIN=real changes that)"
        Log.write(notice)
        return .memory
    }

    /// A program that ends without closing leaves its write-ahead log to the next one, which then has to recover it.
    private static func closeAtExit() {
        _ = closing
    }

    private static let closing: Void = {
        atexit { for host in ProcessHost.existing { host.embedded.closeIdle() } }
    }()

    /// Seconds since 2001-01-01 UTC by the system's clock.
    package static let systemClock: @Sendable () -> Double = {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Double(Int64(now.tv_sec) - UTCTime.secondsFrom1970To2001) + Double(now.tv_nsec) / 1_000_000_000
    }
}

/// A value that belongs to one process: a forked child does not see its parent's and gets a fresh one.
///
/// What the parent had is left where it is, neither closed nor wiped: its locks may have been taken by threads that do
/// not exist here, and its files and secrets are still the parent's.
final class PerProcess<Value: Sendable>: Sendable {
    /// The value of one process.
    ///
    /// Boxes are never freed once another process has taken over.
    private final class Box: Sendable {
        let epoch = llv_fork_epoch()
        let value = ForkSafeMutex<Value?>(nil)
    }

    private let current = Atomic<Int>(0)

    /// The process's value, made by `make` when there is none; what `make` throws is not remembered.
    func get<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        let box = box
        return try box.value.withLock { (value) throws(Failure) -> Value in
            if let value { return value }
            let made = try make()
            value = made
            return made
        }
    }

    /// The value, if one was made in this process.
    var existing: Value? { box.value.withLock { $0 } }

    /// Puts another value in the place of the one that was made in this process, if one was.
    func replace(_ change: (Value) -> Value) {
        box.value.withLock { value in
            if let old = value { value = change(old) }
        }
    }

    /// Forgets the value; the next call makes another.
    func clear() { box.value.withLock { $0 = nil } }

    private var box: Box {
        let bits = current.load(ordering: .acquiring)
        if let box = Self.box(bits), box.epoch == llv_fork_epoch() { return box }
        let fresh = Box()
        let freshBits = unsafe Int(bitPattern: Unmanaged.passRetained(fresh).toOpaque())
        let (isOurs, winner) = current.compareExchange(
            expected: bits, desired: freshBits, ordering: .acquiringAndReleasing)
        if isOurs { return fresh }
        unsafe Unmanaged.passUnretained(fresh).release()
        return Self.box(winner) ?? fresh
    }

    private static func box(_ bits: Int) -> Box? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits) else { return nil }
        return unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue()
    }
}
