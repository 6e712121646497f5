// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
package import KeychainSystem

/// The server's side of the question "is the process that connected the one that speaks, and what does it run?".
///
/// `SO_PEERCRED` and /proc alone are no answer: a program may connect, send a request, leave the socket to a child and
/// execute another one, and number, pidfd and sender all stay right while the file it runs is now the other's. So the
/// file is looked at, then a nonce is asked back, then the file is looked at again: the process that answered ran that file in
/// between. What was sent before the answer came from an unknown sender, and is dropped.
///
/// Not thread-safe; one thread drives one handshake.
package final class Handshake {
    package let socket: OwnedDescriptor
    package let process: PeerProcess
    private let evidence: PeerEvidence
    private let nonce: Nonce
    private let largestPacket: Int
    private let mayHide: Bool
    private var dropped = 0

    /// Looks at who connected `socket`, of kind SOCK_SEQPACKET, and sends the nonce; never waits.
    ///
    /// `largestPacket` is the most bytes that a packet of the protocol has. A peer that `mayHide` may forbid our looking at it
    /// at any time: only where nothing is kept from its user.
    package init(over socket: OwnedDescriptor, largestPacket: Int, mayHide: Bool = false) throws(PeerError) {
        precondition(largestPacket >= Nonce.size, "the nonce is a packet too")
        self.socket = socket
        self.largestPacket = largestPacket
        self.mayHide = mayHide
        let failure = llv_peer_ask_for_senders(socket.number)
        guard failure == 0 else { throw .system(-failure) }
        process = try PeerProcess(connectedTo: socket.number)
        evidence = try PeerEvidence(of: process)
        nonce = try Nonce()
        try nonce.send(over: socket.number)
    }

    /// Reads what has come; the peer when its answer was there, nil when it has to be called again once more is there.
    ///
    /// Never waits. After an error the connection has to be closed.
    package func advance() throws(PeerError) -> Peer? {
        var room = [UInt8](repeating: 0, count: Nonce.size + 1)
        while true {
            switch try answer(&room) {
            case .waiting: return nil
            case .older: continue
            case .given(let realGroup): return try peer(realGroup: realGroup)
            }
        }
    }

    /// Drives a handshake to its end, at most so many milliseconds.
    package static func accept(
        _ socket: OwnedDescriptor, largestPacket: Int, mayHide: Bool = false, milliseconds: Int32
    ) throws(PeerError) -> Peer {
        let handshake = try Handshake(over: socket, largestPacket: largestPacket, mayHide: mayHide)
        let deadline = Instant(inMilliseconds: milliseconds)
        while true {
            if let peer = try handshake.advance() { return peer }
            try deadline.wait(for: socket)
        }
    }

    private enum Answer {
        case waiting
        case older
        case given(realGroup: UInt32)
    }

    private func answer(_ room: inout [UInt8]) throws(PeerError) -> Answer {
        var span = room.mutableSpan
        var bytes = unsafe span.mutableBytes
        return try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(PeerError) in
            switch try unsafe Packet(from: socket.number, into: buffer, waits: false, allowsLonger: true) {
            case .none: return .waiting
            case .hungUp: throw .hungUp
            case .bytes(let count, let sender):
                guard unsafe nonce.matches(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                    dropped += 1
                    guard dropped <= Handshake.mostDropped else { throw .flooded }
                    return .older
                }
                guard sender.pid == process.pid else { throw .foreignSender }
                return .given(realGroup: sender.gid)
            }
        }
    }

    private func peer(realGroup: UInt32) throws(PeerError) -> Peer {
        try evidence.requireUnchanged(for: process, mayHide: mayHide)
        return Peer(
            socket: socket, process: process, evidence: evidence, realGroup: realGroup, mayHide: mayHide,
            largestPacket: largestPacket)
    }

    /// More than an honest client, which sends nothing, and little enough to read at once.
    private static let mostDropped = 64
}

/// The client's side of `Handshake`.
package enum HandshakeAnswer {
    /// Waits for the nonce, at most so many milliseconds, and sends it back.
    ///
    /// It comes before anything else: what was sent earlier is dropped unread. Whether the server may be spoken to is
    /// to be asked first (`ServerIdentity`).
    package static func give(over socket: OwnedDescriptor, milliseconds: Int32) throws(PeerError) {
        let deadline = Instant(inMilliseconds: milliseconds)
        var nonce = [UInt8](repeating: 0, count: Nonce.size + 1)
        var packet = llv_peer_packet()
        while true {
            let count = unsafe llv_peer_receive(socket.number, &nonce, Nonce.size + 1, false, &packet)
            if count == -Int64(EAGAIN) {
                try deadline.wait(for: socket)
                continue
            }
            guard count >= 0 else { throw PeerError(connection: Int32(count)) }
            guard count > 0 else { throw .hungUp }
            guard !packet.carried_descriptors else { throw .descriptorsPassed }
            guard count == Int64(Nonce.size) else { throw .malformed }
            return try Nonce.send(Array(nonce.prefix(Nonce.size)), over: socket.number)
        }
    }
}

extension Instant {
    /// Returns when there is something to read.
    fileprivate func wait(for socket: OwnedDescriptor) throws(PeerError) {
        let ready = llv_peer_wait(socket.number, false, remaining)
        guard ready >= 0 else { throw .system(-ready) }
        guard ready > 0 else { throw .timedOut }
    }
}

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

/// Sixteen random bytes that a peer sends back, so that what it sent before is known to be older.
struct Nonce: Sendable {
    let bytes: [UInt8]

    init() throws(PeerError) {
        do throws(CryptoError) {
            bytes = try unsafe [UInt8](count: Nonce.size) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
        } catch { throw .system(EAGAIN) }
    }

    /// Whether these bytes are it, in a time that does not depend on them.
    func matches(_ answer: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.lendingBytes { unsafe isEqualInConstantTime($0, answer) }
    }

    func send(over socket: Int32) throws(PeerError) {
        try Nonce.send(bytes, over: socket)
    }

    static func send(_ bytes: [UInt8], over socket: Int32) throws(PeerError) {
        let failure = unsafe bytes.lendingBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -EINVAL }
            // The first packet of a connection always finds room.
            return unsafe llv_peer_send(socket, start, bytes.count, false)
        }
        guard failure == 0 else { throw PeerError(connection: failure) }
    }

    static let size = 16
}
