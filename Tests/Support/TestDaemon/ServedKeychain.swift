// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainCrypto
internal import KeychainDaemon
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTransport

/// A keychain behind a daemon's socket: the daemon is on threads of this process, and the way to it is the real one.
package final class ServedKeychain: Sendable {
    package let host: any KeychainHost
    /// Where it listens.
    package var path: String { daemon.path }
    private let daemon: ServedDaemon

    /// Serves a keychain to programs that have the entitlements it was made with, or given since.
    package init(_ keychain: EmbeddedHost, audit: AuditLog? = nil) throws {
        daemon = try ServedDaemon(UserKeychains(only: UserKeychain(keychain, audit: audit))) { keychain.caller }
        host = ServedHost(daemon.client(), keychain)
    }
}

/// Calls go over the socket; what an administrator does, at the daemon's side of it.
private final class ServedHost: KeychainHost {
    private let socket: SocketSession
    private let keychain: EmbeddedHost

    init(_ socket: SocketSession, _ keychain: EmbeddedHost) {
        self.socket = socket
        self.keychain = keychain
    }

    func session() throws(KeychainError) -> any KeychainSession { socket }
    func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart { try socket.check(from: start) }
    func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer { try socket.audit(query) }

    func observe(
        _ observer: @escaping ChangeObservation.Observer
    ) throws(KeychainError) -> ChangeObservation { try socket.observe(observer) }

    func rest() {}

    func create(in enclave: EnclaveKind, makesRecoveryKey: Bool) throws(KeychainError) -> RecoveryKey? {
        try keychain.create(in: enclave, makesRecoveryKey: makesRecoveryKey)
    }
}
