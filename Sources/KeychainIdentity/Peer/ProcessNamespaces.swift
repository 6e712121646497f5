// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// Which file systems and which users a process sees.
///
/// A path means something to us only when it comes from our own namespaces: anybody can mount another file over it in
/// namespaces of theirs.
package enum ProcessNamespaces: Sendable, Equatable {
    case same
    case other
    /// We may not look: a process of another user, or one that forbids debuggers.
    case hidden

    /// Those of a process, compared with ours.
    internal init(of process: PeerProcess) throws(PeerError) {
        var ours = llv_peer_namespaces()
        var theirs = llv_peer_namespaces()
        var failure = unsafe llv_peer_read_namespaces(0, &ours)
        guard failure == 0 else { throw .system(-failure) }
        failure = unsafe llv_peer_read_namespaces(process.pid, &theirs)
        try process.requireAlive()
        switch failure {
        case 0:
            self =
                ours.mount_inode == theirs.mount_inode && ours.mount_device == theirs.mount_device
                    && ours.user_inode == theirs.user_inode && ours.user_device == theirs.user_device
                ? .same : .other
        case -EACCES, -EPERM: self = .hidden
        default: throw PeerError(process: failure)
        }
    }
}
