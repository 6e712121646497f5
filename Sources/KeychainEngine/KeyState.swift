// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
internal import KeychainStore

/// The keys an engine has in its hands, and the classes it keeps its hands off.
struct KeyState: Sendable {
    /// nil until they are first needed, and after a change of the database.
    var loaded: LoadedKeybag?
    var withheld: Set<Accessibility> = []
}

extension KeychainEngine {
    /// Locks classes in this engine: their keys are dropped, and wiped as soon as no operation under way holds them.
    ///
    /// An empty set unlocks; what is needed is then loaded again.
    package func withhold(_ classes: Set<Accessibility>) {
        keys.withLock { state in
            state.withheld = classes
            state.loaded = nil
        }
        // Idle lanes hold scheduled keys.
        readers.closeAll()
        writer.withLock { slot in
            if case .memory = location { return }
            slot.lane?.close()
            slot.lane = nil
        }
    }
}
