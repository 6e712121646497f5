// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainWire

/// A program that speaks the protocol as it likes.
final class HostileClient {
    private let connection: RawConnection
    private var count: UInt64 = 0

    init(_ scene: DaemonScene) throws { connection = try RawConnection(scene.socket) }

    /// What the daemon says to a call; nil when it hung up, or says nothing that could be read.
    func ask(_ call: WireCall) throws -> WireReply? {
        try tell(call)
        return try listen()
    }

    /// Sends a call, and waits for nothing.
    func tell(_ call: WireCall) throws {
        count += 1
        let bytes = try WireMessage(number: count, .call(call)).encoded().withUnsafeBytes { Array($0) }
        for packet in CallPackets.of(bytes) where !connection.send(packet) { return }
    }

    /// The next reply; nil when the daemon hung up, or says nothing that could be read.
    func listen() throws -> WireReply? {
        guard case .bytes(let reply) = connection.message() else { return nil }
        guard case .reply(let content) = try reply.withUnsafeBytes({ try WireMessage(decoding: $0) }).content else {
            return nil
        }
        return content
    }

    /// Why it failed; nil when it did not.
    func failure(_ call: WireCall) throws -> KeychainError? {
        if case .failure(let error)? = try ask(call) { error } else { nil }
    }

    /// Sends a packet if there is room for it.
    func sendNow(_ packet: [UInt8]) -> Bool { connection.sendNow(packet) }
}
