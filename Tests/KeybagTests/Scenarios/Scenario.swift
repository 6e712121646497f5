// SPDX-License-Identifier: Apache-2.0

import Testing

/// One scenario of the semantics file, §10.2, tables K and L.
struct Scenario: Sendable {
    let id: String
    let title: String
    /// Where it is ours: a line of decisions.md, or the part of the architecture that says so.
    var ours: String?
    let grounds: [Ground]
    let run: @Sendable (Scene) throws -> Void

    init(
        _ id: String, _ title: String, ours: String? = nil, on grounds: [Ground] = Ground.all,
        run: @escaping @Sendable (Scene) throws -> Void
    ) {
        self.id = id
        self.title = title
        self.ours = ours
        self.grounds = grounds
        self.run = run
    }

    static let all = locking + damagedItems + damagedKeys + files + formats
}

/// One scenario on one ground.
struct ScenarioRun: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let ground: Ground
    var testDescription: String { "\(scenario.id): \(scenario.title); \(ground.rawValue)" }

    static let all = Scenario.all.flatMap { scenario in
        scenario.grounds.map { ScenarioRun(scenario: scenario, ground: $0) }
    }
}

@Suite struct ScenarioTests {
    @Test("the keychain answers as tables K and L say", arguments: ScenarioRun.all)
    func answers(run: ScenarioRun) throws {
        try run.scenario.run(try Scene(run.ground))
    }
}
