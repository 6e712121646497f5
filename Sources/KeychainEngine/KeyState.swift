// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import KeychainStore

/// The keys an engine has in its hands, and the classes it keeps its hands off.
struct KeyState: Sendable {
    /// nil until they are first needed, and after a change of the database.
    var loaded: LoadedKeybag?
    /// The file they were loaded from; they serve no other.
    var file: FileIdentity?
    var withheld: Set<Accessibility> = []
}

extension KeychainEngine {
    /// Locks classes in this engine: when this returns, no operation uses their keys any more, and they are wiped.
    ///
    /// An empty set unlocks; what is needed is then loaded again.
    package func withhold(_ classes: Set<Accessibility>) {
        keys.withLock { state in
            state.withheld = classes
            state.loaded = nil
        }
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
