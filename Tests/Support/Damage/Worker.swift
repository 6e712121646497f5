// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process that tries its share of the damages, one after the other; the foreman notices when one ends it.
struct Worker {
    private let plan: Plan
    private let keychains: [SampleKeychain]
    private let damages: [Damage]

    /// Nothing here takes longer than a second; with other builds beside it perhaps ten.
    private static let mostSeconds: UInt32 = 30

    init(_ plan: Plan, arguments: [String]) throws {
        self.plan = plan
        keychains = try SampleKeychain.names.map { try SampleKeychain($0, in: plan.ground) }
        damages = Damage.all(keychains, plan)
    }

    static func results(_ plan: Plan, _ worker: Int) -> URL { plan.ground.appendingPathComponent("results-\(worker)") }
    static func complaints(_ plan: Plan, _ worker: Int) -> URL { plan.ground.appendingPathComponent("said-\(worker)") }

    func run() throws {
        let said = open(
            Self.complaints(plan, plan.worker).path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        dup2(said, 2)
        let results = open(
            Self.results(plan, plan.worker).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard results >= 0, said >= 0 else { throw Trouble("no file for results") }
        let ground = try Ground(plan.ground.appendingPathComponent("ground-\(plan.worker)").path)
        var known: [String: (expected: Expectation, rows: [String: [UInt8]])] = [:]
        for keychain in keychains {
            try ground.lay(keychain, nil)
            let expected = try Expectation(try ground.opened())
            let stored = try SampleKeychain.rows(of: ground.root + "/login/keychain.db")
            let rows = expected.items.compactMap { item in
                stored[[UInt8](Expectation.reference(item.whole).dropFirst(4))].map { (item.name, $0) }
            }
            known[keychain.name] = (expected, Dictionary(rows) { $1 })
        }
        var places: [String: [String: [Range<Int>]]] = [:]
        for number in stride(from: plan.first, to: damages.count, by: plan.jobs) {
            let damage = damages[number]
            guard let keychain = keychains.first(where: { $0.name == damage.keychain }),
                let (expected, rows) = known[damage.keychain], let content = keychain.files[damage.file]
            else { continue }
            ftruncate(said, 0)
            alarm(Self.mostSeconds)
            try ground.lay(keychain, damage)
            let trial = Trial(expected: expected, ground: ground, damage: damage, number: number)
            let verdict: Verdict
            if damage.isRepaired {
                let file = "\(damage.keychain) \(damage.file)"
                let isLog = damage.file.hasSuffix("-wal")
                let isOfItems = isLog || damage.file.hasSuffix(".db")
                let those =
                    places[file] ?? (isOfItems ? SampleKeychain.places(of: rows, in: content, isLog: isLog) : [:])
                places[file] = those
                let damaged = damage.range(in: content.count)
                verdict = try trial.repair(
                    hit: Set(those.filter { $0.value.contains { $0.overlaps(damaged) } }.keys))
            } else {
                verdict = try trial.use()
            }
            let line = verdict.line + "\n"
            guard write(results, line, line.utf8.count) == line.utf8.count else { throw Trouble("no room for results") }
        }
        alarm(0)
    }
}
