// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The scenarios that are written in Swift, because vectors have no step that locks, damages or starts again.
@Suite struct ScenarioCatalogueTests {
    private static let families = [("K", 11), ("L", 16)]
    /// K9 is about access control, which the vectors can speak of.
    private static let inVectors: Set = ["K9"]

    private struct LaterRow: Decodable {
        let id: String
        let reason: String
    }

    /// What waits for a later issue: the same list as the vectors'.
    private static func later() throws -> [LaterRow] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/secitem/later.json")
        return try JSONDecoder().decode([LaterRow].self, from: Data(contentsOf: file))
    }

    @Test("every scenario of K and L is run, or is listed for later with a reason, and never both")
    func complete() throws {
        let ids = Set(Scenario.all.map(\.id))
        let later = try Self.later()
        for (family, count) in Self.families {
            for id in (1...count).map({ "\(family)\($0)" }) where !Self.inVectors.contains(id) {
                #expect(ids.contains(id) != later.contains { $0.id == id && !$0.reason.isEmpty }, "\(id)")
            }
        }
    }

    @Test("no scenario is run under a name that the tables do not have")
    func known() {
        let known = Set(Self.families.flatMap { family, count in (1...count).map { "\(family)\($0)" } })
        #expect(Set(Scenario.all.map(\.id)).subtracting(known) == [])
        #expect(Set(Scenario.all.map { $0.id + $0.title }).count == Scenario.all.count)
    }

    @Test("a scenario that differs from Apple names the decision that says so")
    func oursIsExplained() {
        for ours in Scenario.all.compactMap(\.ours) {
            #expect(ours.wholeMatch(of: /D[1-9][0-9]?|architecture|issue 3/) != nil, "\(ours)")
        }
    }
}
