// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
package import KeychainSystem
internal import ProgramSigning

/// A process that has answered a handshake, and the connection to it; only `Handshake` makes one.
package final class Peer: Sendable {
    package let socket: OwnedDescriptor
    package let process: PeerProcess
    /// What was seen of it before and after it answered.
    package let evidence: PeerEvidence
    /// Its real group when it answered.
    ///
    /// It differs from `process.group`, the effective one, when the kernel gave it that one for its file's sake.
    package let realGroup: UInt32
    private let mayHide: Bool
    private let largestPacket: Int

    internal init(
        socket: OwnedDescriptor, process: PeerProcess, evidence: PeerEvidence, realGroup: UInt32, mayHide: Bool,
        largestPacket: Int
    ) {
        self.socket = socket
        self.process = process
        self.evidence = evidence
        self.realGroup = realGroup
        self.mayHide = mayHide
        self.largestPacket = largestPacket
    }

    /// Whether it closed its end, or ended; what it sent before that may still be there.
    package var hasHungUp: Bool { llv_peer_has_hung_up(socket.number) }

    /// What `receive` found.
    package enum Received: Sendable, Equatable {
        /// A packet of so many bytes.
        case packet(Int)
        /// None is there; only when it was not to wait.
        case nothing
        case hungUp
    }

    /// Writes the next packet to `buffer`, which has room for the largest.
    ///
    /// Every packet must come from the process that answered: children that inherited the connection, and programs that
    /// it was passed to, have no say. After an error `buffer` may hold bytes of a stranger, and the connection has to
    /// be closed.
    package func receive(
        into buffer: UnsafeMutableRawBufferPointer, waits: Bool
    ) throws(PeerError) -> Received {
        precondition(buffer.count >= largestPacket, "no room for a packet")
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<largestPacket])
        switch try unsafe Packet(from: socket.number, into: room, waits: waits) {
        case .none: return .nothing
        case .hungUp: return .hungUp
        case .bytes(let count, let sender):
            guard sender.pid == process.pid else { throw .foreignSender }
            guard count > 0 else { throw .malformed }
            return .packet(count)
        }
    }

    /// Throws unless the process still runs what it ran when it answered; to be asked before each sensitive operation.
    ///
    /// A program may execute another one, which is then in its place with its number and its connection.
    package func recheck() throws(PeerError) {
        try evidence.requireSameImage(for: process, mayHide: mayHide)
    }

    /// Throws unless everything is as it was when it answered; to be asked once its rights are known.
    package func recheckEverything() throws(PeerError) {
        try evidence.requireUnchanged(for: process, mayHide: mayHide)
    }
}

/// What was seen of a process, to be held against what is seen of it later.
package struct PeerEvidence: Sendable {
    /// The file it executes; nil when we may not look.
    package let image: ProgramImage?
    package let namespaces: ProcessNamespaces

    internal init(of process: PeerProcess) throws(PeerError) {
        image = try ProgramImage(of: process)
        namespaces = try ProcessNamespaces(of: process)
    }

    /// Throws unless the process runs, executes the same unchanged file, and is in the same namespaces.
    ///
    /// One that hides its image has to hide it for ever, and one that shows it has to go on showing it, unless it `mayHide`.
    internal func requireUnchanged(for process: PeerProcess, mayHide: Bool) throws(PeerError) {
        let now = try ProcessNamespaces(of: process)
        guard now == namespaces || (mayHide && (now == .hidden || namespaces == .hidden)) else {
            throw .namespacesChanged
        }
        try requireSameImage(for: process, mayHide: mayHide)
    }

    /// Throws unless the process runs and executes the same unchanged file.
    ///
    /// Namespaces are not asked for again: a process that enters others without executing another file is still the program
    /// that was known, and its file is compared by what it is and not by its path.
    ///
    /// A program that `mayHide` shows its file while it connects, and forbids debuggers before and after: to a daemon of its
    /// own user, from which it keeps nothing by that. To execute another file would undo it, and be seen, but for a file
    /// that its user may not read.
    internal func requireSameImage(for process: PeerProcess, mayHide: Bool) throws(PeerError) {
        switch (image, try ProgramImage.facts(of: process)) {
        case (nil, nil): break
        case (let before?, let now?):
            guard now.isUnchanged(since: before.facts) else { throw .imageChanged }
        case (nil, .some), (.some, nil):
            guard mayHide else { throw .imageChanged }
        }
    }
}

/// What a socket gave when it was asked for the next packet.
enum Packet {
    /// So many bytes from this sender.
    case bytes(Int, from: llv_peer_credentials)
    /// Nothing is there now.
    case none
    case hungUp

    /// The next packet, written to `buffer`.
    ///
    /// Throws for one that no honest client sends. Of one that is longer than `buffer` the rest is
    /// lost, which only who drops it may allow.
    init(
        from socket: Int32, into buffer: UnsafeMutableRawBufferPointer, waits: Bool, allowsLonger: Bool = false
    ) throws(PeerError) {
        guard let start = buffer.baseAddress else { throw .malformed }
        var packet = llv_peer_packet()
        let count = unsafe llv_peer_receive(socket, start, buffer.count, waits, &packet)
        guard count >= 0 else {
            switch Int32(count) {
            case -EAGAIN: self = .none
            case -ECONNRESET: self = .hungUp
            default: throw .system(Int32(-count))
            }
            return
        }
        guard !packet.carried_descriptors else { throw .descriptorsPassed }
        guard packet.has_sender else {
            // The kernel names a sender of each packet, of an empty one too; and no sender of the end.
            guard count == 0 else { throw .foreignSender }
            self = .hungUp
            return
        }
        guard allowsLonger || !packet.is_truncated else { throw .malformed }
        self = .bytes(Int(count), from: packet.sender)
    }
}

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
