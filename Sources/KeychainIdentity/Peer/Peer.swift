// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

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
