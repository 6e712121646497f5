// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Random numbers that can be had again: `KEYCHAIN_SEED=7 swift test` replays a printed seed.
package struct Seed: RandomNumberGenerator, Sendable {
    package let number: UInt64
    private var state: UInt64

    package init(for test: String) {
        let given = ProcessInfo.processInfo.environment["KEYCHAIN_SEED"].flatMap { UInt64($0) }
        number = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        state = number
        print("\(test): KEYCHAIN_SEED=\(number)")
    }

    /// A seed that was found once, and has to be tried for ever.
    package init(_ number: UInt64) {
        self.number = number
        state = number
    }

    /// Whether tests that change bytes make every change they know, and not a part of them: `KEYCHAIN_MUTATIONS=all`.
    package static let takesAllMutations = ProcessInfo.processInfo.environment["KEYCHAIN_MUTATIONS"] == "all"

    // SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// True once in so many times, on average.
    package mutating func oneIn(_ count: UInt64) -> Bool { next() % count == 0 }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }
}
