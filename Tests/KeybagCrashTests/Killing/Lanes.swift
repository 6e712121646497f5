// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// Two runs at a time, since there are two processors.
enum Lanes {
    /// Examines every run, and records each kind of complaint once, with how many had it and the first of them.
    static func examine(
        _ runs: [KillPlan], _ name: String, _ complaints: @escaping @Sendable (KillPlan, Int) throws -> [String]
    ) throws {
        let start = Date()
        let found = Mutex<[String: [String]]>([:])
        DispatchQueue.concurrentPerform(iterations: 2) { lane in
            for index in stride(from: lane, to: runs.count, by: 2) {
                let run = runs[index]
                let all: [String]
                do { all = try complaints(run, lane) } catch { all = ["\(error)"] }
                for complaint in all {
                    // At once, too: whoever ends an hour of it early still knows what was found.
                    print("\(run): \(complaint)")
                    found.withLock { $0["\(run.script.name): \(complaint)", default: []].append("\(run)") }
                }
            }
        }
        let all = found.withLock { $0 }
        for (complaint, runs) in all.sorted(by: { $0.key < $1.key }) {
            Issue.record("\(complaint) (\(runs.count) times, first \(runs.prefix(2)))")
        }
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        let count = Set(all.values.joined()).count
        print("\(runs.count) \(name) in \(seconds) s, \(count) of them left something wrong")
    }
}
