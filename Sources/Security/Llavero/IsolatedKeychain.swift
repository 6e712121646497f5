// SPDX-License-Identifier: Apache-2.0

// The two `use` differ in being asynchronous, which tells a trailing closure's reader enough.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

package import KeychainConnection
internal import KeychainCrypto
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

/// A keychain for tests: a fresh one that vanishes with the object, or one in a folder the test keeps.
///
/// Its clock and the program's entitlements are simulated; the rest is real. Trying a passcode costs next to nothing, so
/// it protects no real secrets.
///
/// ```swift
/// let keychain = try IsolatedKeychain(.inMemory, entitlements: Entitlements(keychainAccessGroups: ["team.app"]))
/// keychain.use { SecItemAdd(item, nil) }
/// ```
public final class IsolatedKeychain: Sendable {
    /// Where an isolated keychain keeps its items.
    @frozen public enum Storage: Sendable {
        /// In memory; nothing reaches a disk.
        case inMemory
        /// In a folder of its own below the system's temporary one, removed at the end.
        case temporaryFolder
        /// In a folder that stays; made if it is not there, opened if it is.
        case folder(URL)
    }

    /// What guards the device's own key.
    @frozen public enum Hardware: Sendable {
        /// Memory or a file.
        case software
        /// A TPM, mostly a `swtpm:path=…`; for keychains in folders.
        case tpm(connection: String)
    }

    /// The lock states a device goes through.
    @frozen public enum LockState: Sendable {
        /// Every class can be read.
        case unlocked
        /// Items that need an unlocked device cannot be read.
        case locked
        /// Only items that are always accessible can be read.
        case beforeFirstUnlock
    }

    package let host: EmbeddedHost
    /// By whom calls reach it; nil while they do so directly.
    private let server = ForkSafeMutex<(any KeychainHost)?>(nil)
    private let clock: SimulatedClock
    private let temporary: TemporaryRoot?

    /// Makes a keychain and the program that uses it.
    public init(
        _ storage: Storage = .inMemory,
        entitlements: Entitlements = Entitlements(keychainAccessGroups: ["llavero.open"]),
        hardware: Hardware = .software, person: ScriptedPerson? = nil
    ) throws {
        let clock = SimulatedClock()
        let place: Place
        switch storage {
        case .inMemory:
            temporary = nil
            place = .memory
        case .temporaryFolder:
            let root = try LlaveroError.translating { () throws(KeychainError) in try TemporaryRoot() }
            temporary = root
            place = .folder(root: root.path, name: "login")
        case .folder(let url):
            temporary = nil
            place = .folder(root: url.path, name: "login")
        }
        self.clock = clock
        let plan = hardware.plan
        host = EmbeddedHost(
            place: place, entitlements: entitlements.program, clock: { clock.now }, passcodeCost: .light,
            authenticators: person?.authenticators ?? .none, tpm: { () throws(KeychainError) in plan.tpm },
            plan: { () throws(KeychainError) in plan })
    }

    deinit {
        host.closeIdle()
        temporary?.remove()
    }

    /// What the program declares; a change counts from the next call on.
    public var entitlements: Entitlements {
        get { Entitlements(host.entitlements) }
        set { host.entitlements = newValue.program }
    }

    /// The lock state of a device with this keychain.
    ///
    /// A keychain without a passcode, which could not be locked, gets `devicePasscode` first. What cannot be done with
    /// that passcode is not done, and said on standard error.
    public var lockState: LockState {
        get {
            let state = ForkGate.operation { try? host.engine().state().lockState }
            return state.map(LockState.init) ?? .beforeFirstUnlock
        }
        set {
            do throws(KeychainError) { try enter(newValue) } catch { Log.write("IsolatedKeychain: \(error)") }
        }
    }

    /// The passcode that `lockState` sets and gives.
    public static let devicePasscode = "the passcode of an isolated keychain"

    /// Lets go of all keys and connections, as the end of the program and another start would.
    public func reopen() {
        host.forgetKeys()
        host.closeIdle()
    }

    /// Stops the clock at a date; it then moves only when told to.
    public func setClock(_ date: Date) { clock.set(date.timeIntervalSinceReferenceDate) }

    /// Moves the clock, stopping it first if it still runs.
    public func advanceClock(by seconds: TimeInterval) { clock.advance(by: seconds) }

    /// The folder with the keychain's files; nil in memory.
    public var folder: URL? { host.folder.map { URL(fileURLWithPath: $0, isDirectory: true) } }

