// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// Which scripts are killed where.
struct KillPlan: Sendable {
    let script: Script
    let point: KillPoint
    let aggravation: KilledRun.Aggravation

    /// Draws by lot: first from the first and the last call of each step, kind and file, then from the others.
    ///
    /// `make crash` takes every one there is.
    static func runs(
        of scripts: [Script], count: Int, random: inout some RandomNumberGenerator, losingPower: Bool = false,
        calls: (Script) throws -> [Call]
    ) throws -> [KillPlan] {
        var (chosen, others) = ([(Script, KillPoint)](), [(Script, KillPoint)]())
        for script in scripts {
            // SQLite's shared memory does not outlive the processes that use it.
            let calls = try calls(script).filter { !$0.file.hasSuffix("-shm") }
            let spread = KillPoint.spread(over: calls, between: 0, random: &random)
            let orders = Set(spread.map(\.order))
            chosen += spread.map { (script, $0) }
            others += KillPoint.all(of: calls).filter { !orders.contains($0.order) }.map { (script, $0) }
        }
        if losingPower {
            // A power cut between two calls that sync is like one after the first of them.
            let counts = { (point: KillPoint) in point.moment == .after || point.kind == "sync" }
            (chosen, others) = (chosen.filter { counts($0.1) }, others.filter { counts($0.1) })
        }
        let all: [(Script, KillPoint)]
        if KillPoint.wantsAll {
            all = chosen + others
        } else {
            all = Array((chosen.shuffled(using: &random) + others.shuffled(using: &random)).prefix(count))
        }
        print("\(chosen.count) and \(others.count) points in \(scripts.count) scripts")
        return all.enumerated().map { index, run in
            let aggravations: [KilledRun.Aggravation] =
                losingPower
                ? [.powerCut] : [.secondKill(1 + Int.random(in: 0..<40, using: &random)), .changeFirst, .none]
            return KillPlan(script: run.0, point: run.1, aggravation: aggravations[index % aggravations.count])
        }
    }
}

extension KillPlan: CustomStringConvertible {
    var description: String {
        let step = Int(point.part).map { script.steps[$0].description } ?? ""
        return "\(script.name), \(aggravation), \(point), \(step)"
    }
}
