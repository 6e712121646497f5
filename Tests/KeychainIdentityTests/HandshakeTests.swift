// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainIdentity
internal import KeychainSystem
internal import TestProcesses
internal import Testing

@Suite(.enabled(if: TrustedFolder.isPossible, "no folder here is safe from the root on"))
struct HandshakeTests {
    @Test("an honest client is accepted, and its packets arrive")
    func honest() throws {
        let scene = try Scene()
        let peer = try scene.peer("honest")
        #expect(try peer.text() == "hello")
        #expect(peer.evidence.image?.path == scene.client)
        #expect(peer.evidence.namespaces == .same)
        #expect(peer.process.isAlive)
        try peer.recheck()
    }

    @Test("what a client sent before it answered is dropped")
    func early() throws {
        let scene = try Scene()
        let peer = try scene.peer("early")
        #expect(try peer.text() == "late")
    }

    @Test("who sends much before it answers is refused")
    func flood() throws {
        let scene = try Scene()
        #expect(throws: PeerError.flooded) { try scene.peer("flood") }
    }

    @Test("who does not answer is refused when the time is over")
    func mute() throws {
        let scene = try Scene()
        try scene.start("mute")
        let socket = try scene.accept()
        #expect(throws: PeerError.timedOut) {
            try Handshake.accept(socket, largestPacket: Scene.packetSize, milliseconds: 50)
        }
    }

    @Test("a program that connects, leaves its socket to a child and executes an entitled program is refused")
    func executedBefore() throws {
        let scene = try Scene()
        let entitled = try scene.folder.copy(scene.client, as: "entitled")
        try scene.start("exec-before", [entitled])
        let socket = try scene.accept()
        try scene.awaitReady()
        // All that a check without a handshake looks at is in order.
        let process = try PeerProcess(connectedTo: socket.number)
        #expect(process.isAlive)
        #expect(process.text(of: "cmdline")?.hasPrefix(entitled) == true)
        #expect(throws: PeerError.foreignSender) { try Scene.handshake(socket) }
    }

    @Test("a program that answers and then executes an entitled program is refused")
    func executedAfterAnswer() throws {
        let scene = try Scene()
        let entitled = try scene.folder.copy(scene.client, as: "entitled")
        try scene.start("exec-after-answer", [entitled])
        let handshake = try Handshake(over: try scene.accept(), largestPacket: Scene.packetSize)
        try scene.awaitReady()
        #expect(throws: PeerError.imageChanged) { try handshake.advance() }
    }

    @Test("a program that executes another one later fails the check before a sensitive operation")
    func executedLater() throws {
        let scene = try Scene()
        let entitled = try scene.folder.copy(scene.client, as: "entitled")
        let peer = try scene.peer("exec-later", [entitled])
        #expect(try peer.text() == "hello")
        try peer.recheck()
        try peer.say("go")
        try scene.awaitReady()
        #expect(throws: PeerError.imageChanged) { try peer.recheck() }
    }

    @Test("a child that inherited the socket cannot answer for its parent")
    func inherited() throws {
        let scene = try Scene()
        #expect(throws: PeerError.foreignSender) { try scene.peer("inherited") }
    }

    @Test("a child that inherited the socket cannot speak for its parent", arguments: ["inherited-later", "passed"])
    func inheritedLater(role: String) throws {
        let scene = try Scene()
        let peer = try scene.peer(role)
        #expect(throws: PeerError.foreignSender) { try peer.text() }
    }

    @Test("a peer that ended is refused")
    func gone() throws {
        let scene = try Scene()
        try scene.start("gone")
        let socket = try scene.accept()
        #expect(scene.awaitEnd() == .exited(0))
        #expect(throws: PeerError.gone) { try Scene.handshake(socket) }
    }

    @Test("a peer that ends after the handshake fails the check before a sensitive operation")
    func goneLater() throws {
        let scene = try Scene()
        let peer = try scene.peer("honest")
        #expect(try peer.text() == "hello")
        peer.hangUp()
        #expect(scene.awaitEnd() == .exited(0))
        #expect(throws: PeerError.gone) { try peer.recheck() }
        #expect(!peer.process.isAlive)
    }

    @Test(
        "a process that was given the number of the one that connected is refused",
        .enabled(if: TrustedFolder.isRoot, "only root can choose the number of a process"),
        .enabled(if: Scene.kernelKeepsHandles, "this kernel keeps no handle of who connected (Linux 6.5)"))
    func reusedBefore() throws {
        let scene = try Scene()
        try scene.start("reuse-before")
        let socket = try scene.accept()
        try scene.awaitReady()
        #expect(throws: PeerError.gone) { try Scene.handshake(socket) }
    }

    @Test(
        "a process that is given the number during the handshake is refused",
        .enabled(if: TrustedFolder.isRoot, "only root can choose the number of a process"))
    func reusedAfter() throws {
        let scene = try Scene()
        try scene.start("reuse-after")
        let handshake = try Handshake(over: try scene.accept(), largestPacket: Scene.packetSize)
        try scene.awaitReady()
        #expect(throws: PeerError.gone) { try handshake.advance() }
    }
}
