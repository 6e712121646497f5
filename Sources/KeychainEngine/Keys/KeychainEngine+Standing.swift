// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// How a keychain stands: everything that can be told without a passcode.
package struct KeychainStanding: Sendable {
    package let lockState: LockState
    package let enclave: EnclaveDescription
    package let cost: PasscodeCost?
    package let eraseAfter: UInt32
    /// Wrong passcodes in a row, and the seconds until the next may be tried.
    package let failures: UInt32
    package let wait: UInt32
    package let isErased: Bool
    package let hasRecoveryKey: Bool
    package let generation: UInt32
    /// Whether items may be left that are sealed under an earlier generation.
    package let isResealing: Bool
    /// Classes whose key is damaged.
    package let damagedClasses: [Accessibility]
    package let format: Int64
}

extension KeychainEngine {
    package func standing() throws(KeychainError) -> KeychainStanding {
        let keys = try keybag().keys
        let stored = try storedKeybag()
        let header = stored.keybag.header
        let enclave = try enclave(of: header).enclave
        var gate: GateStanding?
        do throws(EnclaveError) {
            if let passcode = header.passcode { gate = try enclave.gates().first { $0.id == passcode.gate } }
        } catch { throw KeychainError(error, of: header.enclave) }
        return KeychainStanding(
            lockState: keys.lockState, enclave: enclave.description(), cost: header.passcode?.cost,
            eraseAfter: header.eraseAfterAttempts, failures: gate?.failures ?? 0,
            wait: gate.map { AttemptDelay.remaining(of: $0, at: surroundings.clock()) } ?? 0,
            isErased: gate?.isErased ?? false, hasRecoveryKey: header.recovery != nil, generation: header.generation,
            isResealing: keys.hasEarlierGenerations, damagedClasses: keys.missingClasses, format: stored.row.format)
    }
}
