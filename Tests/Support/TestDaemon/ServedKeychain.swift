// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Foundation
package import KeychainAudit
internal import KeychainClient
package import KeychainConnection
internal import KeychainCrypto
internal import KeychainDaemon
internal import KeychainEnclave
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest

/// A keychain behind a daemon's socket: the daemon is on threads of this process, and the way to it is the real one.
package final class ServedKeychain: Sendable {
    package let host: any KeychainHost
    /// Where it listens.
    package var path: String { folder + "/socket" }
    private let folder: String
    private let daemon: Daemon

    /// Serves a keychain to programs that have the entitlements it was made with, or given since.
    package init(_ keychain: EmbeddedHost, audit: AuditLog? = nil) throws {
        var template = Array("/tmp/llavero-socket-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NoSocket(code: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/socket"
        let listener = llv_peer_listen(path, 0o600, 16)
        guard listener >= 0 else { throw NoSocket(code: -listener) }
        let admit: @Sendable (Peer) -> AdmittedProgram? = { peer in
            AdmittedProgram(
                level: .none, image: peer.evidence.image?.path, explanation: "a test admits everybody", edition: 1
            ) { keychain.caller }
        }
        let rules = DaemonRules(edition: { 1 }, admit: admit)
        daemon = Daemon(
            listener: OwnedDescriptor(owning: listener),
            keychains: UserKeychains(only: UserKeychain(keychain, audit: audit)), rules: rules)
        host = ServedHost(SocketHost(SocketService(path: path, daemonUser: nil)), keychain)
        Thread.detachNewThread { [daemon] in daemon.run() }
    }

    deinit {
        daemon.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private struct NoSocket: Error {
        let code: Int32
    }
}

/// Calls go over the socket; what an administrator does, at the daemon's side of it.
private final class ServedHost: KeychainHost {
    private let socket: SocketHost
    private let keychain: EmbeddedHost

    init(_ socket: SocketHost, _ keychain: EmbeddedHost) {
        self.socket = socket
        self.keychain = keychain
    }

    func connection() throws(KeychainError) -> KeychainConnection { try socket.connection() }
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
