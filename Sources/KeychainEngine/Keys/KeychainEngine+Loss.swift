// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
package import KeychainModel
internal import KeychainStore

/// What can be told of a keychain whose device key does not open it: its keybag's header is no secret.
extension KeychainEngine {
    /// nil where the device key opens it, as far as that needs no passcode.
    package func deviceLoss() throws(KeychainError) -> DeviceLoss? {
        let stored = try storedKeybag()
        let header = stored.keybag.header
        let cause: KeychainError
        do throws(KeychainError) {
            let device = try enclave(of: header)
            do throws(KeybagError) { _ = try stored.keybag.opened(with: device.root) } catch {
                throw KeychainError(error)
            }
            return nil
        } catch { cause = error }
        return DeviceLoss(
            cause: cause, enclave: header.enclave, isExposed: isExposed(header), hadPasscode: header.passcode != nil,
            hasRecoveryKey: header.recovery != nil, generation: header.generation, format: stored.row.format)
    }

    /// Whether the device key is there, and refused because others could read or replace it.
    private func isExposed(_ header: KeybagHeader) -> Bool {
        do throws(EnclaveError) { _ = try placedEnclave(of: header) } catch { return error == .exposed }
        return false
    }

    /// How many items no key opens any more, of a keychain that is not locked.
    func lostItems() throws(KeychainError) -> Int {
        try read { (lane) throws(StoreError) in try lane.lostItems() }
    }
}

/// Why the device key of a keychain does not open it, and what there was.
package struct DeviceLoss: Sendable {
    package let cause: KeychainError
    package let enclave: EnclaveKind
    /// It is not lost: others could read or replace it, and until they cannot it is not used.
    package let isExposed: Bool
    package let hadPasscode: Bool
    package let hasRecoveryKey: Bool
    package let generation: UInt32
    package let format: Int64
}
