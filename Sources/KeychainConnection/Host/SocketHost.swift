// SPDX-License-Identifier: Apache-2.0

package import KeychainClient
package import KeychainCrypto
package import KeychainEnclave
package import KeychainEngine
package import KeychainModel
internal import KeychainRequest

/// A keychain that a daemon has.
package final class SocketHost: KeychainHost {
    package let service: SocketService

    package init(_ service: SocketService) { self.service = service }

    package func connection() throws(KeychainError) -> KeychainConnection {
        // The daemon knows who asks, whatever we would say.
        let caller = Caller(groups: [], seesEveryGroup: false, program: nil)
        return KeychainConnection(service: service, caller: caller, authentication: service)
    }

    package func engine() throws(KeychainError) -> KeychainEngine { throw SocketHost.elsewhere }

    package func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        throw SocketHost.elsewhere
    }

    private static let elsewhere = KeychainError(
        .notAvailable,
        "a daemon has the keys of this keychain; stop llaverod, and give the keychain back, to change them")
}
