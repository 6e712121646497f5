// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import KeychainModel
package import KeychainRequest

/// A keychain that its device key does not open, whoever has it.
extension HandoverHost {
    /// Why its device key does not open the keychain that lies here, also where a daemon has it; nil where it does, and where
    /// that cannot be told from here.
    package func deviceLoss() -> DeviceLoss? {
        // The engine of the other owner says that somebody else has it.
        for host in [embedded, DaemonHost.successor(at: embedded.place)] {
            guard let engine = try? host.holdsDatabase ? host.engine() : nil else { continue }
            if let loss = try? engine.deviceLoss() { return loss }
        }
        return nil
    }

    /// Opens it with the recovery key, and hangs it on a new enclave of this machine.
    ///
    /// A daemon does it that has the keychain open. One that cannot open it does not hold it either: then this process does it
    /// in the daemon's place, under its lock.
    package func recover(
        with seed: SecretValue, into kind: EnclaveKind, passcode: Passcode?
    ) throws(KeychainError) -> KeybagReply {
        let request = KeybagRequest.recover(seed, into: kind, passcode: passcode)
        guard try embedded.holdsDatabase, embedded.isFreeOfDaemons, deviceLoss() != nil else {
            let keychain = try connection()
            return try keychain.keybag.perform(request, from: keychain.caller)
        }
        return try DaemonHost.withLock(on: embedded.place) { () throws(KeychainError) in
            let host = embedded.isHandedOver ? DaemonHost.successor(at: embedded.place) : embedded
            return try host.engine().perform(request, from: embedded.caller)
        }
    }
}
