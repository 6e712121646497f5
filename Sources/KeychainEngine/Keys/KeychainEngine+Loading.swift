// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore
internal import Synchronization

/// Fetching the keys that need nobody's passcode, and keeping those that needed one.
extension KeychainEngine {
    /// Lends the writer's connection, or one that is opened for it, to look at the keybag or to change it.
    func withKeybagConnection<Result>(
        forWriting: Bool, _ body: (Connection, FileIdentity?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        let outcome = writer.withLock { slot -> Outcome<Result, KeychainError> in
            do throws(KeychainError) {
                if slot.lane != nil, try isReplaced(&slot, forWriting: true) { slot = closed(slot) }
                if let lane = slot.lane { return Outcome(.success(try body(lane.connection, slot.file))) }
                let opened = try openKnown(forWriting: true)
                defer { if case .file = location { opened.connection.close() } }
                return Outcome(.success(try body(opened.connection, opened.file)))
            } catch { return Outcome(.failure(error)) }
        }
        return try outcome.result.get()
    }

    /// The keys in hand, if they are of this file, or the ones a connection finds in it.
    func keybag(
        with connection: Connection, of file: FileIdentity?, forWriting: Bool
    ) throws(KeychainError) -> LoadedKeybag {
        let keybag: LoadedKeybag
        if let loaded = keys.withLock({ $0.file == file ? $0.loaded : nil }) {
            keybag = loaded
        } else {
            let state = keys.withLock { $0 }
            keybag = try load(with: connection, of: file, holding: [state.held, state.arriving])
            keys.withLock { current in
                // Somebody may have locked or unlocked meanwhile; then these keys serve this call alone.
                guard current.epoch == state.epoch else { return }
                current.loaded = keybag
                current.file = file
                // Keys that the keybag has given up go.
                current.held = keybag.keys.isBeyondDevice ? keybag.keys : nil
            }
        }
        guard keybag.mayWrite || !forWriting else { throw KeychainError(.newerFormat, forWriting: true) }
        return keybag
    }

    private func load(
        with connection: Connection, of file: FileIdentity?, holding held: [UnlockedKeybag?]
    ) throws(KeychainError) -> LoadedKeybag {
        var stored = try storedKeybag(with: connection, of: file)
        let device: RootedEnclave
        do throws(KeychainError) { device = try enclave(of: stored.keybag.header) } catch {
            // Another process may be moving the keychain to another enclave just now.
            let again = try storedKeybag(with: connection, of: file)
            guard again.keybag.header != stored.keybag.header else { throw error }
            stored = again
            device = try enclave(of: again.keybag.header)
        }
        do throws(KeybagError) {
            var keys = try stored.keybag.opened(with: device.root)
            if leavesOver(stored, device.enclave) { hasLeftovers.store(true, ordering: .relaxed) }
            for held in held.compactMap(\.self) { keys = keys.adopting(held) }
            let row = stored.row
            return LoadedKeybag(keychain: row.keychain, keys: keys, version: row.version, mayWrite: row.mayWrite)
        } catch { throw KeychainError(error) }
    }
}
