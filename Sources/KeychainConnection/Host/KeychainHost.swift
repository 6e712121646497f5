// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainCrypto
package import KeychainModel

/// Whoever has the keychain that a call is about: this process, or a daemon.
package protocol KeychainHost: AnyObject, Sendable {
    /// Who serves a call now.
    func connection() throws(KeychainError) -> KeychainConnection

    /// Examines the keychain; what comes back is what is wrong with it.
    func check() throws(KeychainError) -> [String]

    /// What its audit log says; the log's key goes nowhere.
    func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer

    /// Tells `observer` of changes from now on, until what comes back is ended or forgotten.
    func observe(_ observer: @escaping ChangeObservation.Observer) throws(KeychainError) -> ChangeObservation

    /// Lets go of what is kept for speed alone.
    func rest()

    /// Makes the keychain, which must not be there yet; returns the recovery key if one was wanted.
    func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey?
}
