// SPDX-License-Identifier: Apache-2.0

// The two `use` differ in being asynchronous, which tells a trailing closure's reader enough.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import Foundation
internal import KeychainConnection
internal import KeychainModel

/// A fresh keychain that nobody else uses, for tests: its clock, its lock state and the program's entitlements are
/// simulated, and it vanishes with the object.
///
/// ```swift
/// let keychain = try IsolatedKeychain(.inMemory, entitlements: Entitlements(keychainAccessGroups: ["team.app"]))
/// keychain.use { SecItemAdd(item, nil) }
/// ```
public final class IsolatedKeychain: Sendable {
    /// Where an isolated keychain keeps its items.
    public enum Storage: Sendable {
        /// In memory; nothing reaches a disk.
        case inMemory
        /// In a folder of its own below the system's temporary one, removed at the end.
        case temporaryFolder
    }

    /// The lock states a device goes through.
    public enum LockState: Sendable {
        /// Every class can be read.
        case unlocked
        /// Items that need an unlocked device cannot be read.
        case locked
        /// Only items that are always accessible can be read.
        case beforeFirstUnlock
    }

    private let host: EmbeddedHost
    private let clock: SimulatedClock
    private let temporary: TemporaryRoot?
    private let lock = ForkSafeMutex(LockState.unlocked)

    /// Makes a keychain and the program that uses it.
    public init(
        _ storage: Storage = .inMemory,
        entitlements: Entitlements = Entitlements(keychainAccessGroups: ["llavero.open"])
    ) throws {
        let clock = SimulatedClock()
        let place: Place
        do throws(KeychainError) {
            switch storage {
            case .inMemory:
                temporary = nil
                place = .memory
            case .temporaryFolder:
                let root = try TemporaryRoot()
                temporary = root
                place = .folder(root: root.path, name: "login")
            }
        } catch { throw LlaveroError(error) }
        self.clock = clock
        host = EmbeddedHost(place: place, entitlements: entitlements.program) { clock.now }
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

    /// The simulated lock state.
    public var lockState: LockState {
        get { lock.withLock { $0 } }
        set {
            lock.withLock { $0 = newValue }
            switch newValue {
            case .unlocked: host.withhold([])
            case .locked:
                host.withhold([.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly])
            case .beforeFirstUnlock:
                host.withhold(Set(Accessibility.allCases).subtracting([.always, .alwaysThisDeviceOnly]))
            }
        }
    }

    /// Stops the clock at a date; it then moves only when told to.
    public func setClock(_ date: Date) { clock.set(date.timeIntervalSinceReferenceDate) }

    /// Moves the clock, stopping it first if it still runs.
    public func advanceClock(by seconds: TimeInterval) { clock.advance(by: seconds) }

    /// The folder with the keychain's files; nil in memory.
    public var folder: URL? { host.folder.map { URL(fileURLWithPath: $0, isDirectory: true) } }

    /// Runs code whose calls act on this keychain, in this task and in tasks it starts, but not on other threads.
    public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try KeychainConnection.$isolated.withValue(host, operation: body)
    }

    /// Runs asynchronous code whose calls act on this keychain, in this task and in tasks it starts.
    public func use<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await KeychainConnection.$isolated.withValue(host, operation: body)
    }

    /// Examines every invariant of the keychain; what comes back is what is wrong with it.
    public func check() throws -> [String] {
        do throws(KeychainError) { return try host.check() } catch { throw LlaveroError(error) }
    }
}
