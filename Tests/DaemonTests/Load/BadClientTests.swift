// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import Security
import TestProcesses
import Testing

/// Clients that take what they can; how much slower the others become is for the benchmark to say.
@Suite struct BadClientTests {
    private let scene: DaemonScene
    private let daemon: Process
    private let early: AskingProgram
    private let call: [UInt8]

    init() throws {
        scene = try DaemonScene()
        daemon = try scene.startDaemon()
        early = try scene.program()
        #expect(try early.ask("add kept") == ["0"])
        let recorder = try TrafficRecorder(scene.folder.file("recorder"), before: scene.socket)
        let everything: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        SocketClient.use(recorder.path) {
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(everything as CFDictionary, &result) == errSecSuccess)
        }
        recorder.stop()
        call = try #require(recorder.calls.first)
    }

    /// Those who were there are served, and those who come now, while the bad ones still are what they are.
    private func expectService<Clients>(beside clients: consuming Clients) throws {
        #expect(try early.ask("get kept") == ["0", "value of kept"])
        #expect(try scene.program().ask("get kept") == ["0", "value of kept"])
        withExtendedLifetime(clients) {}
    }

    private func stop() {
        daemon.terminate()
        daemon.waitUntilExit()
        #expect(daemon.terminationStatus == 0)
    }

    @Test("clients that ask and do not read keep nobody waiting")
    func notReading() throws {
        let packet = try #require(CallPackets.of(call).first)
        do {
            let clients = try (0..<20).map { _ in try RawConnection(scene.socket) }
            // Until neither answers nor questions find room.
            for client in clients { for _ in 0..<10_000 { if !client.sendNow(packet) { break } } }
            try expectService(beside: clients)
        }
        stop()
    }

    @Test("clients that send half a call keep nobody waiting")
    func halfCalls() throws {
        do {
            let clients = try (0..<20).map { _ in try RawConnection(scene.socket) }
            let half = CallPackets.half(of: call)
            #expect(clients.allSatisfy { $0.send(half) })
            try expectService(beside: clients)
        }
        stop()
    }

    @Test("a program that opens more connections than there are places takes none from others")
    func connections() throws {
        let sockets = (0..<700).map { _ in llv_peer_connect(scene.socket) }
        #expect(sockets.allSatisfy { $0 >= 0 })
        try expectService(beside: sockets)
        for socket in sockets where socket >= 0 { close(socket) }
        stop()
    }
}
