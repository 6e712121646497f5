// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Why a peer is not, or no longer, who it has to be.
///
/// After any of these the connection is of no use and has to be closed.
package enum PeerError: Error, Sendable, Equatable {
    /// It has no number in our process namespace.
    case unnumbered
    /// The process that connected has ended.
    case gone
    /// The other end was closed.
    case hungUp
    /// It did not answer in time.
    case timedOut
    /// Too many packets came before the answer.
    case flooded
    /// A packet came from another process than the one that connected, or from one the kernel does not name.
    case foreignSender
    /// File descriptors came with a packet.
    case descriptorsPassed
    /// A packet was longer than packets may be, or empty.
    case malformed
    /// The process executes another file than before, or one that was changed.
    case imageChanged
    /// The process went into other namespaces than before.
    case namespacesChanged
    /// A packet could not be sent: the peer does not read.
    case congested
    /// The system refused a call; an errno.
    case system(Int32)
}

extension PeerError {
    /// What a negative result of a C function says about a process.
    internal init(process failure: Int32) {
        self = failure == -ESRCH || failure == -ENOENT ? .gone : .system(-failure)
    }

    /// What a negative result of a C function says about a connection.
    internal init(connection failure: Int32) {
        switch failure {
        case -EPIPE, -ECONNRESET, -ENOTCONN: self = .hungUp
        case -EAGAIN: self = .congested
        default: self = .system(-failure)
        }
    }
}
