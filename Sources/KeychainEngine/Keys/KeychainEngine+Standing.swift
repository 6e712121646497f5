// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

extension KeychainEngine {
    package func standing() throws(KeychainError) -> KeychainStanding {
        let keys = try keybag().keys
        let stored = try storedKeybag()
        let header = stored.keybag.header
        let enclave = try enclave(of: header).enclave
        var gate: GateStanding?
        do throws(EnclaveError) {
            if let passcode = header.passcode { gate = try enclave.gates().first { $0.id == passcode.gate } }
        } catch { throw KeychainError(error, of: header.enclave, hasRecoveryKey: header.recovery != nil) }
        return KeychainStanding(
            lockState: keys.lockState, enclave: enclave.description(), eraseAfter: header.eraseAfterAttempts,
            attempts: KeychainStanding.Attempts(
                failures: gate?.failures ?? 0,
                wait: gate.map { AttemptDelay.remaining(of: $0, at: surroundings.clock()) } ?? 0,
                isErased: gate?.isErased ?? false),
            hasRecoveryKey: header.recovery != nil, generation: header.generation,
            isResealing: keys.hasEarlierGenerations, damagedClasses: keys.missingClasses, format: stored.row.format)
    }
}
