// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Foundation
package import KeychainDaemon
internal import KeychainIdentity
package import KeychainRequest
internal import KeychainSystem
package import KeychainTransport

/// A daemon on threads of this process that serves whoever comes; the way to it is the real one.
package final class ServedDaemon: Sendable {
    /// Where it listens.
    package var path: String { folder + "/socket" }
    private let folder: String
    private let daemon: Daemon

    /// Serves keychains to programs each of which is `caller`; with `agents`, as the system's daemon does, and whoever comes may
    /// be an agent.
    package init(
        _ keychains: UserKeychains, agents: PromptAgents? = nil, _ caller: @escaping @Sendable () -> Caller
    ) throws {
        var template = Array("/tmp/llavero-socket-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NoSocket(code: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let listener = llv_peer_listen(folder + "/socket", 0o600, 16)
        guard listener >= 0 else { throw NoSocket(code: -listener) }
        let admit: @Sendable (Peer) -> AdmittedProgram? = { peer in
            AdmittedProgram(
                level: .none, image: peer.evidence.image?.path, explanation: "a test admits everybody", edition: 1,
                answersQuestions: true, caller: caller)
        }
        let rules = DaemonRules(agents: agents, edition: { 1 }, admit: admit)
        daemon = Daemon(listener: OwnedDescriptor(owning: listener), keychains: keychains, rules: rules)
        Thread.detachNewThread { [daemon] in daemon.run() }
    }

    /// A client with connections of its own.
    package func client(_ choice: KeychainChoice = .usual) -> SocketSession {
        SocketSession(path: path, daemonUser: nil, choice: choice)
    }

    deinit {
        daemon.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private struct NoSocket: Error {
        let code: Int32
    }
}
