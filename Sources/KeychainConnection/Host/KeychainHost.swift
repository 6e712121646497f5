// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainTransport

/// This process's handle on one keychain, whether the keychain is there or not: who serves it, and what is done with it
/// as a whole.
///
/// A session is what one program does with the items and keys in it, and a host gives the program its session. They are
/// two, because a host has sessions of several programs in a daemon, and of several callers in a tool. A daemon's client is
/// both: the daemon at the end of the socket tells programs apart.
package protocol KeychainHost: AnyObject, Sendable {
    /// The session of this program, as it declares itself; kept, so that it costs little to ask for it.
    func session() throws(KeychainError) -> any KeychainSession

    /// Examines a part of the keychain, the first before there is a position.
    func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart

    /// What its audit log says; the log's key goes nowhere.
    func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer

    /// Tells `observer` of changes from now on, until what comes back is ended or forgotten.
    func observe(_ observer: @escaping ChangeObservation.Observer) throws(KeychainError) -> ChangeObservation

    /// Lets go of what is kept for speed alone.
    func rest()

    /// Makes the keychain, which must not be there yet; returns the recovery key if one was wanted.
    func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey?
}

extension KeychainHost {
    /// Examines all of the keychain, part by part; `progress` is told how many rows are done, and of how many.
    ///
    /// What comes back is what is wrong with it, and how many rows could not be looked into because they are locked.
    package func check(
        _ progress: (Int, Int) -> Void
    ) throws(KeychainError) -> (findings: [String], locked: Int) {
        var (findings, locked, rows): ([String], Int, Int) = ([], 0, 0)
        var start: CheckPosition?
        repeat {
            let part = try check(from: start)
            findings += part.findings
            locked += part.locked
            rows += part.rows
            progress(rows, part.total)
            start = part.next
        } while start != nil
        return (findings, locked)
    }

    /// What is wrong with the keychain.
    package func check() throws(KeychainError) -> [String] { try check { _, _ in }.findings }
}

/// A keychain that a daemon has.
extension SocketSession: KeychainHost {
    package func session() throws(KeychainError) -> any KeychainSession { self }

    package func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation {
        try ChangeObservation(self, observer)
    }

    /// What is kept for speed is the daemon's.
    package func rest() {}

    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        throw KeychainError(
            .duplicateKeychain, "the keychain already exists, and a daemon serves it", subject: path)
    }
}
