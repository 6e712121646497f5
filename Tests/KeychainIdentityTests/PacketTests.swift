// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainIdentity
internal import KeychainSystem
internal import TestProcesses
internal import Testing

@Suite(.enabled(if: TrustedFolder.isPossible, "no folder here is safe from the root on"))
struct PacketTests {
    @Test("descriptors that a client sends are refused, and none of them stays open")
    func descriptors() throws {
        let scene = try Scene()
        let peer = try scene.peer("descriptors")
        #expect(throws: PeerError.descriptorsPassed) { try peer.text() }
        // The client goes on when nobody has the descriptor any more.
        peer.hangUp()
        #expect(scene.awaitEnd() == .exited(0))
    }

    @Test(
        "a packet that is longer than packets may be is refused, and so is an empty one", arguments: ["large", "empty"])
    func malformed(role: String) throws {
        let scene = try Scene()
        let peer = try scene.peer(role)
        #expect(throws: PeerError.malformed) { try peer.text() }
    }

    @Test("the client's side answers the nonce, and knows who listens")
    func client() throws {
        var ends: [Int32] = [-1, -1]
        _ = try must(llv_peer_pair(&ends))
        let (ours, theirs) = (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
        let handshake = try Handshake(over: ours, largestPacket: Scene.packetSize)
        #expect(try handshake.advance() == nil)
        let server = try ServerIdentity(of: theirs)
        #expect(server.user == geteuid())
        #expect(server.isTrusted(by: geteuid(), daemonUser: nil))
        try HandshakeAnswer.give(over: theirs, milliseconds: Scene.timeout)
        let peer = try #require(try handshake.advance())
        #expect(peer.process.pid == getpid())
        #expect(peer.process.user == geteuid())
    }

    @Test("a server that says something else than a nonce gets no answer")
    func wrongNonce() throws {
        var ends: [Int32] = [-1, -1]
        _ = try must(llv_peer_pair(&ends))
        let (ours, theirs) = (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
        _ = try must(llv_peer_send(ours.number, "seventeen letters", 17, false))
        #expect(throws: PeerError.malformed) { try HandshakeAnswer.give(over: theirs, milliseconds: Scene.timeout) }
        #expect(throws: PeerError.timedOut) { try HandshakeAnswer.give(over: theirs, milliseconds: 10) }
    }

    @Test("a peer that does not read is told from one that is gone")
    func congested() throws {
        let scene = try Scene()
        let peer = try scene.peer("inherited-later")
        let block = [UInt8](repeating: 7, count: Scene.packetSize)
        #expect(throws: PeerError.congested) {
            while true { try peer.send(block) }
        }
    }
}
