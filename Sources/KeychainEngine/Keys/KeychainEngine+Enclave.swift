// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

/// Which enclave a keybag hangs on.
extension KeychainEngine {
    /// The enclave a keybag hangs on, and its root.
    ///
    /// After a recovery that was cut short at its very end, that is the one that was made beside the old one.
    func enclave(of header: KeybagHeader) throws(KeychainError) -> RootedEnclave {
        do throws(EnclaveError) {
            do throws(EnclaveError) {
                let device = try placedEnclave(of: header)
                if device.root.binding == header.enclaveBinding { return device }
            } catch { guard error == .missing else { throw error } }
            // Another process may have given the pending one its place between two of our looks.
            return try placedEnclave(of: header)
        } catch { throw KeychainError(error, of: header.enclave, hasRecoveryKey: header.recovery != nil) }
    }

    func placedEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave {
        do throws(EnclaveError) {
            let enclave = try home.enclave(header.enclave)
            let device = RootedEnclave(enclave, try enclave.deviceRoot())
            if device.root.binding == header.enclaveBinding { return device }
            return try pendingEnclave(of: header) ?? device
        } catch {
            do throws(EnclaveError) { if let pending = try pendingEnclave(of: header) { return pending } } catch {}
            throw error
        }
    }

    /// The same, in the owner's turn: an enclave that took over and did not get its place gets it now.
    func settledEnclave(of stored: StoredKeybag, _ turn: borrowing OwnersTurn) throws(KeychainError) -> RootedEnclave {
        let header = stored.keybag.header
        let device = try enclave(of: header)
        guard device.isPending, isConfirmed(stored) else { return device }
        do throws(EnclaveError) { try home.settlePendingEnclave(header.enclave, turn) } catch { return device }
        return try enclave(of: header)
    }

    private func pendingEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave? {
        guard let enclave = home.pendingEnclave(header.enclave) else { return nil }
        let device = RootedEnclave(enclave, try enclave.deviceRoot(), isPending: true)
        return device.root.binding == header.enclaveBinding ? device : nil
    }
}
