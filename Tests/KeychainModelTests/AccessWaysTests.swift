// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// The ways to meet a demand, as there are no more than anybody could list.
@Suite struct AccessWaysTests {
    private static let factors: [AccessConstraint] = [
        .factor(.passcode), .factor(.biometryAny), .factor(.companion),
        .factor(.biometrySet([UInt8](repeating: 1, count: 32))),
        .factor(.biometrySet([UInt8](repeating: 2, count: 32))),
        .factor(.biometrySet([UInt8](repeating: 3, count: 32))),
    ]

    @Test("demands within demands are counted in a moment", arguments: 1...6)
    func nested(count: Int) {
        let two = AccessConstraint.atLeast(2, of: Self.factors)
        let ways = AccessConstraint.atLeast(count, of: Array(repeating: two, count: 6)).ways
        #expect(ways?.count == 15)
        #expect(ways?.allSatisfy { $0.count == 2 } == true)
    }

    @Test("a way that asks for more than another is none", arguments: [1, 2, 3])
    func least(count: Int) {
        let presence = AccessConstraint.factor(.presence)
        let constraint = AccessConstraint.atLeast(
            1, of: [presence, .atLeast(count, of: Array(Self.factors.prefix(3)))])
        let ways = constraint.ways ?? []
        for way in ways { #expect(!ways.contains { $0 != way && $0.isSubset(of: way) }) }
        #expect(ways.contains([.passcode]) && ways.contains([.biometryAny]))
    }
}
