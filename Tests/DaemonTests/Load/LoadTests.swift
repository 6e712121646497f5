// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Many clients at once, and daemons that are killed under them.
///
/// `KEYCHAIN_LOAD=64x60` is the number of clients and their seconds, `KEYCHAIN_KILLS=200` that of kills.
@Suite(.serialized) struct LoadTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let load = (environment["KEYCHAIN_LOAD"] ?? "8x1").split(separator: "x").compactMap { Int($0) }
    private static let kills = environment["KEYCHAIN_KILLS"].flatMap { Int($0) } ?? 20

    @Test("many programs at once get no error and lose nothing")
    func manyClients() throws {
        let (count, seconds) = (try #require(Self.load.first), try #require(Self.load.last))
        let load = try LoadScene()
        let daemon = try load.scene.startDaemon()
        defer { daemon.terminate() }
        try load.startWorkers(count, "strict")
        // The time is what is tested here, and nothing waits for it.
        Thread.sleep(forTimeInterval: Double(seconds))
        let figures = try load.finish()
        print(
            "\(count) clients, \(seconds) s: \(figures.calls) calls, median \(figures.median) µs,",
            "99th percentile of the slowest client \(figures.p99) µs, longest \(figures.longest) µs")
        #expect(try load.verify(daemon) == [])
    }

    @Test(
        "a daemon that is killed again and again under load loses nothing that was acknowledged, and its clients go on")
    func killed() throws {
        let load = try LoadScene()
        var daemon = try load.scene.startDaemon()
        defer { daemon.terminate() }
        try load.startWorkers(4, "patient")
        for round in 0..<Self.kills {
            // Somewhere in the middle of what they do; each time after more of it.
            try load.progress.take(10 + round * 7 % 31)
            kill(daemon.processIdentifier, SIGKILL)
            daemon.waitUntilExit()
            daemon = try load.scene.startDaemon()
        }
        try load.progress.take(50)
        let figures = try load.finish()
        print("\(Self.kills) kills: \(figures.calls) calls, the longest \(figures.longest) µs")
        #expect(try load.verify(daemon) == [])
    }
}
