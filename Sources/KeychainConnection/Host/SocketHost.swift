// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainClient
package import KeychainCrypto
package import KeychainModel
package import KeychainRequest

/// A keychain that a daemon has.
package final class SocketHost: KeychainHost {
    package let service: SocketService

    package init(_ service: SocketService) { self.service = service }

    package func connection() throws(KeychainError) -> KeychainConnection {
        // The daemon knows who asks, whatever we would say.
        let caller = Caller(groups: [], seesEveryGroup: false, administersKeys: false, program: nil)
        return KeychainConnection(service: service, caller: caller, authentication: service, keybag: service)
    }

    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        try service.check(from: start)
    }

    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer { try service.audit(query) }

    package func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation {
        try ChangeObservation(service, observer)
    }

    /// What is kept for speed is the daemon's.
    package func rest() {}

    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        throw KeychainError(
            .duplicateKeychain, "the keychain is there already, and a daemon has it", subject: service.path)
    }
}
