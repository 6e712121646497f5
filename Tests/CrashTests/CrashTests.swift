// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestProcesses
import TestSeed
import Testing

/// Kills at named points, reopens, and asks whether everything acknowledged is there and the rest wholly or not.
///
/// At the first and the last call of each part, kind and file, and at some between, other ones each time; with `make crash` at all.
@Suite(.serialized) struct CrashTests {
    @Test("what was acknowledged survives a kill at any call that changes a file, and what was not is all or nothing")
    func kills() throws {
        var random = Seed(for: "kills")
        let interposer = try Interposer()
        let calls = try CrashedWriter(interposer: interposer.path).calls()
        let points = KillPoint.withoutTwins(
            KillPoint.spread(over: calls, between: between(1), random: &random))
        #expect(points.count >= 150)
        for part in ["birth", "add", "update", "delete", "checkpoint", "close"] {
            #expect(points.contains { $0.part == part }, "nothing to kill during \(part)")
        }
        try run(points) { index, point in
            // Every third time the process that recovers is killed as well.
            try CrashedWriter(interposer: interposer.path).complaints(
                at: point, recoveryKill: index % 3 == 0 ? 1 + index % 16 : nil)
        }
    }

    @Test("what was acknowledged survives a power cut that takes everything which was not synced")
    func powerCuts() throws {
        var random = Seed(for: "power cuts")
        let interposer = try Interposer()
        let calls = try CrashedWriter(interposer: interposer.path).calls()
        let points = KillPoint.spread(over: calls, between: between(0), random: &random).filter {
            $0.moment == .after || $0.kind == "sync" && $0.moment == .before
        }
        #expect(points.count >= 60)
        try run(points) { _, point in
            try CrashedWriter(interposer: interposer.path).complaints(at: point, losingPower: true)
        }
    }

    @Test("what came of a circle is in the keychain whole with its leaves, marks, heads and state, or not at all")
    func circle() throws {
        var random = Seed(for: "circle")
        let interposer = try Interposer()
        let calls = try CrashedWriter(.circle, interposer: interposer.path).calls().filter {
            ["begin", "rounds"].contains($0.part)
        }
        let points = KillPoint.withoutTwins(
            KillPoint.spread(over: calls, between: between(4), random: &random))
        #expect(points.count >= 60)
        #expect(points.contains { $0.part == "begin" } && points.contains { $0.part == "rounds" })
        try run(points) { index, point in
            try CrashedWriter(.circle, interposer: interposer.path).complaints(
                at: point, losingPower: index % 2 == 0, recoveryKill: index % 3 == 0 ? 1 + index % 16 : nil)
        }
    }

    /// How many calls are drawn by lot between the first and the last of a kind.
    private func between(_ count: Int) -> Int { KillPoint.wantsAll ? .max : count }

    /// Examines the points, two at a time.
    private func run(
        _ points: [KillPoint], _ complaints: @escaping @Sendable (Int, KillPoint) throws -> [String]
    ) throws {
        let start = Date()
        let found = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { lane in
            for index in stride(from: lane, to: points.count, by: 2) {
                let complaint: String
                do {
                    let complaints = try complaints(index, points[index])
                    if complaints.isEmpty { continue }
                    complaint = "\(points[index]): \(complaints)"
                } catch { complaint = "\(points[index]): \(error)" }
                // At once, too: whoever ends an hour of it early still knows what was found.
                print(complaint)
                found.withLock { $0.append(complaint) }
            }
        }
        let all = found.withLock { $0 }
        for complaint in all { Issue.record(Comment(rawValue: complaint)) }
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        print("\(points.count) kills in \(seconds) s, \(all.count) of them left something wrong")
    }
}
