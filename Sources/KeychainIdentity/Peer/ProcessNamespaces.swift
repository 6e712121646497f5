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
        guard !ProcessNamespaces.ours.isEmpty else { throw .system(EIO) }
        var theirs = llv_peer_namespaces()
        let failure = unsafe llv_peer_read_namespaces(process.pid, &theirs)
        try process.requireAlive()
        switch failure {
        case 0:
            let isSame = ProcessNamespaces.ours.contains { $0.mount == theirs.mount && $0.user == theirs.user }
            self = isSame ? .same : .other
        case -EACCES, -EPERM: self = .hidden
        default: throw PeerError(process: failure)
        }
    }

    /// Those whose paths mean to us what they mean there: a server stays where it is.
    ///
    /// A service manager may give us file systems of our own, which are the system's with less of them in sight. So the
    /// system's own are as good as ours, if we may know them. A path is looked up in ours all the same, and has to lead to
    /// the very file that the program executes.
    private static let ours: [llv_peer_namespaces] = {
        var (ours, first) = (llv_peer_namespaces(), llv_peer_namespaces())
        guard unsafe llv_peer_read_namespaces(0, &ours) == 0 else { return [] }
        guard unsafe llv_peer_read_namespaces(1, &first) == 0, first.user == ours.user else { return [ours] }
        return [ours, first]
    }()
}
