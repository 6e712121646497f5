// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// Which file systems and which users a process sees.
///
/// A path means something to us only when it comes from our own namespaces: anybody can mount another file over it in
/// namespaces of theirs. There they are root too, and may put any process of those namespaces before us as the sender
/// of a packet, so that a handshake alone proves nothing about who is in others.
package enum ProcessNamespaces: Sendable, Equatable {
    case same
    case other
    /// We may not look: a process of another user, or one that forbids debuggers.
    case hidden

    /// Those of a process, compared with ours.
    internal init(of process: PeerProcess) throws(PeerError) {
        guard let ours = ProcessNamespaces.ours else { throw .system(EIO) }
        var theirs = llv_peer_namespaces()
        let failure = unsafe llv_peer_read_namespaces(process.pid, &theirs)
        try process.requireAlive()
        switch failure {
        case 0: self = ours.mount == theirs.mount && ours.user == theirs.user ? .same : .other
        case -EACCES, -EPERM: self = .hidden
        default: throw PeerError(process: failure)
        }
    }

    /// A server stays where it is.
    private static let ours: llv_peer_namespaces? = {
        var ours = llv_peer_namespaces()
        return unsafe llv_peer_read_namespaces(0, &ours) == 0 ? ours : nil
    }()
}
