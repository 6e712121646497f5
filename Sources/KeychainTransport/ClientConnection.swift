// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPeer
internal import Glibc
internal import KeychainIdentity
internal import KeychainSystem
internal import KeychainWire

/// One connection to a daemon, which has said who it is and knows who we are; one call at a time goes over it.
// Not shared: the thread that has taken it from the pool has it alone.
final class ClientConnection {
    private let socket: OwnedDescriptor
    private let pipe: MessagePipe
    private var count: UInt64 = 0

    /// Connects, makes sure of the daemon, and lets it make sure of us.
    init(_ path: String, daemonUser: UInt32?) throws(ClientFailure) {
        // A daemon of our own user has no more right to look at us than any program of that user. So that it can tell which
        // program we are, one that keeps its user's others out lets them look until the nonce has come: the daemon
        // looks before it sends that.
        let isSeen = ClientConnection.isOwn(path)
        if isSeen { llv_show_process() }
        defer { if isSeen { llv_hide_process() } }
        let number = unsafe llv_peer_connect(path)
        guard number >= 0 else { throw .unreachable(-number) }
        socket = OwnedDescriptor(owning: number)
        pipe = MessagePipe(socket, receiving: .reply)
        do throws(PeerError) {
            // Another listener there would get our secrets.
            let server = try ServerIdentity(of: socket)
            guard server.isTrusted(by: geteuid(), daemonUser: daemonUser) else { throw PeerError.foreignSender }
            try HandshakeAnswer.give(over: socket, milliseconds: ClientConnection.greeting)
        } catch {
            switch error {
            case .foreignSender: throw .untrusted
            case .hungUp, .system(ECONNRESET), .system(EPIPE): throw .hungUp
            case .timedOut: throw .silent
            default: throw .refused
            }
        }
    }

    /// Sends a call and waits for its reply, however long a person takes.
    func exchange(_ call: WireCall) throws(ClientFailure) -> WireReply {
        count += 1
        do throws(TransportError) {
            try pipe.send(WireMessage(number: count, .call(call)), ClientConnection.pace)
        } catch {
            switch error {
            case .message(let cause): throw .unsendable(cause)
            case .connection: throw .broken(mayHaveArrived: false)
            }
        }
        return try nextReply()
    }

    /// Sends more that belongs to the last call, and has no reply of its own.
    func add(_ call: WireCall) throws(ClientFailure) {
        do throws(TransportError) {
            try pipe.send(WireMessage(number: count, .call(call)), ClientConnection.pace)
        } catch { throw .broken(mayHaveArrived: false) }
    }

    /// Readable when there is a reply.
    var file: Int32 { socket.number }

    /// Waits for the next reply to the last call.
    func nextReply() throws(ClientFailure) -> WireReply {
        do throws(TransportError) {
            let message = unsafe try pipe.receive(ClientConnection.pace) {
                (buffer, waits) throws(PeerError) in try unsafe self.receive(buffer, waits)
            }
            guard let arrival = message, case .success(let message) = arrival.message, message.number == count,
                case .reply(let reply) = message.content
            else { throw TransportError.connection(.hungUp) }
            return reply
        } catch { throw .broken(mayHaveArrived: true) }
    }

    /// Ends the connection, also while a thread waits for it.
    func shutDown() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// The daemon's packets need no sender: the process that was checked when it began to listen has the socket.
    private func receive(_ buffer: UnsafeMutableRawBufferPointer, _ waits: Bool) throws(PeerError) -> Peer.Received {
        guard let start = buffer.baseAddress else { throw .malformed }
        // The daemon may be asking a person, and a process that tidies up before it ends does not wait for the answer.
        guard !waits || llv_stops_wait(socket.number) else { throw .system(EINTR) }
        var packet = llv_peer_packet()
        let count = unsafe llv_peer_receive(socket.number, start, buffer.count, waits, &packet)
        if count == -Int64(EAGAIN) { return .nothing }
        guard count >= 0 else { throw .system(Int32(-count)) }
        guard !packet.carried_descriptors, !packet.is_truncated else { throw .malformed }
        return count == 0 ? .hungUp : .packet(Int(count))
    }

    /// Whether the socket is our own user's; root's daemons see every process.
    private static func isOwn(_ path: String) -> Bool {
        var status = llv_file_status()
        guard geteuid() != 0, unsafe llv_read_file_status(path, &status) == 0 else { return false }
        return status.owner == geteuid()
    }

    private static let greeting: Int32 = 10_000
    private static let pace = MessagePace(packet: 30_000, message: -1)
}

@available(*, unavailable)
extension ClientConnection: Sendable {}

/// Why a call did not get over.
enum ClientFailure: Error, Equatable {
    /// No process listens; the errno.
    case unreachable(Int32)
    /// The listening process is not allowed to be the daemon.
    case untrusted
    /// Something holds the socket, systemd or a daemon that was stopped, and nobody greeted us in time.
    case silent
    /// The daemon did not greet us as one does, or did not take our answer.
    case refused
    /// The same, and it hung up: it refused us, or was about to end.
    case hungUp
    /// The call has no form as a message.
    case unsendable(WireError)
    /// The connection ended; whether what was asked may have arrived, and been done.
    case broken(mayHaveArrived: Bool)
}
