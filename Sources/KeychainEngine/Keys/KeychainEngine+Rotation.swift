// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// New class keys for what is sealed from now on, and the sealing-again of what was.
extension KeychainEngine {
    /// Starts a new generation of class keys; old items stay readable and are sealed again little by little.
    package func rotateKeys(
        _ authorization: KeybagAuthorization, _ order: WorkOrder = .own
    ) throws(KeychainError) {
        try startGeneration(authorization, order, keepsOld: false)
    }

    /// With `keepsOld`, because class keys are damaged: the old keybag stays in the quarantine, and nothing happens when
    /// a second look finds it whole.
    func startGeneration(
        _ authorization: KeybagAuthorization, _ order: WorkOrder, keepsOld: Bool
    ) throws(KeychainError) {
        try withOpenedKeybag(authorization, order) { (opened, turn) throws(KeychainError) in
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

    /// Seals some items again that are sealed under earlier generations; with the last one, gives up the keys that nothing
    /// needs any more.
    ///
    /// The next call goes on from there. A round that was begun while something was locked may leave items behind, and is
    /// made once more from the beginning.
    func reseal(isSecondRound: Bool) throws(KeychainError) -> ResealingProgress {
        guard try keybag().keys.hasEarlierGenerations else {
            return ResealingProgress(examined: 0, total: 0, end: .ofAll)
        }
        let total = try read { (lane) throws(StoreError) in try lane.rowCount() }
        let step = try write { (lane) throws(StoreError) in try lane.reseal(atMost: 256) }
        var end = ResealingProgress.End.notYet
        if step.isAtEnd {
            try retireKeys()
            let isLeft = try keybag().keys.hasEarlierGenerations
            end = isLeft && !isSecondRound ? .ofRound : .ofAll
            if end == .ofRound { try write { (lane) throws(StoreError) in try lane.restartResealing() } }
        }
        return ResealingProgress(examined: step.examined, total: total, end: end)
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
