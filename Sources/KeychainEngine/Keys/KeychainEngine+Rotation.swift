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
            let whole = try opened.whole
            let keys: UnlockedKeybag
            var replacement: KeybagReplacement
            do throws(KeybagError) {
                keys = try whole.nextGeneration()
                replacement = KeybagReplacement(try opened.sealed(keys))
            } catch { throw KeychainError(error) }
            replacement.keepsOld = keepsOld
            try store(replacement, keys, after: opened, turn)
        }
    }

    /// Seals again what is sealed under earlier generations, and gives up the keys that nothing needs any more.
    ///
    /// `progress` hears after every batch how many items of how many were looked at; false stops, and the next call goes
    /// on from there. Not to be called inside an operation: a fork would wait for the end of it.
    package func reseal(progress: (_ done: Int, _ total: Int) -> Bool) throws(KeychainError) {
        guard try keybag().keys.hasEarlierGenerations else { return }
        guard try pass(progress) else { return }
        try retireKeys()
        guard try keybag().keys.hasEarlierGenerations else { return }
        // A pass that was begun while something was locked may have left rows behind: once more from the beginning.
        try write { (lane) throws(StoreError) in try lane.restartResealing() }
        if try pass(progress) { try retireKeys() }
    }

    /// Goes through all rows; false when it was told to stop.
    private func pass(_ progress: (_ done: Int, _ total: Int) -> Bool) throws(KeychainError) -> Bool {
        let total = try read { (lane) throws(StoreError) in try lane.rowCount() }
        var done = 0
        while true {
            let step = try write { (lane) throws(StoreError) in try lane.reseal(atMost: 256) }
            done += step.examined
            if step.isAtEnd { return progress(total, total) }
            guard progress(min(done, total), total) else { return false }
        }
    }

    /// Drops class keys of earlier generations that no row needs.
    private func retireKeys() throws(KeychainError) {
        let before = self.keys.withLock { $0 }
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            let locked = try storedKeybag().keybag
            let names = locked.earlierNames
            let unused = try read { (lane) throws(StoreError) in try lane.unused(names) }
            if unused.isEmpty { return }
            let keys = try keybag().keys.dropping(unused)
            var replacement = KeybagReplacement(locked.dropping(unused))
            replacement.retiring = unused
            try store(replacement, keys, after: OpenedKeybag.Before(before, locked.header), turn)
        }
    }
}
