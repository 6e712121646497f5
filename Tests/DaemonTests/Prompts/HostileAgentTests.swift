// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainTransport
import KeychainWire
import Security
import TestDaemon
import TestProcesses
import TestPrompts
import TestSeed
import Testing

/// Agents that do not do what agents do, at a daemon on threads of this process; another process wants something.
@Suite struct HostileAgentTests {
    private let folder: TestFolder
    private let daemon: ServedAgents

    init() throws {
        folder = try TestFolder()
        daemon = try ServedAgents(folder.file("keychains"))
        #expect(try program("put").wait() == 0)
    }

    private var output: String { folder.text("output") }

    private func program(_ verb: String) throws -> SessionProcess {
        let helper = try SessionProcess.helper("llavero-test-helper")
        return try SessionProcess(
            ["/bin/sh", "-c", "exec '\(helper)' access \(verb) >'\(folder.file("output"))' 2>&1"],
            environment: ["LLAVERO_SOCKET": daemon.path, "HOME": folder.path, "LLAVERO_ENCLAVE": "software"],
            terminal: nil)
    }

    /// A connection that has become an agent's.
    private func agent() throws -> RawConnection {
        let connection = try RawConnection(daemon.path)
        #expect(connection.send(CallPackets.of(try bytes(.attend))[0]))
        guard case .reply(.nothing)? = try message(from: connection) else { throw Trouble("no agent was wanted") }
        return connection
    }

    private func bytes(_ call: WireCall) throws -> [UInt8] {
        try WireMessage(number: 1, .call(call)).encoded().withUnsafeBytes { Array($0) }
    }

    private func message(from connection: RawConnection) throws -> WireMessage.Content? {
        guard case .bytes(let bytes) = connection.message() else { return nil }
        return try bytes.withUnsafeBytes { try WireMessage(decoding: $0) }.content
    }

    private func question(to connection: RawConnection) throws -> PersonQuestion {
        guard case .reply(.question(let question))? = try message(from: connection) else {
            throw Trouble("there was no question")
        }
        return question
    }

    @Test("what is no answer ends the connection and the question, and the daemon goes on")
    func garbage() throws {
        let secret = SecretValue(copying: Array("1234".utf8))
        let answer = try bytes(.answer(.secret(secret)))
        var wrongCount = answer
        wrongCount.append(0)
        var packets: [[[UInt8]]] = [
            [[0]], [[UInt8](repeating: 0xFF, count: 65_536)], CallPackets.of(try bytes(.means)),
            CallPackets.of(try bytes(.attend)), CallPackets.of(try bytes(.subscribe)), CallPackets.of(wrongCount),
            CallPackets.of(Array(answer.dropLast())), [CallPackets.half(of: answer)],
            CallPackets.of(try WireMessage(number: 1, .reply(.nothing)).encoded().withUnsafeBytes { Array($0) }),
        ]
        var seed = Seed(for: "HostileAgentTests.garbage")
        for _ in 0..<30 {
            var changed = answer
            // Not in the secret itself, which would be another answer.
            changed[Int.random(in: 0..<answer.count - 4, using: &seed)] ^= UInt8.random(in: 1...255, using: &seed)
            guard (try? changed.withUnsafeBytes({ try WireMessage(decoding: $0) })) == nil else { continue }
            packets.append(CallPackets.of(changed))
        }
        for packet in packets {
            let connection = try agent()
            let process = try program("get")
            let question = try question(to: connection)
            #expect(question.description.contains("For_the_report"))
            for packet in packet { _ = connection.send(packet) }
            #expect(try process.wait() == 0)
            #expect(output.contains("got -25308 nothing"), "\(output)")
            #expect(output.contains("the prompt agent ended"), "\(output)")
            #expect(try message(from: connection) == nil)
        }
        let connection = try agent()
        let process = try program("get")
        _ = try question(to: connection)
        #expect(connection.send(CallPackets.of(answer)[0]))
        #expect(try process.wait() == 0)
        #expect(output.contains("got 0 kept"))
    }

    @Test("an answer that nobody asked for ends the connection, also to an agent")
    func unasked() throws {
        let connection = try agent()
        #expect(connection.send(CallPackets.of(try bytes(.answer(.refused)))[0]))
        #expect(try message(from: connection) == nil)
        let other = try RawConnection(daemon.path)
        #expect(other.send(CallPackets.of(try bytes(.answer(.refused)))[0]))
        guard case .reply(.failure(let error))? = try message(from: other) else { throw Trouble("it was taken") }
        #expect(error.text.contains("no question was sent"))
    }

    @Test("of one user no more than eight agents are kept, and one that ends makes room")
    func many() throws {
        var agents = try (0..<8).map { _ in try agent() }
        let ninth = try RawConnection(daemon.path)
        #expect(ninth.send(CallPackets.of(try bytes(.attend))[0]))
        guard case .reply(.failure(let error))? = try message(from: ninth) else { throw Trouble("there was room") }
        #expect(error.text.contains("too many prompt agents"))
        let last = agents.removeLast()
        last.end()
        #expect(try message(from: last) == nil)
        agents.append(try agent())
    }

    @Test("no process asks for itself, and no program for a process of its own")
    func ownAgent() throws {
        let connection = try agent()
        SocketClient.use(daemon.path) {
            try? Llavero.keybag.unlock(with: Llavero.Passcode("1234"))
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "guarded", kSecReturnData: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecInteractionNotAllowed)
        }
        withExtendedLifetime(connection) {}
    }

    @Test("a question is taken back with its context, and the agent says so before the next one comes")
    func takenBack() throws {
        let connection = try agent()
        let process = try program("invalidated '\(folder.file("signal"))'")
        _ = try question(to: connection)
        _ = FileManager.default.createFile(atPath: folder.file("signal"), contents: nil)
        #expect(try process.wait() == 0)
        #expect(output.contains("got -128 nothing"), "\(output)")
        guard case .reply(.withdrawn)? = try message(from: connection) else { throw Trouble("it was not taken back") }
        let next = try program("get")
        #expect(connection.send(CallPackets.of(try bytes(.answer(.refused)))[0]))
        _ = try question(to: connection)
        #expect(connection.send(CallPackets.of(try bytes(.answer(.timedOut)))[0]))
        #expect(try next.wait() == 0)
        #expect(output.contains("got -25293 nothing"), "\(output)")
    }

    @Test("a user's own daemon needs no agent")
    func ownDaemon() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer { daemon.terminate() }
        let client = try HostileClient(scene)
        #expect(try client.failure(.attend)?.text.contains("shows its prompts itself") == true)
    }
}
