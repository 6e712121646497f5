// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Foundation
internal import KeychainIdentity
internal import KeychainSystem
internal import KeychainWire

/// Somebody between clients and a daemon, who notes each call that goes by.
final class TrafficRecorder: @unchecked Sendable {
    let path: String
    private let daemon: String
    private let listener: OwnedDescriptor
    private let lock = NSLock()
    private var noted: [[UInt8]] = []

    /// Listens at `path`.
    init(_ path: String, before daemon: String) throws {
        self.path = path
        self.daemon = daemon
        let number = llv_peer_listen(path, 0o600, 16)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -number) ?? .EIO) }
        listener = OwnedDescriptor(owning: number)
        Thread.detachNewThread { [listener, self] in
            while true {
                let client = llv_peer_accept(listener.number)
                guard client >= 0 else { return }
                let socket = OwnedDescriptor(owning: client)
                Thread.detachNewThread { self.pass(socket) }
            }
        }
    }

    /// Takes no more connections.
    func stop() { shutdown(listener.number, Int32(SHUT_RDWR)) }

    /// The bytes of each call that went by, without the headers of its packets.
    var calls: [[UInt8]] { lock.withLock { noted } }

    private func pass(_ client: OwnedDescriptor) {
        let number = llv_peer_connect(daemon)
        guard number >= 0 else { return }
        let server = OwnedDescriptor(owning: number)
        // The nonce and its answer: both are between the daemon and us, as whoever it comes from.
        guard let nonce = packet(from: server), send(nonce, to: client), let answer = packet(from: client),
            send(answer, to: server)
        else { return }
        while let call = message(from: client, to: server) {
            lock.withLock { noted.append(call) }
            guard message(from: server, to: client) != nil else { return }
        }
    }

    /// Passes a message on; its bytes.
    private func message(from source: OwnedDescriptor, to target: OwnedDescriptor) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let packet = packet(from: source), send(packet, to: target) {
            bytes += packet.dropFirst(WireFrame.headerSize)
            if packet[3] == 0 { return bytes }
        }
        return nil
    }

    private func packet(from socket: OwnedDescriptor) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: WireFrame.largestPacket)
        var packet = llv_peer_packet()
        let count = llv_peer_receive(socket.number, &room, room.count, true, &packet)
        return count > 0 ? Array(room.prefix(Int(count))) : nil
    }

    private func send(_ packet: [UInt8], to socket: OwnedDescriptor) -> Bool {
        llv_peer_send(socket.number, packet, packet.count, true) == 0
    }
}
