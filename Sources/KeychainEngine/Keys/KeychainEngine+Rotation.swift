// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// New class keys for what is sealed from now on, and the sealing-again of what was.
extension KeychainEngine {
    /// Starts a new generation of class keys; old items stay readable and are sealed again little by little.
    package func rotateKeys(_ authorization: KeybagAuthorization) throws(KeychainError) {
        try startGeneration(authorization, keepsOld: false)
    }

    /// With `keepsOld`, because class keys are damaged: the old keybag stays in the quarantine, and nothing happens when
    /// a second look finds it whole.
    func startGeneration(_ authorization: KeybagAuthorization, keepsOld: Bool) throws(KeychainError) {
        try withOpenedKeybag(authorization) { (opened, turn) throws(KeychainError) in
            // A record that was unreadable a moment ago may be readable now; then nothing is wrong.
            if keepsOld, opened.keys.missingClasses.isEmpty { return }
            let keys: UnlockedKeybag
            var replacement: KeybagReplacement
            do throws(KeybagError) {
                keys = try opened.keys.nextGeneration()
                replacement = KeybagReplacement(try opened.sealed(keys))
            } catch { throw KeychainError(error) }
            replacement.keepsOld = keepsOld
            try store(replacement, keys, in: opened.state, turn)
        }
    }

    /// Seals again what is sealed under earlier generations, and gives up the keys that nothing needs any more.
    ///
    /// `progress` hears after every batch how many items of how many were looked at; false stops, and the next call goes
    /// on from there.
    package func reseal(progress: (_ done: Int, _ total: Int) -> Bool) throws(KeychainError) {
        guard try keybag().keys.hasEarlierGenerations else { return }
        guard try keybag().keys.isComplete else {
            throw KeychainError(.interactionNotAllowed, "the keychain is locked; unlock it to seal its items again")
        }
        let total = try read { (lane) throws(StoreError) in try lane.rowCount() }
        var done = 0
        while true {
            let step = try write { (lane) throws(StoreError) in try lane.reseal(atMost: 256) }
            done += step.examined
            if step.isAtEnd { break }
            guard progress(min(done, total), total) else { return }
        }
        try retireKeys()
        _ = progress(total, total)
    }

    /// Drops class keys of earlier generations that no row needs.
    private func retireKeys() throws(KeychainError) {
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let locked = try storedKeybag().keybag
            let names = locked.earlierNames
            let unused = try read { (lane) throws(StoreError) in try lane.unused(names) }
            if unused.isEmpty { return }
            let keys = try keybag().keys.dropping(unused)
            try store(KeybagReplacement(locked.dropping(unused)), keys, in: keys.lockState, turn)
        }
    }
}
