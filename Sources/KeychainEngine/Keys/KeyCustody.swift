// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore
internal import KeychainSystem
internal import Synchronization

/// The keys that an engine has in hand, and how it gets those that need no passcode.
///
/// The engine owns it, and it knows no other part. Its mutex is the innermost lock: no other one is taken inside it, and
/// nothing is waited for.
final class KeyCustody: Sendable {
    private struct State: Sendable {
        /// nil until keys are first needed, and after a change of the database.
        var loaded: LoadedKeybag?
        /// The file they were loaded from; they serve no other.
        var file: FileIdentity?
        /// What was opened with the passcode and is still open; outlives a change of the database.
        var held: UnlockedKeybag?
        /// Keys of a keybag that is being stored; until it is, nothing stored names them.
        var arriving: UnlockedKeybag?
        /// Counts locks and unlocks: keys that were fetched before one are not put in place after it.
        private(set) var epoch = 0

        /// Lets go of everything but `held`.
        mutating func hold(_ keys: UnlockedKeybag?) {
            held = keys
            loaded = nil
            epoch += 1
        }

        /// What is to be open after a change: another thread may have locked while it was made.
        func lockState(after before: Before) -> LockState {
            epoch == before.epoch ? before.lockState : held?.lockState ?? .beforeFirstUnlock
        }
    }

    private let home: any KeychainHome
    /// Who has the keychain when its keys may be loaded here.
    private let owner: String
    private let state = ForkSafeMutex(State())
    /// Whether something of a change that was cut short was seen.
    private let leftovers = Atomic(false)

    init(_ home: any KeychainHome, owner: String) {
        self.home = home
        self.owner = owner
    }

    // MARK: Loading

    /// The keys for work on a connection: those in hand if they are of its file, or the ones that are found there.
    func keybag(
        from sqlite: SQLiteConnection, of file: FileIdentity?, forWriting: Bool
    ) throws(KeychainError) -> LoadedKeybag {
        let keybag: LoadedKeybag
        if let loaded = state.withLock({ $0.file == file ? $0.loaded : nil }) {
            keybag = loaded
        } else {
            let before = state.withLock { $0 }
            keybag = try load(from: sqlite, of: file, adopting: [before.held, before.arriving])
            state.withLock { current in
                // Another thread may have locked or unlocked meanwhile; then these keys serve this call alone.
                guard current.epoch == before.epoch else { return }
                current.loaded = keybag
                current.file = file
                // Keys that the keybag has given up go.
                current.held = keybag.keys.isBeyondDevice ? keybag.keys : nil
            }
        }
        guard keybag.mayWrite || !forWriting else { throw KeychainError(StoreError.newerFormat(forWriting: true)) }
        return keybag
    }

    private func load(
        from sqlite: SQLiteConnection, of file: FileIdentity?, adopting others: [UnlockedKeybag?]
    ) throws(KeychainError) -> LoadedKeybag {
        var stored = try storedKeybag(in: sqlite, of: file)
        let device: RootedEnclave
        do throws(KeychainError) { device = try home.enclave(of: stored.keybag.header) } catch {
            // Another process may be moving the keychain to another enclave just now.
            let again = try storedKeybag(in: sqlite, of: file)
            guard again.keybag.header != stored.keybag.header else { throw error }
            stored = again
            device = try home.enclave(of: again.keybag.header)
        }
        var keys = try stored.opened(with: device)
        if stored.hasLeftovers(in: home, besides: device.enclave) { noteLeftovers() }
        for other in others.compactMap(\.self) { keys = keys.adopting(other) }
        return stored.loaded(keys)
    }

    /// The keybag that a connection finds stored.
    func storedKeybag(in sqlite: SQLiteConnection, of file: FileIdentity?) throws(KeychainError) -> StoredKeybag {
        try StoredKeybag(in: sqlite, of: file, owner: owner)
    }

    // MARK: Holding

    /// What was opened with the passcode and is still open.
    var held: UnlockedKeybag? { state.withLock { $0.held } }

    /// Lets go of the keys that were loaded: the next call loads the ones that are stored.
    func forgetLoaded() { state.withLock { $0.loaded = nil } }

    /// Lets go of the keys that were loaded, unless it was at this version of the database.
    func forgetLoaded(unlessOf version: Int32) {
        state.withLock { if $0.loaded?.version != version { $0.loaded = nil } }
    }

    /// Lets go of every key.
    func forget() { state.withLock { $0.hold(nil) } }

    /// Lets go of the keys of classes that need an unlocked device.
    func lock() {
        state.withLock { state in
            state.arriving = state.arriving.map { $0.limited(to: $0.lockState.locked) }
            let file = state.file
            let loaded = state.loaded.map { $0.limited(to: $0.keys.lockState.locked) }
            guard let held = state.held else {
                state.loaded = loaded
                return
            }
            state.hold(held.limited(to: held.lockState.locked))
            state.loaded = loaded
            state.file = file
        }
    }

    /// Gives a connection the keys in hand; false when there are none, or it cannot use them.
    func giveKeys(to connection: StoreConnection) -> Bool {
        guard let keybag = state.withLock({ $0.loaded }) else { return false }
        return (try? connection.adopt(keybag)) != nil
    }

    // MARK: Changing

    /// How far keys were open at some moment.
    struct Snapshot: Sendable {
        fileprivate let held: LockState?
        fileprivate let epoch: Int

        /// The moment before a change of the keybag with this header.
        func before(_ header: KeybagHeader) -> Before {
            Before(lockState: header.passcode == nil ? .unlocked : held ?? .beforeFirstUnlock, epoch: epoch)
        }

        /// The moment before a change after which everything is open.
        var beforeUnlocking: Before { Before(lockState: .unlocked, epoch: epoch) }
    }

    /// How far keys were open before a change, and when that was.
    struct Before: Sendable {
        fileprivate let lockState: LockState
        fileprivate let epoch: Int
    }

    var snapshot: Snapshot { state.withLock { Snapshot(held: $0.held?.lockState, epoch: $0.epoch) } }

    /// Stores a keybag by `body`, and has its keys at hand for those who read it the moment it is stored.
    func arriving<Result>(
        _ keys: UnlockedKeybag, after before: Before, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        state.withLock { $0.arriving = keys.limited(to: $0.lockState(after: before)) }
        defer { state.withLock { $0.arriving = nil } }
        return try body()
    }

    /// Takes all keys of a stored keybag into use.
    func unlock(_ keys: UnlockedKeybag, of stored: StoredKeybag) { use(keys, of: stored) { _ in .unlocked } }

    /// Takes the keys of a stored keybag into use, as far as they were open before it was stored.
    func use(_ keys: UnlockedKeybag, of stored: StoredKeybag, after before: Before) {
        use(keys, of: stored) { $0.lockState(after: before) }
    }

    private func use(_ keys: UnlockedKeybag, of stored: StoredKeybag, _ lockState: (State) -> LockState) {
        state.withLock { current in
            let keys = keys.limited(to: lockState(current))
            current.hold(keys.isBeyondDevice ? keys : nil)
            current.loaded = stored.loaded(keys)
            current.file = stored.file
        }
    }

    // MARK: Leftovers

    /// Remembers that something of a change that was cut short is left, for `takeLeftovers`.
    func noteLeftovers() { leftovers.store(true, ordering: .relaxed) }

    /// Whether something is left.
    var hasLeftovers: Bool { leftovers.load(ordering: .relaxed) }

    /// The same, asked by the one who cleans: the next one is told of it no more.
    func takeLeftovers() -> Bool { leftovers.exchange(false, ordering: .relaxed) }
}
