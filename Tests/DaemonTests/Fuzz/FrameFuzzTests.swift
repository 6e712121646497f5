// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainWire
import Security
import TestSeed
import Testing

/// A program that nobody entitled, and that sends whatever it likes; `KEYCHAIN_FRAMES=1000000` says how much.
@Suite(.serialized, .enabled(if: UserScene.isPossible, "only root can entitle a program"))
struct FrameFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["KEYCHAIN_FRAMES"].flatMap { Int($0) } ?? 10_000

    @Test("no frames whatever make the daemon fall, grow, or give away what is another program's; others are served on")
    func frames() throws {
        let seed = Seed(for: "frames")
        let scene = try FuzzScene()
        let owner = try scene.owner()
        #expect(try owner.ask("add target TEAM.owner \(scene.mark)") == ["0"])
        let reference = try #require(Data(base64Encoded: try owner.ask("reference target").last ?? ""))
        let traffic = Traffic(target: .init(reference: reference, account: "target", group: "TEAM.owner"))
        let calls = try record(traffic, scene)
        #expect(calls.count > 40)

        var fuzzer = FrameFuzzer(scene.socket, mark: scene.mark, calls, seed)
        let start = Date()
        var memory: [Int] = []
        let part = 1000
        for sent in stride(from: 0, to: Self.count, by: part) {
            try fuzzer.send(min(part, Self.count - sent))
            // What mutants added would make everything slower, and an honest client is served meanwhile.
            SocketClient.use(scene.socket) { traffic.clear() }
            #expect(try owner.ask("get target TEAM.owner") == ["0", scene.mark])
            #expect(try owner.ask("list x TEAM.owner") == ["0", "target"])
            memory.append(try scene.memory())
            guard fuzzer.tally.troubles.isEmpty, scene.daemon?.isRunning == true else { break }
        }
        let tally = fuzzer.tally
        #expect(tally.troubles == [])
        #expect(scene.daemon?.isRunning == true)
        // Once it has seen everything a few times it needs no more.
        let settled = memory.count / 5
        let growth = (memory.last ?? 0) - memory[settled]
        #expect(growth < 6 << 10, "memory \(memory.first ?? 0), \(memory[settled]), \(memory.last ?? 0) KB")
        // Most get past the codec's first look.
        let deep = tally.done + tally.refusals.values.reduce(0, +)
        #expect(deep > tally.sent / 5)
        print(
            "\(tally.sent) mutants of \(calls.count) calls in \(Int(Date().timeIntervalSince(start))) s:",
            "\(tally.done) done, \(deep - tally.done) refused by words of \(tally.refusals.count) kinds,",
            "\(tally.malformed) no message, \(tally.hungUp) hung up on;",
            "memory \(memory.first ?? 0), then \(memory[settled]), in the end \(memory.last ?? 0) KB")
        for (text, count) in tally.refusals.sorted(by: { $0.value > $1.value }).prefix(25) { print("   ", count, text) }
    }

    @Test("what is marked is found in answers when it is there")
    func control() throws {
        let seed = Seed(for: "control")
        let scene = try FuzzScene()
        let traffic = Traffic(target: .init(reference: Data(), account: "target", group: "TEAM.owner"))
        var fuzzer = FrameFuzzer(scene.socket, mark: "newer", try record(traffic, scene), seed)
        SocketClient.use(scene.socket) { traffic.makePasswords() }
        try fuzzer.send(5000)
        #expect(fuzzer.tally.troubles.first?.hasPrefix("an answer has what is marked") == true)
    }

    /// What a prompt agent sends, and no ordinary program.
    private static var ofAgents: [[UInt8]] {
        get throws {
            let answers: [PersonAnswer] = [.secret(SecretValue(copying: Array("typed".utf8))), .refused, .notAvailable]
            let calls = [WireCall.attend] + answers.map(WireCall.answer)
            return try calls.map { try WireMessage(number: 1, .call($0)).encoded().withUnsafeBytes { Array($0) } }
        }
    }

    private func record(_ traffic: Traffic, _ scene: FuzzScene) throws -> [[UInt8]] {
        let recorder = try TrafficRecorder(scene.file("recorder"), before: scene.socket)
        SocketClient.use(recorder.path) { traffic.make() }
        recorder.stop()
        return try recorder.calls + FrameFuzzTests.ofAgents
    }
}