    /// Sends calls to another host of the keychain from now on.
    package func reach(through host: any KeychainHost) { server.withLock { $0 = host } }

    private var reached: any KeychainHost { server.withLock { $0 } ?? host }

    /// Runs code whose calls act on this keychain, in this task and in tasks it starts, but not on other threads.
    public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try CurrentKeychain.$isolated.withValue(reached, operation: body)
    }

    /// Runs asynchronous code whose calls act on this keychain, in this task and in tasks it starts.
    public func use<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentKeychain.$isolated.withValue(reached, operation: body)
    }

    /// Examines every invariant of the keychain; what comes back is what is wrong with it.
    public func check() throws -> [String] {
        try LlaveroError.translating { () throws(KeychainError) in
            try ForkGate.operation { () throws(KeychainError) in try host.check() }
        }
    }
}

extension IsolatedKeychain {
    /// Makes a keychain and has every call of this test run act on it: of every thread, queue and task, and of every
    /// `LAContext`, also one that was made before, in a property's initial value.
    ///
    /// ```swift
    /// enum TestKeychain {
    ///     static let installed: Void = try! IsolatedKeychain.installForProcess(
    ///         passcode: "1234", person: ScriptedPerson(usually: .types("1234")))
    /// }
    /// ```
    ///
    /// A suite says `_ = TestKeychain.installed` where it begins: in `init` with Swift Testing, in
    /// `override class func setUp()` with XCTest. `use` still puts another keychain before it for a task.
    ///
    /// It is for test runs, where calls go to a fresh keychain in memory anyway; anywhere else it throws
    /// ``errSecNotAvailable``, since a program that ran so would lose whatever it stores. There is one for a process: to
    /// install a second one throws ``errSecDuplicateItem``, so keep what the first call returns.
    ///
    /// - Parameters:
    ///   - storage: Where its items are kept.
    ///   - entitlements: What the program declares.
    ///   - passcode: The keychain's passcode; nil for a keychain without one.
    ///   - person: Who answers when an item requires authentication; nil when no prompt is possible.
    @discardableResult
    public static func installForProcess(
        _ storage: Storage = .inMemory,
        entitlements: Entitlements = Entitlements(keychainAccessGroups: ["llavero.open"]),
        passcode: String? = nil, person: ScriptedPerson? = nil
    ) throws -> IsolatedKeychain {
        guard ProcessHost.isTestRun else {
            throw LlaveroError(
                KeychainError(
                    .notAvailable,
                    "an isolated keychain can be installed for a whole process in test runs only: its items would be lost in this program"
                ))
        }
        let keychain = try IsolatedKeychain(storage, entitlements: entitlements, person: person)
        if let passcode {
            let passcode = try Llavero.Passcode(passcode)
            try keychain.use { try Llavero.keybag.setPasscode(passcode, erasingAfter: nil) }
        }
        try LlaveroError.translating { () throws(KeychainError) in
            try CurrentKeychain.install(keychain.host, keeping: keychain)
        }
        return keychain
    }
}

extension IsolatedKeychain {
    private func enter(_ state: LockState) throws(KeychainError) {
        try ForkGate.operation { () throws(KeychainError) in
            let engine = try host.engine()
            let text = IsolatedKeychain.devicePasscode.utf8
            guard let passcode = unsafe Passcode(count: text.count, filling: { unsafe $0.copyBytes(from: text) })
            else { return }
            var current = try engine.state().lockState
            if current == .noPasscode {
                if state == .unlocked { return }
                try engine.setPasscode(passcode, eraseAfter: 0)
                current = .unlocked
            }
            switch state {
            case .unlocked: if current != .unlocked { try engine.unlock(with: passcode) }
            case .locked:
                if current == .beforeFirstUnlock { try engine.unlock(with: passcode) }
                try engine.lock()
            case .beforeFirstUnlock: engine.forgetKeys()
            }
        }
    }
}

extension IsolatedKeychain.LockState {
    init(_ state: KeychainModel.LockState) {
        switch state {
        case .noPasscode, .unlocked: self = .unlocked
        case .locked: self = .locked
        case .beforeFirstUnlock: self = .beforeFirstUnlock
        }
    }
}

extension IsolatedKeychain.Hardware {
    var plan: CreationPlan {
        switch self {
        case .software: CreationPlan()
        case .tpm(let connection): CreationPlan(enclave: .tpm, tpm: connection)
        }
    }
}
