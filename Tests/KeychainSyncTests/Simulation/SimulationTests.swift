// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSync
import TestSeed
import Testing

/// Circles by the hundred: `make simulate` runs ten thousand seeds in memory and a hundred on PostgreSQL, `SEEDS=` says how many.
@Suite("simulation") struct SimulationTests {
    static let count = ProcessInfo.processInfo.environment["SEEDS"].flatMap { Int($0) } ?? 300

    /// Seeds that once failed.
    // A keychain locks while records are taken, and the process ends before they are laid aside.
    static let kept: [UInt64] = [
        100_385, 100_441, 100_502, 100_513, 100_655, 100_789, 100_794, 100_801, 102_043, 102_221, 102_540, 102_551,
        102_706,
    ]

    @Test("with an honest server all devices become equal, nothing is lost, and nothing alarms")
    func honest() throws {
        let first = Seed(for: "simulation").number
        let seeds = SimulationTests.kept + (0..<UInt64(SimulationTests.count)).map { first &+ $0 }
        try run(seeds, "simulation") { MemoryServer() }
    }

    @Test("the same on PostgreSQL, whose connections break at any byte")
    func postgres() throws {
        let first = Seed(for: "simulation on PostgreSQL").number
        let seeds = (0..<UInt64(max(3, SimulationTests.count / 100))).map { first &+ $0 }
        let circles = try PostgresCircles()
        try run(seeds, "simulation on PostgreSQL", on: circles.place)
    }

    private func run(_ seeds: [UInt64], _ name: String, on server: () throws -> some SimulatedServer) throws {
        var failed: [UInt64] = []
        var counts: [String: Int] = [:]
        for seed in seeds {
            let simulation = try Simulation(seed, on: server())
            try simulation.run()
            counts.merge(simulation.counts, uniquingKeysWith: +)
            guard !simulation.failures.isEmpty else { continue }
            failed.append(seed)
            if failed.count <= 5 {
                Issue.record("\(name), seed \(seed): \(simulation.failures.prefix(3).joined(separator: "; "))")
            }
        }
        let happened = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("\(name), \(seeds.count) seeds:", happened)
        #expect(failed.isEmpty, "\(failed.count) seeds: \(failed.prefix(20))")
    }

    @Test("what a server does that lies is noticed, and changes nothing that a member has")
    func attacks() throws {
        let first = Seed(for: "attacks").number
        let each = max(1, SimulationTests.count / 50)
        var noticed: [String] = []
        for attack in Attack.allCases {
            var count = 0
            for seed in 0..<UInt64(each) {
                let run = try AttackRun(attack, first &+ seed)
                try run.run()
                if run.wasNoticed { count += 1 }
                if !run.failures.isEmpty {
                    Issue.record("\(attack.rawValue), seed \(first &+ seed): \(run.failures.prefix(3))")
                }
            }
            noticed.append("\(attack.rawValue) \(count)\(attack.isHarmless ? " (harmless)" : "")")
        }
        print("noticed of \(each):", noticed.joined(separator: ", "))
    }
}
