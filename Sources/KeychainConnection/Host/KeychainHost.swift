// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainEnclave
package import KeychainEngine
package import KeychainModel

/// Whoever has the keychain that a call is about: this process, or a daemon.
package protocol KeychainHost: AnyObject, Sendable {
    /// Who serves a call now.
    func connection() throws(KeychainError) -> KeychainConnection

    /// The engine, for changes of the keys; throws where another process has it.
    func engine() throws(KeychainError) -> KeychainEngine

    /// Makes the keychain, which must not be there yet; returns the recovery key if one was wanted.
    func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey?
}
