// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

extension KeychainEngine {
    /// Mends the passcode's factors: makes one where there is none, and gives up what is damaged.
    func mendPasscodeFactors(_ passcode: Passcode, _ order: WorkOrder) throws(KeychainError) {
        try withOpenedKeybag(.passcode(passcode), order) { (opened, turn) throws(KeychainError) in
            if opened.keys.hasWholeFactors { return }
            let next: UnlockedKeybag
            do throws(CryptoError) { next = try opened.keys.withWholeFactors() } catch { throw KeychainError(error) }
            var replacement: KeybagReplacement
            do throws(KeybagError) { replacement = KeybagReplacement(try opened.sealed(next)) } catch {
                throw KeychainError(error)
            }
            replacement.keepsOld = opened.keys.header.passcodeFactors != opened.keys.passcodeFactors.map(\.publicKey)
            try store(replacement, next, after: opened, turn)
        }
    }
}
