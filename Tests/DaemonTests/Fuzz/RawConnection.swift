// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Foundation
internal import KeychainIdentity
internal import KeychainSystem
internal import KeychainWire
internal import TestProcesses

/// A connection to a daemon over which packets of any kind go, from a program that has answered the handshake.
final class RawConnection {
    private let socket: OwnedDescriptor
    private var room = [UInt8](repeating: 0, count: WireFrame.largestPacket)

    init(_ path: String) throws {
        let number = llv_peer_connect(path)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -number) ?? .EIO) }
        socket = OwnedDescriptor(owning: number)
        try HandshakeAnswer.give(over: socket, milliseconds: EventLimit.milliseconds)
    }

    /// Whether the daemon took it; it takes none after a packet that it could not make out.
    func send(_ packet: [UInt8]) -> Bool { llv_peer_send(socket.number, packet, packet.count, true) == 0 }

    /// Sends a packet if there is room for it.
    func sendNow(_ packet: [UInt8]) -> Bool { llv_peer_send(socket.number, packet, packet.count, false) == 0 }

    /// Says that nothing more comes.
    func end() { shutdown(socket.number, Int32(SHUT_WR)) }

    enum Reply {
        case packet([UInt8])
        case hungUp
        case silence
    }

    func receive(within milliseconds: Int32 = EventLimit.milliseconds) -> Reply {
        guard llv_peer_wait(socket.number, false, milliseconds) == 1 else { return .silence }
        var packet = llv_peer_packet()
        let count = llv_peer_receive(socket.number, &room, room.count, false, &packet)
        return count > 0 ? .packet(Array(room.prefix(Int(count)))) : .hungUp
    }

    /// The bytes of the next message, of however many packets.
    func message() -> Message {
        var bytes: [UInt8] = []
        while true {
            switch receive() {
            case .hungUp: return .hungUp
            case .silence: return .silence
            case .packet(let packet):
                bytes += packet.dropFirst(WireFrame.headerSize)
                if packet.count < 4 || packet[3] == 0 { return .bytes(bytes) }
            }
        }
    }

    enum Message {
        case bytes([UInt8])
        case hungUp
        case silence
    }
}
