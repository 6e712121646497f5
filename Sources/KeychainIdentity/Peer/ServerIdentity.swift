// SPDX-License-Identifier: Apache-2.0

internal import CPeer

/// Who listens where a client connected, as of the moment that it began to listen.
package struct ServerIdentity: Sendable, Equatable {
    package let user: UInt32

    package init(of socket: OwnedDescriptor) throws(PeerError) {
        var credentials = llv_peer_credentials()
        let failure = unsafe llv_peer_read_credentials(socket.number, &credentials)
        guard failure == 0 else { throw .system(-failure) }
        user = credentials.uid
    }

    /// Whether a client may give it anything: root, the client's own user, or the one that the daemon runs under.
    package func isTrusted(by ownUser: UInt32, daemonUser: UInt32?) -> Bool {
        user == 0 || user == ownUser || user == daemonUser
    }
}
