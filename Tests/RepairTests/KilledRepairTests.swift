// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainStore
import Security
import TestProcesses
import Testing

/// A repair that is killed at each of the calls by which it changes files: the keychain is in its place, damaged or repaired, and
/// the next repair has everything.
@Suite struct KilledRepairTests {
    /// Runs the tool with the interposer; the list of its calls, where they are wanted.
    private static func run(
        _ keychain: DamagedKeychain, _ interposer: Interposer, _ order: [String: String]
    ) throws -> Int32 {
        let tests = URL(
            fileURLWithPath: try #require(Bundle.allBundles.first?.executablePath ?? CommandLine.arguments.first))
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("llavero")
        process.arguments = ["repair", "--quiet"]
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": keychain.root.path, "LLAVERO_HOME": keychain.root.path,
            "LC_ALL": "C.UTF-8",
            "LD_PRELOAD": interposer.path,
        ].merging(order) { $1 }.merging(TestEnvironment.withoutSystemDaemon) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// `KEYCHAIN_MUTATIONS=all`: each call; else every sixteenth.
    @Test("whatever moment a repair is killed at, no item is lost and nothing is deleted")
    func killed() throws {
        let keychain = try DamagedKeychain(count: 10)
        let damaged = keychain.database.changed(0..<4096) { _ in 0 }
        let interposer = try Interposer()
        let list = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-calls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: list) }
        try keychain.lay(["keychain.db": damaged])
        #expect(try Self.run(keychain, interposer, ["LLT_KILL_LOG": list.path]) == 0)
        let calls = Call.calls(in: try String(contentsOf: list, encoding: .utf8))
        #expect(calls.count > 20)
        let isLong = ProcessInfo.processInfo.environment["KEYCHAIN_MUTATIONS"] == "all"
        // Those that move folders, all of them.
        let points = KillPoint.all(of: calls).filter {
            isLong || $0.kind == "rename" && $0.file.hasPrefix("login") || $0.count % 16 == 0
        }
        var repaired = 0
        for point in points where point.moment != .torn || isLong {
            try keychain.lay(["keychain.db": damaged])
            _ = try Self.run(keychain, interposer, ["LLT_KILL_AT": point.order])
            let folder = keychain.root.appendingPathComponent("login")
            let now = try Data(contentsOf: folder.appendingPathComponent("keychain.db"))
            let others = keychain.beside.map { keychain.root.appendingPathComponent($0 + "/keychain.db") }
            let isKept = now == damaged || others.contains { (try? Data(contentsOf: $0)) == damaged }
            #expect(isKept, "\(point)")
            if now != damaged { repaired += 1 }
            let outcome = try keychain.repair()
            #expect(outcome.report.savedItems == 10 && outcome.isNeeded == (now == damaged), "\(point)")
            #expect(try keychain.itemsNow() == keychain.items, "\(point)")
            #expect(keychain.beside.allSatisfy { $0.hasPrefix("login.damaged-") }, "\(point)")
        }
        #expect(repaired > 0)
        print("killed at \(points.count) of \(calls.count) calls; \(repaired) times the repaired one was in its place")
    }
}
