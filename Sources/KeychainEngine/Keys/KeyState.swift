// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
internal import KeychainStore

/// The keys an engine has in its hands.
struct KeyState: Sendable {
    /// nil until they are first needed, and after a change of the database.
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
}

extension KeychainEngine {
    /// Locks: when this returns no operation uses the keys of classes that need an unlocked device, and they are wiped.
    ///
    /// First that, and then a look whether there is a passcode at all: whatever fails here, the keys are gone.
    package func lock() throws(KeychainError) {
        contexts.forgetPasscode()
        keys.withLock { state in
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
        refreshLanes()
        readers.waitForRetired()
        guard try keybag().keys.header.passcode != nil else {
            throw KeychainError(
                .notAvailable, "the keychain has no passcode, so it cannot be locked; set a passcode first")
        }
    }

    /// Gives every lane that waits the keys that are in hand now; those in use go with their operation.
    ///
    /// Without any, the lanes go. The keys are looked up once the lanes are ours: what another thread changes meanwhile
    /// it brings to the lanes itself, after us.
    func refreshLanes() {
        readers.renew { lane in adopt(lane) }
        writer.withLock { slot in
            if let lane = slot.lane, !adopt(lane) { slot = closed(slot) }
        }
    }

    private func adopt(_ lane: StoreLane) -> Bool {
        guard let keybag = keys.withLock({ $0.loaded }) else { return false }
        return (try? lane.adopt(keybag)) != nil
    }

    /// Lets go of every key, as the end of the program would.
    package func forgetKeys() {
        keys.withLock { $0.hold(nil) }
        dropLanes()
        readers.waitForRetired()
    }

    /// Lets go of every lane nobody uses, and of its scheduled keys.
    func dropLanes() {
        readers.retire()
        writer.withLock { $0 = closed($0) }
    }

    /// An empty slot in place of one that is no longer good.
    ///
    /// A keychain in memory keeps its connection, which is all there is of it.
    func closed(_ slot: LanePool.Slot) -> LanePool.Slot {
        if case .file = location { slot.lane?.close() }
        return slot.emptied()
    }
}
