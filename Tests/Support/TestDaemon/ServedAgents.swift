// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest

/// A daemon on threads of this process that asks nobody itself, as the system's; whoever comes may be an agent.
package final class ServedAgents: Sendable {
    /// Where it listens.
    package var path: String { daemon.path }
    private let daemon: ServedDaemon

    /// Serves a folder of keychains.
    package init(_ root: String) throws {
        let agents = PromptAgents(at: [])
        let authenticators = Authenticators.throughAgents(agents)
        let keychains = UserKeychains { (_, address) throws(KeychainError) in
            try Place(address, beside: .folder(root: root, name: "login"))
        } _: { (_, place, makesIt) throws(KeychainError) in
            UserKeychain(try DaemonHost.takeOver(place, authenticators, makesItself: makesIt), audit: nil)
        }
        daemon = try ServedDaemon(keychains, agents: agents) {
            Caller(groups: [.open], seesEveryGroup: false, administersKeys: true, program: nil)
        }
    }
}
